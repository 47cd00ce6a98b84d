import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { expect, it, onTestFinished } from "vitest";
import { makeCertificate } from "../../../bench/harness/nginx.ts";
import {
	type Certificate,
	lookAtCertificate,
	watchCertificate,
} from "../../../src/server/office/today/certificate.ts";
import { type HealthParts, readHealth } from "../../../src/server/office/today/health.ts";
import { readSettings } from "../../../src/server/settings.ts";
import { temporaryFolder } from "../../temporary.ts";

const now = new Date("2026-11-23T12:00:00.000Z");

/** What health says of a part, where the database answers with these rows. */
async function foundOf(name: string, parts: Partial<HealthParts>, rows: object[] = []) {
	const all = await readHealth({
		settings: { database: { kind: "sqlite", file: "package.json" }, mail: undefined },
		query: async <Row>() => rows as Row[],
		now,
		letters: { pause: null, slowed: [] },
		certificate: undefined,
		...parts,
	});
	return all.find((finding) => finding.name === name)!;
}

const { mail } = readSettings(
	{
		SMTP_URL: "smtp://localhost",
		WAITLIST_MAIL_FROM: "hello@orbit.example",
		SITE_ORIGIN: "https://orbit.example",
	},
	"/",
);

const withMail = { database: { kind: "sqlite", file: "package.json" }, mail } as const;

it("the certificate of the site is seen by a handshake, with the reason for which browsers refuse it", async () => {
	const { certificate: cert, key } = await makeCertificate(await temporaryFolder());
	const server = createServer({ cert: await readFile(cert), key: await readFile(key) });
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	const found = await lookAtCertificate(`https://127.0.0.1:${port}`);
	expect(found).toMatchObject({
		refused: expect.stringMatching(/^it has signed itself \(.*SELF_SIGNED/),
	});
	expect(Date.parse((found as { until: string }).until)).toBeGreaterThan(Date.now());
	server.close();
	await once(server, "close");
	expect(await lookAtCertificate(`https://127.0.0.1:${port}`)).toEqual({
		unseen: "nothing listens at its port (ECONNREFUSED)",
	});
});

it("nobody waits for a certificate, which is kept for an hour, and sooner asked for where it was not seen", async () => {
	const answers: Certificate[] = [
		{ unseen: "ECONNREFUSED" },
		{ until: "2027-01-01T00:00:00.000Z" },
		{ until: "2028-01-01T00:00:00.000Z" },
	];
	let ms = 0;
	const certificate = watchCertificate(
		async () => answers.shift()!,
		() => ms,
	);
	const after = async (passedMs: number) => {
		ms += passedMs;
		certificate();
		await new Promise(setImmediate);
		return certificate();
	};
	expect(certificate()).toBeUndefined();
	expect(await after(0)).toEqual({ unseen: "ECONNREFUSED" });
	expect(await after(59_000)).toEqual({ unseen: "ECONNREFUSED" });
	expect(await after(1000)).toEqual({ until: "2027-01-01T00:00:00.000Z" });
	expect(await after(3_599_000)).toEqual({ until: "2027-01-01T00:00:00.000Z" });
	expect(await after(1000)).toEqual({ until: "2028-01-01T00:00:00.000Z" });
});

it("health says what needs somebody, and what is only not set up", async () => {
	const until = (iso: string) =>
		foundOf("Certificate", { settings: withMail, certificate: { until: iso } });
	expect(await until("2026-12-24T00:00:00.000Z")).toMatchObject({
		ok: true,
		found: "ends on 2026-12-24",
	});
	expect(await until("2026-12-01T00:00:00.000Z")).toMatchObject({ ok: false });
	expect(await until("2026-11-01T00:00:00.000Z")).toMatchObject({
		ok: false,
		found: "ended on 2026-11-01",
	});
	const backup = (madeAt: string) => foundOf("Last backup", {}, [{ madeAt, file: "x" }]);
	expect(await backup("2026-11-23T01:00:00.000Z")).toMatchObject({
		ok: true,
		found: "is 11 hours old",
	});
	expect(await backup("2026-11-20T01:00:00.000Z")).toMatchObject({
		ok: false,
		found: "is 3 days old",
	});
	const pause = { until: "9999", reason: "", cause: "operator" } as const;
	const paused = { settings: withMail, letters: { pause, slowed: [] } };
	expect(await foundOf("Mail", paused)).toMatchObject({ ok: false });
	expect(await foundOf("Mail", { settings: withMail })).toMatchObject({ ok: true });
	expect((await foundOf("Disk", {})).found).toMatch(/^[\d.]+ [GM]B free$/);
	const gone = { kind: "sqlite", file: "/no such folder/x" } as const;
	expect(await foundOf("Disk", { settings: { mail, database: gone } })).toMatchObject({
		ok: false,
	});
	const settings = { mail, database: { kind: "postgres", url: "" } } as const;
	expect((await foundOf("Disk", { settings })).found).toBe(
		"is PostgreSQL's, and not seen from here",
	);
});

it("events are well while their receiver takes them, and not there without one", async () => {
	const events = (row: object) =>
		foundOf("Events", {}, [{ endedAt: "", failures: 0, waiting: 1200, failed: 0, ...row }]);
	expect(await foundOf("Events", {})).toBeUndefined();
	expect(await events({})).toMatchObject({ ok: true, found: "are taken: 1,200 wait" });
	expect(await events({ failures: 1 })).toMatchObject({
		ok: false,
		found: "are not taken by their receiver: 1,200 wait",
	});
	expect(await events({ failed: 2 })).toMatchObject({
		ok: false,
		found: "were given up: 2, see waitlist webhook",
	});
	const endedAt = "2026-11-23T12:00:00.000Z";
	expect(await events({ endedAt })).toMatchObject({ ok: false });
});
