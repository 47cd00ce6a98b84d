import { onTestFinished } from "vitest";
import type { PostgresDatabases } from "../../../bench/harness/postgres-cluster.ts";
import { openDatabase } from "../../../src/server/database/open-database.ts";
import type { WaveState } from "../../../src/server/letters/wave/wave.ts";
import { redeem } from "../../../src/server/waves/client.ts";
import { createCodes } from "../../../src/server/waves/code.ts";
import { postEmail, type ServerProcess, startServer } from "../../server-process.ts";
import { ERASURE_KEY } from "../operator/desk.ts";
import { type DatabaseKind, placeOf } from "../waitlist/databases.ts";

export const API_KEYS = ["api-key-of-the-product-".padEnd(40, "1"), "next-key-".padEnd(32, "2")];
const [API_KEY] = API_KEYS as [string, string];

const DAY_MS = 86_400_000;

/** The built server, without mail, in as many processes as asked for, and people with invitations. */
export async function openInvited(
	kind: DatabaseKind,
	cluster: PostgresDatabases,
	{ copies = 1, env: more = {} }: { copies?: number; env?: Record<string, string> } = {},
) {
	const { env, folder, settings } = await placeOf(kind, cluster);
	const secrets = { WAITLIST_ERASURE_KEY: ERASURE_KEY, WAITLIST_API_KEY: API_KEYS.join(", ") };
	const servers: ServerProcess[] = [];
	for (let n = 0; n < copies; n++) {
		servers.push(await startServer({ folder, env: { ...env, ...secrets, ...more } }));
	}
	const [server] = servers as [ServerProcess];
	const database = await openDatabase(settings, { create: false });
	onTestFinished(() => database.close());
	const codes = createCodes(ERASURE_KEY);
	const iso = (ms: number) => new Date(ms).toISOString();
	return {
		server,
		servers,
		database,
		/** Adds a wave, whose codes are good for 14 days. */
		addWave: (name: string, state: WaveState = "open") =>
			database.query(
				`INSERT INTO wave (name, kind, state, asked_at, changed_at, size, starts_at, valid_days,
					subject, message) VALUES ($1, 'invitation', $2, $3, $3, 1, $3, 14, '', '')`,
				[name, state, iso(Date.now())],
			),
		/** Joins, and gets a letter that was sent so many days ago. Gives the code in it. */
		async invite(email: string, { wave = "beta-1", daysAgo = 1 } = {}) {
			await postEmail(server.url, email);
			const key = email.toLowerCase();
			const sent = Date.now() - daysAgo * DAY_MS;
			await database.query(
				`INSERT INTO letter (kind, wave, email_key, id, state, asked_at, next_at, ended_at, expires_at)
				VALUES ('invitation', $1, $2, $3, 'accepted', $4, $4, $4, $5)`,
				[wave, key, `${wave} ${key}`, iso(sent), iso(sent + 14 * DAY_MS)],
			);
			return { code: codes.codeOf({ wave, key }), sentAt: iso(sent) };
		},
		/** Redeems as the product's server does. */
		redeem: (code: string, email: string, { url } = server) =>
			redeem({ origin: url, key: API_KEY, code, email }),
	};
}

/** A call of the product's server, without its client. */
export function callToRedeem(
	url: string,
	body: unknown,
	headers: Record<string, string> = {},
): Promise<Response> {
	return fetch(new URL("/api/invitations/redeem", url), {
		method: "POST",
		headers: {
			authorization: `Bearer ${API_KEY}`,
			"content-type": "application/json",
			...headers,
		},
		body: typeof body === "string" ? body : JSON.stringify(body),
	});
}
