import { findProgram } from "./find.ts";
import { startProgram } from "./program.ts";

export const xvfbProgram = {
	title: "Xvfb",
	variable: "XVFB_PATH",
	commands: ["Xvfb"],
	packages: ["xvfb"],
};

export interface Display {
	readonly environment: { readonly DISPLAY?: string };
	close(): Promise<void>;
}

/** Starts a virtual display on Linux, where Firefox has no WebGL without one. */
export async function openDisplay(): Promise<Display> {
	if (process.platform !== "linux") return { environment: {}, close: async () => {} };
	// With `-displayfd`, Xvfb picks a free display number and prints it.
	const size = ["-screen", "0", "1280x800x24"];
	const server = startProgram(await findProgram(xvfbProgram), [
		"-displayfd",
		"1",
		"-nolisten",
		"tcp",
		...size,
	]);
	const [, number] = await server.waitFor(/^(\d+)$/m);
	return { environment: { DISPLAY: `:${number}` }, close: server.end };
}
