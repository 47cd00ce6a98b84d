/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number];

export function rgb(color: string): Rgb {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
		Number.parseInt(color.slice(at, at + 2), 16),
	);
	return [red, green, blue];
}
