import { type Command, InvalidArgumentError } from "commander";
import { brand } from "#brand";
import { backupDays, waitlistMonths } from "#shared/retention.ts";
import { inOrderOfTime, keyOf } from "./database/registrations.ts";
import { type Erasing, type Erasure, eraseKeys } from "./erasure.ts";
import { EXIT, JSON_HELP, type Operation, print, wholeNumber, withDatabase } from "./operation.ts";
import { monthsBefore } from "./time.ts";

/** Adds `waitlist erase`: deletes people by address or by age. */
export function addErase(program: Command): void {
	program
		.command("erase [emails...]")
		.summary("delete people for good, by any spelling of their addresses")
		.description(
			"Deletes people for good, by any spelling of their addresses. Prints a receipt, which answers " +
				"a GDPR or CCPA request, and keeps a proof that does not hold the address.",
		)
		.option("--reason <text>", "kept with the proof", reason, "on request")
		.option(
			"--older-than <months>",
			`everybody who joined so many months ago or earlier (the privacy policy says ${waitlistMonths})`,
			wholeNumber,
		)
		.option("--json", JSON_HELP)
		.action(async (emails: string[], { reason, olderThan, json }, command: Command) => {
			if (emails.length > 0 === (olderThan !== undefined)) {
				command.error("error: name the addresses to erase, or use --older-than, but not both");
			}
			await withDatabase(async (operation) => {
				const { codes, now } = operation;
				const erasing = { codeOf: codes(), erasedAt: now.toISOString(), reason };
				if (olderThan !== undefined) {
					const joinedBefore = monthsBefore(now, olderThan);
					const erased = await eraseOlderThan(operation, joinedBefore, erasing);
					const receipt = { erased, joinedBefore, erasedAt: erasing.erasedAt };
					print(json, receipt, () => `${erased} erased: all who joined before ${joinedBefore}.`);
					return;
				}
				const erased = await eraseAddresses(operation, emails, erasing);
				print(json, erased, () => erasedAsText(erased));
				if (erased.notFound.length > 0) process.exitCode = EXIT.notFound;
			});
		});
}

/** An address in the reason would undo the erasure. */
function reason(text: string): string {
	if (text.length > 0 && text.length <= 100 && !text.includes("@")) return text;
	throw new InvalidArgumentError("It must be 1 to 100 characters, and no address.");
}

/** The operator's answer to a request. Nothing else holds the address. */
interface Receipt extends Erasure {
	email: string;
}

interface Receipts {
	receipts: Receipt[];
	notFound: string[];
}

async function eraseAddresses(
	{ database }: Operation,
	emails: readonly string[],
	erasing: Erasing,
): Promise<Receipts> {
	const byCode = new Map(emails.map((email) => [erasing.codeOf(keyOf(email)), email]));
	const erasures = await eraseKeys(database, emails.map(keyOf), erasing);
	const receipts = erasures.map((proof) => ({ email: byCode.get(proof.code)!, ...proof }));
	const erased = new Set(erasures.map(({ code }) => code));
	const notFound = [...byCode].filter(([code]) => !erased.has(code)).map(([, email]) => email);
	return { receipts, notFound };
}

/** @param joinedBefore ISO 8601 */
async function eraseOlderThan(
	{ database, progress }: Operation,
	joinedBefore: string,
	erasing: Erasing,
): Promise<number> {
	let erased = 0;
	for await (const page of inOrderOfTime(database.query, { until: joinedBefore })) {
		const keys = page.map(({ key }) => key);
		erased += (await eraseKeys(database, keys, erasing)).length;
		progress.show("erased", erased, 0);
	}
	progress.end();
	return erased;
}

function erasedAsText({ receipts, notFound }: Receipts): string {
	return [
		...receipts.map(
			({ email, code, erasedAt, reason }) =>
				`Receipt\n  erased: ${email}, from the waitlist of ${brand.product} (${brand.company})\n` +
				`  on:     ${erasedAt}\n  reason: ${reason}\n  proof:  ${code}\n` +
				`  Backups made before may hold it for up to ${backupDays} days. A restore from one\n` +
				"  leaves it out.",
		),
		...notFound.map((email) => `Not on the waitlist: ${email}`),
	].join("\n\n");
}
