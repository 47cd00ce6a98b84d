import type { Command } from "commander";
import { type Unbounced, unbounce } from "../letters/bounces/unbounce.ts";
import { findPeople } from "../waitlist/registrations.ts";
import { EXIT, JSON_HELP, notFoundAsText, print, withDatabase } from "./terminal/command.ts";
import { reasonsOf, unchangedAsText } from "./terminal/reasons.ts";

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
				const { keys, notFound } = await findPeople(database, emails);
				const unbounced = await unbounce(database, keys, now);
				const others = keys.filter((key) => !unbounced.some(({ email }) => email === key));
				const unchanged = (await reasonsOf(database, others)).map(({ email, reason }) => ({
					email,
					reason: `this address has not bounced; ${reason}`,
				}));
				print(json, { unbounced, unchanged, notFound }, () =>
					[
						...unbounced.map(unbouncedAsText),
						...unchangedAsText(unchanged),
						...notFoundAsText(notFound),
					].join("\n"),
				);
				if (notFound.length > 0) process.exitCode = EXIT.notFound;
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
