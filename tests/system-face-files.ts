import { findProgram, type Program } from "../bench/harness/browsers/find.ts";
import type { SystemFace } from "../src/tooling/fonts/system-faces.ts";

/** The files of a face, regular and bold, as what may be installed. */
export const facePrograms = ({ name, debianPackage, regular, bold }: SystemFace): Program[] =>
	[regular, bold].map(({ file }, index) => ({
		title: `The font ${file.split("/").at(-1)}`,
		variable: `${name.toUpperCase()}_${index === 0 ? "REGULAR" : "BOLD"}_FONT`,
		commands: [],
		places: [file],
		packages: [debianPackage],
		isRead: true,
	}));

/** Finds the files of a face. On Debian they are installed where they are missing. */
export const findFaceFiles = (face: SystemFace): Promise<string[]> =>
	Promise.all(facePrograms(face).map(findProgram));
