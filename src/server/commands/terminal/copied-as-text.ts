import type { Copied } from "../../transfer/copy.ts";
import type { Rows } from "../../transfer/copy-letters.ts";

/** Says to the operator how a copy went. */
export function copiedAsText({ added, erased, comparison }: Copied, place: string): string {
	const { source, target, onlyInTarget, different, letters, same } = comparison;
	return [
		`rows added to ${place}: ${added}`,
		`rows of the source: ${source.rows}, hash ${source.hash}`,
		`of these in the target: ${target.rows}, hash ${target.hash}`,
		...(onlyInTarget > 0 ? [`only in the target: ${onlyInTarget}`] : []),
		...(different > 0 ? [`different, and left as they are in the target: ${different}`] : []),
		...(erased > 0 ? [`left out because they were erased: ${erased}`] : []),
		...(letters
			? [
					rowsAsText("letters", letters.letters),
					rowsAsText("people written to", letters.recipients),
					...(letters.waves.source > 0 ? [rowsAsText("waves", letters.waves)] : []),
				]
			: []),
		same ? "Both are the same, row for row." : "They are not the same.",
	].join("\n");
}

function rowsAsText(name: string, { source, target, later }: Rows): string {
	const more = later > 0 ? `, which knows more of ${later}` : "";
	return `${name} in the source: ${source}, of these in the target: ${target}${more}`;
}
