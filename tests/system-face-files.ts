import { findProgram } from "../bench/harness/browsers/find.ts";
import type { SystemFace } from "../src/tooling/system-faces.ts";

/** The files of a face, regular and bold. On Debian they are installed where they are missing. */
export function findFaceFiles({
	name,
	debianPackage,
	regular,
	bold,
}: SystemFace): Promise<string[]> {
	return Promise.all(
		[regular, bold].map(({ file }, index) =>
			findProgram({
				title: `The font ${file.split("/").at(-1)}`,
				variable: `${name.toUpperCase()}_${index === 0 ? "REGULAR" : "BOLD"}_FONT`,
				commands: [],
				places: [file],
				packages: [debianPackage],
				isRead: true,
			}),
		),
	);
}
