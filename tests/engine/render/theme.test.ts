import { expect, test } from "vitest";
import { THEME } from "../../../bench/harness/theme.ts";
import { sphereVertex } from "../../../engine/render/gl/sphere.glsl.ts";
import { glslColours } from "../../../engine/render/theme.ts";

const declared = (text: string) =>
	[...text.matchAll(/const vec3 (\w+)=vec3\(/g)].map(([, name]) => name!);

test("every theme color is declared and used by the shader", () => {
	const names = declared(glslColours(THEME.colours));
	expect(names).toHaveLength(Object.values(THEME.colours).flat().length);
	for (const name of names) expect(sphereVertex).toMatch(new RegExp(`\\b${name}\\b`));
	const mixed = sphereVertex.match(
		/\b(?:morning|dawn|between|night|dusk|silk|shade|sheen|halo)_\d\b/g,
	);
	expect(new Set(mixed)).toEqual(new Set(names));
});

test("colors are declared by channels from 0 to 1", () => {
	const colours = { ...THEME.colours, shade: ["#ff0033"] };
	expect(glslColours(colours)).toContain("const vec3 shade_0=vec3(1,0,0.2);");
});
