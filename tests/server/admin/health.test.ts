import { expect, it } from "vitest";
import { type HealthParts, readHealth } from "../../../src/server/admin/today/health.ts";
import { readSettings } from "../../../src/server/settings.ts";

const now = new Date("2026-11-23T12:00:00.000Z");

/** What health says of a part, where the database answers with these rows. */
async function foundOf(name: string, parts: Partial<HealthParts>, rows: object[] = []) {
	const all = await readHealth({
		settings: { database: { kind: "sqlite", file: "package.json" }, mail: undefined },
		query: async <Row>() => rows.map((row) => ({ value: JSON.stringify(row), ...row })) as Row[],
		now,
		letters: { pause: null, slowed: [] },
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

it("health says what needs somebody, and what is only not set up", async () => {
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
});

it("health shows whether the receiver of events takes them, where there is one", async () => {
	const events = (row: object) =>
		foundOf("Events", {}, [{ endedAt: "", failures: 0, waiting: 1200, failed: 0, ...row }]);
	expect(await foundOf("Events", {})).toBeUndefined();
	expect(await events({})).toMatchObject({ ok: true, found: "are taken: 1,200 wait" });
	expect(await events({ failures: 1 })).toMatchObject({ ok: false });
	expect(await events({ failed: 2 })).toMatchObject({
		ok: false,
		found: "were given up: 2, see waitlist webhook",
	});
});
