/** @module-tag slow */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { kind } from "../../given/kind.ts";
import { countOf } from "../../given/rows.ts";
import { fractions, seed } from "../chance.ts";
import { openDesk } from "../commands/desk.ts";
import { killCommand } from "../kills.ts";

const KILLS = 6;
const LINES = 60_000;

/** Lines of one transaction of an import. */
const BATCH = 2000;

it.each([kind])(
	`an import on %s leaves whole batches at each of ${KILLS} SIGKILLs, and adds the rest when repeated (seed ${seed})`,
	async (kind) => {
		const desk = await openDesk(kind);
		const { folder, json, add } = desk;
		// The first of the first batch, so that there is something to look into.
		await add("person-0@example.com");
		// 7919 is prime: the addresses come in an order far from that of their keys.
		const lines = Array.from({ length: LINES }, (_, n) => {
			return `person-${(n * 7919) % LINES}@example.com,2026-01-02T03:04:05.678Z`;
		});
		await writeFile(join(folder, "people.csv"), ["email,confirmedAt", ...lines].join("\n"));
		const count = () => countOf(desk, "people");
		const chance = fractions(seed);
		let kept = 1;
		for (let kill = 1; kill <= KILLS; kill++) {
			const until = Math.min(kept + chance.next().value * (LINES / KILLS), LINES - 2 * BATCH);
			const isAtWork = async () => (await count()) > until;
			await killCommand(desk, ["import", "people.csv"], isAtWork);
			const people = await count();
			// Nobody is there without what their line says of emails.
			const unknown = await countOf(desk, "people", { id: "" });
			expect({ left: people % BATCH, unknown }).toEqual({ left: 0, unknown: 0 });
			expect(people).toBeGreaterThan(until);
			kept = people;
		}
		const last = await json("import people.csv");
		expect(last).toMatchObject({ added: LINES - kept, duplicates: kept, refused: 0 });
		expect(await count()).toBe(LINES);
	},
);
