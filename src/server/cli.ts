import { EXIT } from "./commands/command.ts";
import { createProgram } from "./commands/program.ts";
import { reasonOf, sentenceOf } from "./files/files.ts";
import { NotFound } from "./refusal.ts";
import { printable } from "./text/printable.ts";

// New files are readable for their owner only, from their first moment.
process.umask(0o077);

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	// A reader may stop after the first lines of an export, as `head` does.
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
