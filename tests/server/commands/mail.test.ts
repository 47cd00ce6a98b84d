import { expect, it } from "vitest";
import { parseEmail } from "../../../bench/harness/mail-server.ts";
import { openMailSetup } from "../waves/mail-setup.ts";
import { MAIL_SETTINGS } from "../waves/wave-setup.ts";

it("check --to sends a test email with invalid links as the site's host, and reports why one is refused", async () => {
	const { env, kept, run } = await openMailSetup("SQLite");
	const check = async () => (await run("check --to ada@example.com")).stdout;
	expect(await check()).toContain("✓ test email: sent to ada@example.com");
	expect(kept[0]!.client).toBe("orbit.example");
	const sent = await parseEmail(kept[0]!);
	expect(sent.text).toContain("https://orbit.example/confirm/");
	expect(sent.html).toContain("https://orbit.example/unsubscribe/");
	Object.assign(env, MAIL_SETTINGS);
	expect(await check()).toMatch(/^✗ test email: Not sent: the mail server cannot be reached/m);
});

it("--test sends a wave email only to the founder", async () => {
	const { add, json, kept, run } = await openMailSetup("SQLite");
	await add("ada@example.com");
	const { code, stdout } = await run("invite 5 --wave beta-1 --test you@example.com");
	expect(code).toBe(0);
	expect(stdout).toMatch(/^Sent to you@.*, and to no one else\. .* don't work\.\n$/);
	expect(kept.map(({ to }) => to)).toEqual(["you@example.com"]);
	expect((await parseEmail(kept[0]!)).text).toContain("/invitation#");
	expect(await json("waves")).toEqual({ waves: [] });
});
