import { write } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isatty } from "node:tty";
import { promisify } from "node:util";
import { timestamp } from "./timestamp.ts";

/** Tells the operator what happened. Addresses, e-mail or IP, are never among the details. */
export type Report = (
	level: "info" | "error",
	event: string,
	details?: Record<string, unknown>,
) => void;

const STDOUT = 1;
const isTerminal = isatty(STDOUT);
const writeToFile = promisify(write);

/**
 * The pause after a call of the system, in which lines gather for the next one. Under load most
 * calls would take a single line with them, and each costs more than making it.
 */
const PAUSE_MS = 20;

/** About as many lines as a collector may be behind before lines are lost instead of memory. */
const MOST_WAITING = 20_000;

/** Writes reports to standard output: for a person where that is a terminal, else as JSON lines. */
export const reportToStdout: Report = (level, event, details) => {
	if (waiting.length >= MOST_WAITING) {
		lost += 1;
		return;
	}
	waiting.push(isTerminal ? asText(event, details) : asJson(level, event, details));
	writing ??= writeWaiting();
};

const waiting: string[] = [];
let lost = 0;
let writing: Promise<void> | undefined;

/** Resolves when everything that was reported is written. */
export async function reportsWritten(): Promise<void> {
	while (writing) await writing;
}

/**
 * Writes what has gathered while the last call of the system was under way, one call after the
 * other and none of them on this thread: `process.stdout` would wait for a slow reader of a pipe,
 * and all visitors with it.
 */
async function writeWaiting(): Promise<void> {
	await null;
	while (waiting.length > 0) {
		const lines = waiting.splice(0);
		if (lost > 0) lines.push(asJson("error", "log lines lost", { lines: lost }));
		lost = 0;
		await writeAll(Buffer.from(`${lines.join("\n")}\n`));
		await wait(PAUSE_MS);
	}
	writing = undefined;
}

async function writeAll(bytes: Buffer): Promise<void> {
	for (let rest = bytes; rest.length > 0; ) {
		try {
			const { bytesWritten } = await writeToFile(STDOUT, rest);
			rest = rest.subarray(bytesWritten);
		} catch (error) {
			// A full pipe that does not block; anything else is a reader who has gone for good.
			if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
			await wait(10);
		}
	}
}

/** Written value by value, which takes half the time of an object made for the purpose. */
function asJson(level: string, event: string, details: Record<string, unknown> = {}): string {
	let line = `{"time":"${timestamp()}","level":"${level}","event":${JSON.stringify(event)}`;
	for (const name in details) {
		const value = details[name];
		if (value === undefined) continue;
		// JSON has no errors: they would come out as `{}`.
		const told = value instanceof Error ? (value.stack ?? value.message) : value;
		line += `,${JSON.stringify(name)}:${JSON.stringify(told)}`;
	}
	return `${line}}`;
}

/** The sentence if there is one, and otherwise what happened with the values of its details. */
function asText(event: string, details: Record<string, unknown> = {}): string {
	if (typeof details.message === "string") return details.message;
	const values = Object.values(details).map((value) =>
		value instanceof Error ? `(${value.message})` : String(value),
	);
	return [event, ...values].join(" ");
}
