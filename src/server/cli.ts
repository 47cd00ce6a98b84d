import { reasonOf, sentenceOf } from "./operator/files/files.ts";
import { createProgram } from "./operator/program.ts";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	// A reader may stop after the first lines of an export, as `head` does.
	if (error.code === "EPIPE") process.exit(0);
	console.error(`Standard output cannot be written: ${reasonOf(error)}.`);
	process.exit(1);
});

try {
	await createProgram().parseAsync();
} catch (error) {
	console.error(sentenceOf(error));
	process.exitCode = 1;
}
