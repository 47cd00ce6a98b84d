import type { brand } from "#brand";
import type { Finding } from "../database/database.ts";
import { Refusal } from "../refusal.ts";

/** What is read of `src/brand.ts`. */
export type Facts = typeof brand;

const POSTAL_ADDRESS = "postal address";
const IMPRINT = "imprint";

/** Who writes, as far as `src/brand.ts` says so. */
export const imprintOf = (facts: Facts): Finding[] => [postalAddress(facts), register(facts)];

/** Which open points keep emails from saying who writes. */
export function missingImprint(open: readonly Finding[]): Finding[] {
	return open.filter(({ name }) => name === POSTAL_ADDRESS || name === IMPRINT);
}

/**
 * Emails to many must say who writes, and where post reaches them: in the United States by CAN-SPAM
 * (15 U.S.C. 7704), in Germany by § 5 DDG.
 *
 * @param open what is not there of {@link imprintOf}
 * @throws Refusal if the emails would not say so
 */
export function refuseWithoutImprint(open: readonly Finding[]): void {
	const missing = missingImprint(open);
	if (missing.length === 0) return;
	throw new Refusal(
		[
			"Nothing was sent. The emails would not name their sender, which many countries require by law:",
			...missing.map(({ name, found }) => `${name}: ${found}`),
			"To send without: tick the box on the page of a new wave, or use --no-imprint.",
		].join("\n"),
	);
}

function postalAddress({ postalAddress }: Facts): Finding {
	const missing =
		"commercial mail must name one (in the United States by CAN-SPAM): set postalAddress in " +
		"src/brand.ts, and build again";
	return {
		name: POSTAL_ADDRESS,
		ok: postalAddress !== "",
		found: postalAddress || missing,
	};
}

/** A register must be named by 2000/31/EC, article 5, and by laws like it. */
function register({ imprint, country }: Facts): Finding {
	const found =
		imprint.join(", ") ||
		(/United States/.test(country)
			? "none, which the United States do not ask for"
			: "many countries want a register and its number read beside the company: set imprint in src/brand.ts");
	return { name: IMPRINT, ok: imprint.length > 0 || /United States/.test(country), found };
}
