/** Tells the operator what happened. Addresses, e-mail or IP, are never among the details. */
export type Report = (
	level: "info" | "error",
	event: string,
	details?: Record<string, unknown>,
) => void;

/** Writes reports to standard output, one JSON object a line. */
export const reportToStdout: Report = (level, event, details) => {
	const line = { time: new Date().toISOString(), level, event, ...details };
	process.stdout.write(`${JSON.stringify(line, writeErrors)}\n`);
};

/** JSON has no errors: they would come out as `{}`. */
function writeErrors(_key: string, value: unknown): unknown {
	if (!(value instanceof Error)) return value;
	return value.stack ?? value.message;
}
