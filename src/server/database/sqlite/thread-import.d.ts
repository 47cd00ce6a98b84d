/** Module for a worker thread: the import returns its bundle's URL (src/tooling/thread.ts). */
declare module "*?thread" {
	export const threadUrl: string;
}
