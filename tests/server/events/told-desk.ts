import type { PostgresDatabases } from "../../../bench/harness/postgres-cluster.ts";
import { newSecret } from "../../../src/server/events/sign.ts";
import type { DatabaseKind } from "../waitlist/databases.ts";
import { openMailDesk } from "../waves/mail-desk.ts";
import { type Answer, startReceiver } from "./receiver.ts";

/** A desk whose servers tell another system. */
export async function openToldDesk(
	kind: DatabaseKind,
	cluster: PostgresDatabases,
	answer?: () => Answer | Promise<Answer>,
) {
	const desk = await openMailDesk(kind, cluster);
	const receiver = await startReceiver(answer);
	const secrets = [newSecret(), newSecret()] as const;
	Object.assign(desk.env, {
		WAITLIST_WEBHOOK_URL: receiver.url,
		WAITLIST_WEBHOOK_SECRET: secrets.join(","),
		WAITLIST_WEBHOOK_BODY: "full",
		WAITLIST_MAIL_BOUNCES: "bounces@orbit.example",
	});
	return { ...desk, receiver, secrets };
}
