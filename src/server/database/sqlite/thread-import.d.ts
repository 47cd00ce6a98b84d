/** A module to run in a worker thread: the import gives the URL of its bundle (src/tooling/thread.ts). */
declare module "*?thread" {
	export const threadUrl: string;
}
