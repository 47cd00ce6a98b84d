/** Shader text. Numbers get the decimal point that GLSL requires; lists become arguments. */
export function glsl(
	{ raw }: TemplateStringsArray,
	...values: (string | number | readonly number[])[]
): string {
	const texts = values.map((value) =>
		typeof value === "string" ? value : [value].flat().map(withPoint).join(", "),
	);
	return String.raw({ raw }, ...texts);
}

function withPoint(value: number): string {
	const text = value.toString();
	return /[.e]/.test(text) ? text : `${text}.0`;
}

/** GLSL that interpolates between two numbers by a share from 0 to 1. */
export const glslMix = (range: readonly number[], share: string): string =>
	glsl`mix(${range}, ${share})`;
