import { findProgram, type Program } from "../bench/harness/browsers/find.ts";
import type { SystemFace } from "../src/tooling/fonts/system-faces.ts";

/** The regular and bold files of a face, as installable programs. */
export const facePrograms = ({ name, debianPackage, regular, bold }: SystemFace): Program[] =>
	[regular, bold].map(({ file }, index) => ({
		title: `The font ${file.split("/").at(-1)}`,
		variable: `${name.toUpperCase()}_${index === 0 ? "REGULAR" : "BOLD"}_FONT`,
		commands: [],
		places: [file],
		packages: [debianPackage],
		isRead: true,
	}));

/** Finds a face's files. On Debian, missing ones are installed. */
export const findFaceFiles = (face: SystemFace): Promise<string[]> =>
	Promise.all(facePrograms(face).map(findProgram));
