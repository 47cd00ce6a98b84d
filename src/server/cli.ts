import { createProgram } from "./operator/program.ts";

/** A reader may stop after the first lines of an export, as `head` does. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	process.exit(error.code === "EPIPE" ? 0 : 1);
});

try {
	await createProgram().parseAsync();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
