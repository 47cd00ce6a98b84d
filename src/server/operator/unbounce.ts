import type { Command } from "commander";
import { type Unbounced, unbounce } from "../letters/bounces/unbounce.ts";
import { changePeople } from "./terminal/change-people.ts";
import { JSON_HELP, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist unbounce`: an address exists after all. */
export function addUnbounce(program: Command): void {
	program
		.command("unbounce <emails...>")
		.summary("write again to people whose address exists after all")
		.description(
			"Takes back that these addresses do not exist, where a mail server was wrong. These people get " +
				"letters again from now on. Nothing is sent by this: `waitlist retry` with an address sends " +
				"again what was refused.",
		)
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { json }) => {
			await withDatabase(async ({ database, now }) => {
				const because = (reason: string) => `this address has not bounced; ${reason}`;
				const change = async (keys: readonly string[]) => {
					const unbounced = await unbounce(database, keys, now);
					const changed = unbounced.map(({ email }) => email);
					return { changed, result: { unbounced }, lines: unbounced.map(unbouncedAsText) };
				};
				await changePeople(database, { emails, json }, change, because);
			});
		});
}

function unbouncedAsText({ email, left, refused }: Unbounced): string {
	if (left) return `Has left, and gets no letter: ${email}.`;
	const again =
		refused > 0
			? ` Refused letters, which \`waitlist retry ${email}\` sends again: ${refused}.`
			: "";
	return `Gets letters again: ${email}.${again}`;
}
