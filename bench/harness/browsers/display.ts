import { findProgram } from "./find.ts";
import { start } from "./program.ts";

export const xvfb = {
	title: "Xvfb",
	variable: "XVFB_PATH",
	commands: ["Xvfb"],
	packages: ["xvfb"],
};

/** A private display: windows need no screen and bother nobody. */
export interface Display {
	/** Environment that a program needs to draw there. */
	readonly environment: { readonly DISPLAY?: string };
	close(): Promise<void>;
}

/** Starts a display on Linux, where Firefox has no WebGL without one. */
export async function openDisplay(): Promise<Display> {
	if (process.platform !== "linux") return { environment: {}, close: async () => {} };
	// It picks a free number and writes it to its standard output.
	const size = ["-screen", "0", "1280x800x24"];
	const server = start(await findProgram(xvfb), ["-displayfd", "1", "-nolisten", "tcp", ...size]);
	const [, number] = await server.waitFor(/^(\d+)$/m);
	return { environment: { DISPLAY: `:${number}` }, close: server.end };
}
