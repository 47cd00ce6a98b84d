import { createHash } from "node:crypto";
import type { ShownWords } from "#shared/shown-words.ts";
import type { SharedDatabase } from "../database/database.ts";
import { keysSql, rowsSql, sql, type Tx } from "../database/sql.ts";

/** A text that people saw. Registrations and emails store its version. */
export interface Wording {
	version: string;
	kind: "form" | "terms" | "privacy" | "email" | "page";
	said: string;
	/** Versions of the terms and the privacy policy that a form links to. */
	leadsTo: readonly string[];
}

export interface SavedWording extends Wording {
	keptAt: string;
}

export function hashWording(said: string): string {
	return createHash("sha256").update(said).digest("hex").slice(0, 12);
}

/** The form's version includes those of the legal texts, so it changes with them. */
export function createWordings(shown: ShownWords) {
	function wording(kind: Wording["kind"], said: string, leadsTo: readonly string[] = []): Wording {
		return { kind, said, leadsTo, version: hashWording(JSON.stringify([kind, said, leadsTo])) };
	}
	const legal = [wording("terms", shown.terms), wording("privacy", shown.privacy)];
	const versions = legal.map(({ version }) => version);
	const form = wording("form", shown.form, versions);
	const page = wording("page", shown.confirm);
	return { form, page, all: [...legal, form, page] };
}

export const formatTerms = (day: string, { version }: Wording) => `${day} ${version}`;

/** Returns undefined for imported people. */
export function formVersionIn(terms: string): string | undefined {
	return / ([\da-f]{12})$/.exec(terms)?.[1];
}

export type SaveWordings = () => Promise<void>;

/** Saves wordings only at first use: the server must start even if the database is read-only. */
export function createWordingSaver(
	{ all }: Pick<SharedDatabase, "all">,
	wordings: readonly Wording[],
	now = () => new Date(),
): SaveWordings {
	let keeping: Promise<unknown> | undefined;
	return async () => {
		keeping ??= all(insertWordings(wordings, now().toISOString()));
		try {
			await keeping;
		} catch (error) {
			keeping = undefined;
			throw error;
		}
	};
}

function insertWordings(wordings: readonly Wording[], now: string) {
	const rows = wordings.map(({ version, kind, said, leadsTo }) => [
		...[version, kind, said, leadsTo.join(" "), now],
	]);
	return sql`INSERT INTO wording (version, kind, said, leads_to, kept_at)
		SELECT value->>0, value->>1, value->>2, value->>3, value->>4 FROM ${rowsSql(rows)}
		WHERE TRUE ORDER BY 1
		ON CONFLICT (version) DO UPDATE SET kept_at = excluded.kept_at
		WHERE excluded.kept_at < wording.kept_at`;
}

type Row = Omit<SavedWording, "leadsTo"> & { leadsTo: string };

export async function findWordings(tx: Tx, versions: Iterable<string>): Promise<SavedWording[]> {
	const rows = await tx.all(sql<Row>`SELECT version, kind, said, leads_to AS "leadsTo",
		kept_at AS "keptAt" FROM wording WHERE version IN ${keysSql(versions)}`);
	return rows.map(({ leadsTo, ...row }) => ({ ...row, leadsTo: leadsTo.match(/\S+/g) ?? [] }));
}
