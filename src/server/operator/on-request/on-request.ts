import { openThread } from "../../thread.ts";
import type { ThreadData, ToThread } from "./on-request-thread.ts";
import { threadUrl } from "./on-request-thread.ts?thread";

/** Does what people ask for by the links in their letters, with a proof of each. */
export interface OnRequest {
	/** The secret of the erasure key, from which the keys of links are derived. */
	secret: string;
	/** No more letters. Resolves when it is on disk. */
	stop(recipient: string): Promise<void>;
	/** No more record. Resolves when it is on disk. */
	erase(recipient: string): Promise<void>;
	close(): Promise<void>;
}

/**
 * Opens the proofs of erasure, and makes their key and file where they are missing and can be made.
 *
 * @throws Error with a sentence for the operator when there is no key, or the wrong one
 */
export async function openOnRequest(settings: ThreadData): Promise<OnRequest> {
	const { database, erasureKey, erasures } = settings;
	const data: ThreadData = { database, erasureKey, erasures };
	const thread = await openThread<ToThread, "done", string>({
		url: threadUrl,
		name: "on request",
		data: () => data,
	});
	return {
		secret: thread.ready,
		async stop(recipient) {
			await thread.ask({ stop: recipient });
		},
		async erase(recipient) {
			await thread.ask({ erase: recipient });
		},
		close: () => thread.end({ close: true }),
	};
}
