import { openThread } from "../../thread.ts";
import type { Leaving, Left } from "./letter-routes.ts";
import type { ThreadData, ToThread } from "./on-request-thread.ts";
import { threadUrl } from "./on-request-thread.ts?thread";

/** Does what people ask for by the links in their letters, with a proof of each. */
export interface OnRequest extends Leaving {
	/** The secret of the erasure key, from which the keys of links are derived. */
	secret: string;
	close(): Promise<void>;
}

/**
 * People who may wait at the same time. They are served one by one, in 20 to 40 ms with the syncs of
 * database and file, so that the last one waits for less than 5 s.
 */
export const MOST_WAITING = 100;

/**
 * Opens the proofs of erasure, and makes their key and file where they are missing and can be made.
 *
 * @param isOpen resolves when the waitlist is open and takes requests. The thread ends when the
 *   journal of an SQLite file was replaced, and may open the file again only after the waitlist did.
 * @throws Error with a sentence for the operator when there is no key, or the wrong one
 */
export async function openOnRequest(
	settings: ThreadData,
	isOpen: () => Promise<unknown>,
): Promise<OnRequest> {
	const { database, erasureKey, erasures } = settings;
	const data: ThreadData = { database, erasureKey, erasures };
	const thread = await openThread<ToThread, "done", string>({
		url: threadUrl,
		name: "on request",
		data: () => data,
		permit: isOpen,
	});
	/** What is asked for and not answered yet, by its message. */
	const underWay = new Map<string, Promise<Left>>();

	/** Whoever asks for the same while it is under way gets its answer. */
	function ask(message: Exclude<ToThread, { close: true }>): Promise<Left> {
		const name = JSON.stringify(message);
		const same = underWay.get(name);
		if (same) return same;
		if (underWay.size >= MOST_WAITING) return Promise.resolve("busy");
		const left = thread.ask(message).finally(() => underWay.delete(name));
		underWay.set(name, left);
		return left;
	}

	return {
		secret: thread.ready,
		stop: (recipient, by) => ask({ stop: recipient, by }),
		erase: (recipient) => ask({ erase: recipient }),
		close: () => thread.end({ close: true }),
	};
}
