import { findProgram, type Program } from "../bench/harness/browsers/find.ts";
import type { SystemFace } from "../src/tooling/fonts/system-faces.ts";

const debian: Record<string, [debianPackage: string, ...files: string[]]> = {
	Arial: [
		"fonts-liberation",
		...["liberation/LiberationSans-Regular.ttf", "liberation/LiberationSans-Bold.ttf"],
	],
	Roboto: [
		"fonts-roboto-unhinted",
		"roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
		"roboto/unhinted/RobotoTTF/Roboto-Bold.ttf",
	],
	Noto: ["fonts-noto-core", "noto/NotoSans-Regular.ttf", "noto/NotoSans-Bold.ttf"],
	DejaVu: ["fonts-dejavu-core", "dejavu/DejaVuSans.ttf", "dejavu/DejaVuSans-Bold.ttf"],
};

/** Lists a face's regular and bold file. */
export function installableFontFiles({ name }: SystemFace): Program[] {
	const [debianPackage, ...files] = debian[name]!;
	return files.map((file, index) => ({
		title: `The font ${file.split("/").at(-1)}`,
		variable: `${name.toUpperCase()}_${index === 0 ? "REGULAR" : "BOLD"}_FONT`,
		commands: [],
		places: [`/usr/share/fonts/truetype/${file}`],
		packages: [debianPackage],
		isFont: true,
	}));
}

export const findFaceFiles = (face: SystemFace): Promise<string[]> =>
	Promise.all(installableFontFiles(face).map(findProgram));
