import { describe, expect, it } from "vitest";
import { readSettings } from "../../../src/server/settings.ts";

const url = "https://events.example/orbit?key=1";
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 0xfb).toString("base64")}`;
const webhook = { WAITLIST_WEBHOOK_URL: url, WAITLIST_WEBHOOK_SECRET: secretOf(32) };

const read = (environment: Record<string, string>) => readSettings(environment, "/", "");

describe("settings of telling", () => {
	it("say who is told, by default nobody", () => {
		expect(read({})).toMatchObject({ notify: undefined, webhook: undefined });
		expect(read({ WAITLIST_NOTIFY_URL: "http://localhost:4000/x" }).notify).toBe(
			"http://localhost:4000/x",
		);
		expect(read(webhook).webhook).toEqual({
			url,
			secrets: [secretOf(32).slice("whsec_".length)],
			body: "thin",
		});
		const two = { WAITLIST_WEBHOOK_SECRET: `${secretOf(24)}, ${secretOf(64)}` };
		const full = { ...webhook, ...two, WAITLIST_WEBHOOK_BODY: "full" };
		expect(read(full).webhook).toMatchObject({ body: "full", secrets: { length: 2 } });
	});

	it.each([
		["http://events.example/"],
		["http://127.0.0.1.evil.example/"],
		["https://user:hidden@events.example/"],
		["https://events.example/#hidden"],
		["events.example"],
	])("refuse %s without repeating it", (address) => {
		for (const name of ["WAITLIST_NOTIFY_URL", "WAITLIST_WEBHOOK_URL"]) {
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

	it("refuse another body, and settings that nothing reads", () => {
		expect(() => read({ ...webhook, WAITLIST_WEBHOOK_BODY: "fat" })).toThrow(
			'WAITLIST_WEBHOOK_BODY must be thin or full, but it is "fat".',
		);
		expect(() => read({ WAITLIST_WEBHOOK_SECRET: secretOf(32) })).toThrow(
			"WAITLIST_WEBHOOK_SECRET has no effect without WAITLIST_WEBHOOK_URL: set both, or neither.",
		);
	});
});
