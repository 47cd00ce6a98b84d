declare module "*?worker&url" {
	const url: string;
	// biome-ignore lint/style/noDefaultExport: Vite's module has no other export.
	export default url;
}
