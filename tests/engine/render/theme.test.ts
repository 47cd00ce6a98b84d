import { expect, test } from "vitest";
import { THEME } from "../../../engine/default-theme.ts";
import { sphereVertex } from "../../../engine/render/gl/sphere.glsl.ts";
import { glslColors } from "../../../engine/render/theme.ts";

const declared = (text: string) =>
	[...text.matchAll(/const vec3 (\w+)=vec3\(/g)].map(([, name]) => name!);

test("every theme color is declared and used by the shader", () => {
	const names = declared(glslColors(THEME.colors));
	expect(names).toHaveLength(Object.values(THEME.colors).flat().length);
	for (const name of names) expect(sphereVertex).toMatch(new RegExp(`\\b${name}\\b`));
	const mixed = sphereVertex.match(
		new RegExp(`\\b(?:${Object.keys(THEME.colors).join("|")})_\\d\\b`, "g"),
	);
	expect(new Set(mixed)).toEqual(new Set(names));
});

test("colors are declared by channels from 0 to 1", () => {
	const colors = { ...THEME.colors, shade: ["#ff0033"] };
	expect(glslColors(colors)).toContain("const vec3 shade_0=vec3(1,0,0.2);");
});
