import type { Finding } from "../database/database.ts";
import { describeHook, type WebhookSettings } from "../settings/webhook.ts";
import { post } from "./post.ts";

/** Receivers refuse what was signed further away than this, by their own clock. */
const WINDOW_MS = 5 * 60_000;

/**
 * Asks the receiver of events what time it is, and sends it nothing: a wrong clock looks like a wrong
 * secret, because it refuses every signature.
 */
export async function checkReceiver({ url }: WebhookSettings): Promise<Finding> {
	const name = "receiver of events";
	const place = describeHook(url);
	const { status, code, aheadMs } = await post(url, { method: "HEAD" });
	if (status === 0) return { name, ok: false, found: `${place} was not reached: ${code}` };
	if (aheadMs === undefined) return { name, ok: true, found: `${place} does not say its time` };
	if (Math.abs(aheadMs) <= WINDOW_MS) return { name, ok: true, found: `${place} has our time` };
	const minutes = Math.round(Math.abs(aheadMs) / 60_000);
	const found =
		`the clock at ${place} is ${minutes} minutes ${aheadMs > 0 ? "ahead of" : "behind"} ours: it ` +
		"refuses every signature until the wrong one of the two is set";
	return { name, ok: false, found };
}
