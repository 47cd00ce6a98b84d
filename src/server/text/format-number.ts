/** `1,000,000` */
export const formatNumber = (n: number) => n.toLocaleString("en");

/** `1 email`, `2 emails` */
export const formatCount = (n: number, one: string, many = `${one}s`) =>
	`${formatNumber(n)} ${n === 1 ? one : many}`;
