import { onTestFinished } from "vitest";
import { REDEEM_PATH } from "#shared/invitation.ts";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import type { Wave } from "../../../src/server/mail/waves.ts";
import { createInvitationCoder } from "../../../src/server/waves/code.ts";
import { given } from "../../given/given.ts";
import { postJoin, type ServerProcess, startServer } from "../../server-process.ts";
import { TEST_SECRET } from "../commands/command-setup.ts";
import { createTestDatabase, type DatabaseKind } from "../registrations/databases.ts";

export const API_KEYS = ["api-key-of-the-product-".padEnd(40, "1"), "next-key-".padEnd(32, "2")];
const [API_KEY] = API_KEYS as [string, string];

const DAY_MS = 86_400_000;

export async function openInvitationSetup(
	kind: DatabaseKind,
	{ copies = 1, env: more = {} }: { copies?: number; env?: Record<string, string> } = {},
) {
	const { env, folder, settings } = await createTestDatabase(kind);
	const secrets = { WAITLIST_SECRET: TEST_SECRET, WAITLIST_API_KEY: API_KEYS.join(", ") };
	const servers: ServerProcess[] = [];
	for (let n = 0; n < copies; n++) {
		servers.push(await startServer({ folder, env: { ...env, ...secrets, ...more } }));
	}
	const [server] = servers as [ServerProcess];
	const database = await openDatabase(settings, { create: false });
	onTestFinished(() => database.close());
	const coder = createInvitationCoder(TEST_SECRET);
	return {
		server,
		servers,
		database,
		addWave: (name: string, state: Wave["state"] = "open") =>
			given.wave(database, { name, state, created: new Date() }),
		async invite(email: string, { wave = "beta-1", daysAgo = 1 } = {}) {
			await postJoin(server.url, email);
			const key = email.toLowerCase();
			const sent = Date.now() - daysAgo * DAY_MS;
			const ended = new Date(sent).toISOString();
			const expires = new Date(sent + 14 * DAY_MS);
			await given.email(database, { to: key, wave, state: "accepted", ended, expires });
			return { code: coder.codeOf({ wave, key }), sentAt: ended };
		},
		redeem: (code: string, email: string, { url } = server) => redeem(url, code, email),
	};
}

export function postRedeemRequest(
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
): Promise<Response> {
	return fetch(new URL(REDEEM_PATH, url), {
		method: "POST",
		headers: {
			authorization: `Bearer ${API_KEY}`,
			"content-type": "application/json",
			...headers,
		},
		body: typeof body === "string" ? body : JSON.stringify(body),
	});
}

export async function redeem(url: string, code: string, email: string) {
	const response = await postRedeemRequest(url, { code, email });
	const { error: _, ...answer } = await response.json();
	return answer;
}
