/** A number as a person reads it. */
export function format(value: number): string {
	const digits =
		Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 2 : 3;
	return value.toLocaleString("en", { maximumFractionDigits: digits });
}

/** The share of the processor that the machine's host took, 0 to 1, in words. */
export const sayStolen = (share: number) => `host took ${Math.round(share * 100)} %`;
