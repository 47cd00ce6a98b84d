import { EXIT_CODES } from "./commands/command.ts";
import { createProgram } from "./commands/program.ts";
import { failureReason, failureSentence } from "./files/files.ts";
import { NotFound } from "./refusal.ts";
import { printable } from "./text/printable.ts";

// Makes new files readable only by their owner.
process.umask(0o077);

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	// Readers such as `head` close the pipe early.
	if (error.code === "EPIPE") process.exit(0);
	console.error(`Standard output cannot be written: ${failureReason(error)}.`);
	process.exit(1);
});

try {
	await createProgram().parseAsync();
} catch (error) {
	console.error(printable(failureSentence(error)));
	process.exitCode = error instanceof NotFound ? EXIT_CODES.notFound : EXIT_CODES.problem;
}
