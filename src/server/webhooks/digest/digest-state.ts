import { lockNote, type Note, readNote, writeNote } from "../../database/notes.ts";
import type { Query } from "../../database/statement.ts";
import type { Tx } from "../../database/transaction.ts";
import type { Told } from "./digest.ts";

/** What the team was told, over all copies of the server. */
export interface DigestState extends Told {
	/** Until when joins were counted, ISO 8601. */
	until: string;
	/** No digest is sent before, ISO 8601. */
	nextAt: string;
	/** Joins that limits of all copies refused since, and from how many networks one of them saw. */
	refused: number;
	networks: number;
}

const DIGEST: Note<DigestState> = { name: "digest" };

/** Undefined before the first digest. */
export const readDigestState = (query: Query) => readNote(query, DIGEST);

/** Another state of the digest. */
interface Change {
	/** `until` of the state that it replaces; undefined for the first one. */
	of: string | undefined;
	to: Omit<DigestState, "refused" | "networks">;
	/** Refused joins to add; negative for those that the digest reports. */
	refused: number;
	networks: number;
}

/** Replaces the state, unless another copy of the server was faster. Returns whether it did. */
export async function changeDigest(
	{ query }: Tx,
	{ of, to, refused, networks }: Change,
): Promise<boolean> {
	const state = await lockNote(query, DIGEST);
	if (state?.until !== of) return false;
	const left = (state?.refused ?? 0) + refused;
	const most = left === 0 ? 0 : Math.max(state?.networks ?? 0, networks);
	await writeNote(query, DIGEST, { ...to, refused: left, networks: most });
	return true;
}
