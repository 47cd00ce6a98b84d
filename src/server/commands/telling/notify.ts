import type { Command } from "commander";
import { brand } from "#brand";
import { describeHook } from "../../settings/webhook.ts";
import { readSettings } from "../../settings.ts";
import { openChat } from "../../webhooks/digest.ts";
import { isTaken } from "../../webhooks/post.ts";
import { JSON_HELP, print } from "../terminal/command.ts";

/** Adds `waitlist notify`: tries the digest's way to the team. */
export function addNotify(program: Command): void {
	program
		.command("notify")
		.summary("send a test message to where the digest goes")
		.description(
			"With --test, sends one message to WAITLIST_DIGEST_URL, where the running server sends its digest.",
		)
		.requiredOption("--test", "send a test message")
		.option("--json", JSON_HELP)
		.action(async ({ json }) => {
			const { digestUrl: notify } = readSettings(process.env, process.cwd());
			if (!notify) throw new Error("There is nobody to tell: set WAITLIST_DIGEST_URL.");
			const place = describeHook(notify);
			const say = openChat(notify);
			const posted = await say(`This is a test of ${brand.product}'s waitlist.`);
			if (!isTaken(posted))
				throw new Error(`The message was not taken at ${place}: ${posted.code}.`);
			print(json, { sent: true, to: place }, () => `Sent to ${place}`);
		});
}
