/** `1,000,000` */
export const figure = (n: number) => n.toLocaleString("en");

/** `1 email`, `2 emails` */
export const counted = (n: number, one: string, many = `${one}s`) =>
	`${figure(n)} ${n === 1 ? one : many}`;
