import { type Command, InvalidArgumentError } from "commander";
import { type Unbounced, unbounce } from "../mail/feedback/unbounce.ts";
import { keysOfBounced } from "../registrations/recipients.ts";
import { changePeople } from "./terminal/change-people.ts";
import { JSON_HELP, withDatabase } from "./terminal/command.ts";

/** Adds `waitlist unbounce`: an address exists after all. */
export function addUnbounce(program: Command): void {
	program
		.command("unbounce [emails...]")
		.summary("write again to people whose address exists after all")
		.description(
			"Takes back that these addresses do not exist, where a mail server was wrong. These people get " +
				"letters again from now on. Nothing is sent by this: `waitlist retry` with an address sends " +
				"again what was refused.",
		)
		.option(
			"--reply <codes>",
			"everybody who bounced with this reply, as in 5.1.1 or '550 5.1.1'",
			like(/^(?:(?:\d{3}|later) )?5\.\d{1,3}\.\d{1,3}$/, "the codes of a reply, as in 5.1.1"),
		)
		.option(
			"--day <day>",
			"everybody who bounced on this day in UTC, as in 2026-11-21",
			like(/^\d{4}-\d\d-\d\d$/, "a day, as in 2026-11-21"),
		)
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { reply = "", day = "", json }, command: Command) => {
			const choosing = reply !== "" || day !== "";
			if (choosing === emails.length > 0) {
				command.error("error: name addresses, or use --reply or --day, but not both");
			}
			await withDatabase(async ({ database, now }) => {
				const because = (reason: string) => `this address has not bounced; ${reason}`;
				const change = async (named: readonly string[]) => {
					const keys = choosing ? await keysOfBounced(database.query, reply, day) : named;
					const unbounced = await database.transact(unbounce, { keys, now });
					const changed = unbounced.map(({ email }) => email);
					const nobody =
						choosing && changed.length === 0
							? ["Nobody bounced with this reply or on this day."]
							: [];
					const lines = [...unbounced.map(unbouncedAsText), ...nobody];
					return { changed, result: { unbounced }, lines };
				};
				await changePeople(database, { emails, json }, change, because);
			});
		});
}

/** A parser of option values of a form. */
function like(form: RegExp, expected: string): (text: string) => string {
	return (text) => {
		if (form.test(text)) return text;
		throw new InvalidArgumentError(`It must be ${expected}.`);
	};
}

function unbouncedAsText({ email, left, refused }: Unbounced): string {
	if (left) return `Has left, and gets no letter: ${email}.`;
	const again =
		refused > 0
			? ` Refused letters, which \`waitlist retry ${email}\` sends again: ${refused}.`
			: "";
	return `Gets letters again: ${email}.${again}`;
}
