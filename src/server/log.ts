import { write } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { isatty } from "node:tty";
import { promisify } from "node:util";
import { printable } from "./text/printable.ts";
import { isoOf, MINUTE_MS } from "./time.ts";

/** Logs an event. Details never contain email or IP addresses. */
export type Log = (
	level: "info" | "error",
	event: string,
	details?: Record<string, unknown>,
) => void;

const STDOUT = 1;
const isTerminal = isatty(STDOUT);
const writeToFile = promisify(write);

/** Collects lines for this long: one write costs more than formatting a line. */
const PAUSE_MS = 20;

const MOST_WAITING = 20_000;

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

export async function flushLog(): Promise<void> {
	while (writing) await writing;
}

/** `process.stdout` would block this thread, and so all visitors, if a pipe's reader is slow. */
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
	// A replacer makes formatting 50 % slower, and only errors need one.
	const replacer = details && "error" in details ? withErrors : undefined;
	return JSON.stringify({ time: isoOf(Date.now()), level, event, ...details }, replacer);
}

function withErrors(_: string, value: unknown): unknown {
	return value instanceof Error ? (value.stack ?? value.message) : value;
}

function asText(event: string, details: Record<string, unknown> = {}): string {
	if (typeof details.message === "string") return details.message;
	const values = Object.values(details).map((value) =>
		value instanceof Error ? `(${value.message})` : String(value),
	);
	return [event, ...values].join(" ");
}

export function trackOutage(log: Log, failure: string, recovery: string) {
	let isFailing = false;
	return {
		isFailing: () => isFailing,
		fail(details: Record<string, unknown>): void {
			if (!isFailing) log("error", failure, details);
			isFailing = true;
		},
		recover(): void {
			if (isFailing) log("info", recovery);
			isFailing = false;
		},
	};
}

/** Allows each line once per ten minutes, so that strangers cannot fill the log. */
export function createLogThrottle(): (line: string) => boolean {
	const loggedAt = new Map<string, number>();
	return (line) => {
		const now = performance.now();
		if (now - (loggedAt.get(line) ?? Number.NEGATIVE_INFINITY) < 10 * MINUTE_MS) return false;
		loggedAt.set(line, now);
		return true;
	};
}
