/** Formats a number for GLSL: always with a point. */
export function float(value: number): string {
	const text = value.toString();
	return /[.e]/.test(text) ? text : `${text}.0`;
}
