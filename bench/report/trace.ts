import type { Span } from "../probe.ts";

/**
 * Spans as a Chrome trace (Trace Event Format, "X" events, µs), which Perfetto and DevTools open: in
 * whole nanoseconds, so that a span ends where the one around it does, and by when they began, the
 * longer first.
 * @param machines spans by where they were taken; each is a process of the trace
 */
export function writeTrace(machines: Readonly<Record<string, readonly Span[]>>): string {
	const traceEvents = Object.entries(machines).flatMap(([machine, spans], index) => {
		const [pid, tid] = [index + 1, 1];
		const first = Math.min(...spans.map(([, from]) => from));
		return [
			{ ph: "M", name: "process_name", pid, tid, args: { name: machine } },
			{ ph: "M", name: "thread_name", pid, tid, args: { name: "player" } },
			...spans
				.map(([name, from, to]) => ({ name, from: whole(from - first), to: whole(to - first) }))
				.sort((a, b) => a.from - b.from || b.to - a.to)
				.map(({ name, from, to }) => ({
					...{ ph: "X", cat: "frame", name, pid, tid },
					ts: from / 1000,
					dur: (to - from) / 1000,
				})),
		];
	});
	return JSON.stringify({ displayTimeUnit: "ms", traceEvents });
}

/** Whole ns of ms. */
const whole = (ms: number) => Math.round(ms * 1e6);
