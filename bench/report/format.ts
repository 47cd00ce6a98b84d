/** A number as a person reads it. */
export function format(value: number): string {
	const digits =
		Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 3;
	return value.toLocaleString("en", { maximumFractionDigits: digits });
}
