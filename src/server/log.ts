import { write } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isatty } from "node:tty";
import { promisify } from "node:util";
import { printable } from "./text/printable.ts";
import { MINUTE_MS } from "./time.ts";

/** Tells the operator what happened. Addresses, e-mail or IP, are never among the details. */
export type Log = (
	level: "info" | "error",
	event: string,
	details?: Record<string, unknown>,
) => void;

const STDOUT = 1;
const isTerminal = isatty(STDOUT);
const writeToFile = promisify(write);

/**
 * The pause after each write, in which lines gather for the next one. Without it most writes under
 * load would carry a single line, and a write costs more than making the line.
 */
const PAUSE_MS = 20;

/** Lines in memory at most. If the reader falls further behind, lines are dropped. */
const MOST_WAITING = 20_000;

/** Logs to standard output: as plain text where that is a terminal, otherwise as JSON lines. */
export const logToStdout: Log = (level, event, details) => {
	if (waiting.length >= MOST_WAITING) {
		lost += 1;
		return;
	}
	waiting.push(isTerminal ? printable(asText(event, details)) : asJson(level, event, details));
	writing ??= writeWaiting();
};

const waiting: string[] = [];
let lost = 0;
let writing: Promise<void> | undefined;

/** Resolves when everything logged so far is written. */
export async function logWritten(): Promise<void> {
	while (writing) await writing;
}

/**
 * Writes what gathered during the last write, one write at a time. `process.stdout` is not used: it
 * blocks this thread, and so every visitor, when the reader of a pipe is slow.
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
			// EAGAIN: a non-blocking pipe is full. Any other error: the reader is gone for good.
			if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
			await wait(10);
		}
	}
}

function asJson(level: string, event: string, details?: Record<string, unknown>): string {
	// A replacer makes each line take half as long again, and only errors need it.
	const replacer = details && "error" in details ? withErrors : undefined;
	return JSON.stringify({ time: timestamp(), level, event, ...details }, replacer);
}

/** JSON alone makes `{}` of an error. */
function withErrors(_: string, value: unknown): unknown {
	return value instanceof Error ? (value.stack ?? value.message) : value;
}

/** The message if there is one, otherwise the event and the values of its details. */
function asText(event: string, details: Record<string, unknown> = {}): string {
	if (typeof details.message === "string") return details.message;
	const values = Object.values(details).map((value) =>
		value instanceof Error ? `(${value.message})` : String(value),
	);
	return [event, ...values].join(" ");
}

let timestampMs = 0;
let timestampText = "";

/**
 * The wall clock as log and waitlist write it: ISO 8601 in UTC, with milliseconds. The text is kept
 * until the millisecond is over, because making it takes 2 to 6 µs, twice for each join.
 */
export function timestamp(): string {
	const now = Date.now();
	if (now !== timestampMs) {
		timestampMs = now;
		timestampText = new Date(now).toISOString();
	}
	return timestampText;
}

/** Lets each line through once in ten minutes: what anybody can cause must not fill the log. */
export function onceInTenMinutes(now = () => performance.now()): (line: string) => boolean {
	const loggedAt = new Map<string, number>();
	return (line) => {
		if (now() - (loggedAt.get(line) ?? Number.NEGATIVE_INFINITY) < 10 * MINUTE_MS) return false;
		loggedAt.set(line, now());
		return true;
	};
}
