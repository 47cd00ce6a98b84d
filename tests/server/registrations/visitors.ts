import { setTimeout as wait } from "node:timers/promises";
import { postJoin } from "../../server-process.ts";

/** Refused visitors pause, so that they do not keep the CPU busy. */
const REST_MS = 50;

/** Starts visitors who join with one new address after another, until the server is gone. */
export function startVisitors(
	url: string,
	count: number,
	name: string,
	join = (email: string) => postJoin(url, email),
) {
	let going = true;
	const acknowledged: string[] = [];
	/** `cut` counts broken connections. */
	const statuses = new Map<number | "cut", number>();
	/** Unexpected responses: neither 201 nor a 503 with `error` and Retry-After. */
	const broken: string[] = [];
	const gone = Promise.all(
		Array.from({ length: count }, async (_, visitor) => {
			for (let n = 0; going; n++) {
				const email = `${name}-${visitor}-${n}@example.com`;
				const answer = await join(email).catch(() => undefined);
				const status = answer?.status ?? "cut";
				statuses.set(status, (statuses.get(status) ?? 0) + 1);
				if (answer === undefined) return;
				const body = (await answer.json().catch(() => ({}))) as { error?: string };
				if (status === 201) acknowledged.push(email);
				else if (status !== 503 || !body.error || !answer.headers.has("retry-after")) {
					broken.push(`${status} ${JSON.stringify(body)}`);
				}
				if (status !== 201) await wait(REST_MS);
			}
		}),
	);
	return {
		acknowledged,
		statuses,
		broken,
		async stop() {
			going = false;
			await gone;
		},
	};
}
