/** `1,000,000` */
export const figure = (n: number) => n.toLocaleString("en");
