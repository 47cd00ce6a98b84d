/** A worker thread's module: the import provides the URL of its bundle (src/tooling/thread.ts). */
declare module "*?thread" {
	export const threadUrl: string;
}
