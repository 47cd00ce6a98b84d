/** Tells the operator what happened. Addresses, e-mail or IP, are never among the details. */
export type Report = (
	level: "info" | "error",
	event: string,
	details?: Record<string, unknown>,
) => void;

/** Writes reports to standard output: for a person where that is a terminal, else as JSON lines. */
export const reportToStdout: Report = (level, event, details) => {
	write(process.stdout.isTTY ? asText(event, details) : asJson(level, event, details));
};

const lines: string[] = [];
process.on("exit", flush);

/** One call of the system for all that a turn of the event loop says, not one for each request. */
function write(line: string): void {
	if (lines.length === 0) setImmediate(flush);
	lines.push(line);
}

function flush(): void {
	if (lines.length > 0) process.stdout.write(`${lines.splice(0).join("\n")}\n`);
}

function asJson(level: string, event: string, details?: Record<string, unknown>): string {
	const line = { time: new Date().toISOString(), level, event, ...details };
	return JSON.stringify(line, writeErrors);
}

/** JSON has no errors: they would come out as `{}`. */
function writeErrors(_key: string, value: unknown): unknown {
	if (!(value instanceof Error)) return value;
	return value.stack ?? value.message;
}

/** The sentence if there is one, and otherwise what happened with the values of its details. */
function asText(event: string, details: Record<string, unknown> = {}): string {
	if (typeof details.message === "string") return details.message;
	const values = Object.values(details).map((value) =>
		value instanceof Error ? `(${value.message})` : String(value),
	);
	return [event, ...values].join(" ");
}
