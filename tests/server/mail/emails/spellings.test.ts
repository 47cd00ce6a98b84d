import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../../src/server/database/open-database.ts";
import { mailboxOf, otherSpellings } from "../../../../src/server/registrations/mailbox.ts";
import { given } from "../../../given/given.ts";
import { kind } from "../../../given/kind.ts";
import { fractions } from "../../chance.ts";
import { placeOf, usePostgres } from "../../registrations/databases.ts";

const cluster = usePostgres();

const SEED = 11;

it(`finds every spelling of a mailbox, and nothing else, on ${kind} (seed ${SEED})`, async () => {
	const { settings } = await placeOf(kind, cluster());
	const database = await openDatabase(settings, { create: true });
	onTestFinished(() => database.close());
	const random = fractions(SEED);
	const one = <Item>(items: readonly Item[]): Item =>
		items[Math.floor(random.next().value * items.length)]!;
	/** Few names and domains, so that many keys share a mailbox or nearly do. */
	const made = () => {
		const letters = [...one(["ada", "adam", "ad", "aada", "zoë", "a-da", "%"])];
		const dotted = letters.map((letter) => one(["", "", ".", ".."]) + letter).join("");
		const local = dotted + one(["", "", ".", "+", "+1", "+a.b", "+1+2"]);
		return `${local}@${one(["gmail.com", "googlemail.com", "example.com", "a.example.com"])}`;
	};
	const keys = [...new Set(Array.from({ length: 200 }, made))];
	const onList = keys.slice(0, 100);
	await given.people(
		database,
		onList.map((email) => ({ email })),
	);
	let found = 0;
	for (const key of keys) {
		const others = onList.filter((other) => other !== key && mailboxOf(other) === mailboxOf(key));
		expect(await otherSpellings(database, key), key).toEqual(others.sort());
		found += others.length;
	}
	expect(found).toBeGreaterThan(50);
});
