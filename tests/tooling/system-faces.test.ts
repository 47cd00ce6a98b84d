import { readFile } from "node:fs/promises";
import { Blob, Face, Font } from "harfbuzzjs";
import { expect, test } from "vitest";
import { systemFaces } from "../../src/tooling/fonts/system-faces.ts";
import { findFaceFiles } from "../system-face-files.ts";

const fullName = 4;
const postScriptName = 6;

test.each(systemFaces)(
	"the table has the widths and names of $name's own files",
	async (system) => {
		const files = await findFaceFiles(system);
		for (const [index, style] of [system.regular, system.bold].entries()) {
			const face = new Face(new Blob(await readFile(files[index]!)));
			const font = new Font(face);
			const advances = Array.from({ length: 95 }, (_, i) =>
				font.glyphHAdvance(font.nominalGlyph(32 + i)!),
			);
			expect(face.upem).toBe(style.unitsPerEm);
			expect(advances.join(" ")).toBe(style.advances);
			expect(style.names).toContain(face.getName(fullName, "en"));
			expect(style.names).toContain(face.getName(postScriptName, "en"));
		}
	},
);
