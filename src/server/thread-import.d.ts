/** A module to run in a worker thread, or in a process of its own: the import gives the URL of its bundle (src/tooling/thread.ts). */
declare module "*?thread" {
	export const threadUrl: string;
}
