/**
 * Names the numbers that are packed in vectors: the page writes `frame[FRAME.time]`, and the shader
 * reads `u_time`, defined here as `u[2].y`. The build expands these names.
 * @param prefix `u_` for uniforms, `a_` for attributes
 * @param vectors an array of vectors, or the name of each
 * @param table neighbors such as `parallaxX` and `parallaxY` are also the vector `parallax`
 */
export function glslNames(
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
