/** However often strangers ask for `/readyz`, the database is asked once in this time. */
const FRESH_MS = 1000;

/** Whether a load balancer should send visitors here. */
export interface Readiness {
	isReady(): Promise<boolean>;
	/** From now on the answer is no. */
	drain(): void;
	isDraining(): boolean;
}

/** Ready while the database takes what is written and nobody has asked the server to stop. */
export function createReadiness(
	waitlist: Pick<Readiness, "isReady">,
	now: () => number,
): Readiness {
	let draining = false;
	let asking = false;
	let askedAt = Number.NEGATIVE_INFINITY;
	let answer = Promise.resolve(false);
	return {
		isReady() {
			if (draining) return Promise.resolve(false);
			// One question at a time: a frozen database must not collect them.
			if (!asking && now() - askedAt >= FRESH_MS) {
				asking = true;
				askedAt = now();
				answer = waitlist.isReady().finally(() => {
					asking = false;
				});
			}
			return answer;
		},
		drain() {
			draining = true;
		},
		isDraining: () => draining,
	};
}
