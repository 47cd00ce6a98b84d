/**
 * Defines names for numbers that are packed in vectors: TypeScript writes `frame[FRAME.time]`, and
 * the shader reads `u_time`, which is `u[2].y`.
 * @param prefix `u_` for uniforms, `a_` for attributes
 * @param vectors the name of an array of vectors, or of each vector
 * @param table names and indices; `parallaxX` and `parallaxY` also define the vector `parallax`
 */
export function glslDefines(
	prefix: string,
	vectors: string | readonly string[],
	table: Readonly<Record<string, number>>,
): string {
	const { length: _, ...fields } = table;
	const define = (name: string, index: number, count: number) => {
		const row = Math.floor(index / 4);
		const vector = typeof vectors === "string" ? `${vectors}[${row}]` : vectors[row];
		return `#define ${prefix}${name} ${vector}.${"xyzw".slice(index % 4, (index % 4) + count)}\n`;
	};
	return Object.entries(fields)
		.map(([name, index]) => {
			const pair = name.replace(/X$/, "");
			const isPair = pair !== name && fields[`${pair}Y`] === index + 1;
			return define(name, index, 1) + (isPair ? define(pair, index, 2) : "");
		})
		.join("");
}
