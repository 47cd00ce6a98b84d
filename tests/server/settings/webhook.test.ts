import { describe, expect, it } from "vitest";
import { readSettings } from "../../../src/server/settings.ts";

const url = "https://events.example/orbit?key=1";
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 0xfb).toString("base64")}`;
const webhook = { WAITLIST_WEBHOOK_URL: url, WAITLIST_WEBHOOK_SECRET: secretOf(32) };

const read = (environment: Record<string, string>) => readSettings(environment, "/", "");

describe("settings of digest and webhook", () => {
	it("name an address, and one secret or two", () => {
		const digestUrl = "http://localhost:4000/x";
		expect(read({ WAITLIST_DIGEST_URL: digestUrl })).toMatchObject({ digestUrl });
		const secrets = [secretOf(32).slice("whsec_".length)];
		expect(read(webhook).webhook).toEqual({ url, secrets });
		const two = { WAITLIST_WEBHOOK_SECRET: `${secretOf(24)}, ${secretOf(64)}` };
		expect(read({ ...webhook, ...two }).webhook!.secrets).toHaveLength(2);
	});

	it.each([
		["http://events.example/"],
		["http://127.0.0.1.evil.example/"],
		["https://user:hidden@events.example/"],
		["https://events.example/#hidden"],
		["events.example"],
	])("refuse %s without repeating it", (address) => {
		for (const name of ["WAITLIST_DIGEST_URL", "WAITLIST_WEBHOOK_URL"]) {
			const wrong = () => read({ ...webhook, [name]: address });
			expect(wrong).toThrow(`${name} must be a whole address by https, without a user`);
			expect(wrong).not.toThrow(/hidden|evil/);
		}
	});

	it.each([
		["none", ""],
		["one copied with its version", `v1,${secretOf(32)}`],
		["a short one", secretOf(23)],
		["one that is not base64", "whsec_0123456789abcdef-0123456789abcdef"],
		["one without padding", secretOf(32).slice(0, -1)],
		["three", [secretOf(32), secretOf(32), secretOf(32)].join()],
	])("refuse as a secret: %s", (_, secret) => {
		const wrong = () => read({ ...webhook, WAITLIST_WEBHOOK_SECRET: secret });
		expect(wrong).toThrow(
			"WAITLIST_WEBHOOK_SECRET must be whsec_ and the base64 of 24 to 64 bytes",
		);
		expect(wrong).not.toThrow("0123456789abcdef");
	});

	it.each([
		["WAITLIST_WEBHOOK_SECRET", "WAITLIST_WEBHOOK_URL"],
		["WAITLIST_FEEDBACK", "SMTP_URL"],
		["WAITLIST_MAIL_RATE", "SMTP_URL"],
		["WAITLIST_ADMIN_ORIGIN", "WAITLIST_ADMIN_PORT"],
	])("have no effect without another: %s without %s", (name, needed) => {
		expect(() => read({ [name]: "x" })).toThrow(
			`${name} has no effect without ${needed}: set both, or neither.`,
		);
	});
});
