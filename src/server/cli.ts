import { EXIT } from "./commands/command.ts";
import { createProgram } from "./commands/program.ts";
import { reasonOf, sentenceOf } from "./files/files.ts";
import { NotFound } from "./refusal.ts";
import { printable } from "./text/printable.ts";

// Makes new files readable only by their owner.
process.umask(0o077);

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	// Readers such as `head` close the pipe early.
	if (error.code === "EPIPE") process.exit(0);
	console.error(`Standard output cannot be written: ${reasonOf(error)}.`);
	process.exit(1);
});

try {
	await createProgram().parseAsync();
} catch (error) {
	console.error(printable(sentenceOf(error)));
	process.exitCode = error instanceof NotFound ? EXIT.notFound : EXIT.problem;
}
