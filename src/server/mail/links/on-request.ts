import type { SharedDatabase } from "../../database/database.ts";
import type { SuppressionList } from "../../registrations/suppression/suppression-list.ts";
import { deletePeople } from "../emails/delete-people.ts";
import type { Leaving, Left } from "./link-routes.ts";
import { unsubscribePeople } from "./unsubscribe.ts";

/**
 * People who may wait at a time. Each takes 20 to 40 ms with the syncs of database and file, so the
 * last one waits for less than 5 s.
 */
export const MOST_WAITING = 100;

export function createOnRequest(database: SharedDatabase, list: SuppressionList): Leaving {
	const underWay = new Map<string, Promise<Left>>();
	let last: Promise<unknown> = Promise.resolve();

	/** A request that is under way already gets its answer. */
	function request(name: string, work: () => Promise<unknown>): Promise<Left> {
		const same = underWay.get(name);
		if (same) return same;
		if (underWay.size >= MOST_WAITING) return Promise.resolve("busy");
		const left = last.then(work).then(() => "done" as const);
		last = left.catch(() => {});
		underWay.set(name, left);
		return left.finally(() => underWay.delete(name));
	}

	return {
		stop: (key, way) =>
			request(`${way} ${key}`, () =>
				unsubscribePeople(database, list, [key], { way, now: new Date() }),
			),
		erase: (key) =>
			request(`erase ${key}`, async () => {
				await deletePeople(database, list, [key], { now: new Date(), reason: "on request" });
				await database.forget();
			}),
	};
}
