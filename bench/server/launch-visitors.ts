import { once } from "node:events";
import { Agent, request } from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import { JOIN_PATH } from "#shared/join.ts";

/** ms that visitors look at the page before they join, and until they leave. */
const TYPING_MS = 4000;
const STAY_MS = 12_000;

/** Every 25th visitor joins, and every tenth of those from one address: a hall, or an office. */
const OPENS_PER_JOIN = 25;
const JOINS_PER_VENUE = 10;
const VENUE = "127.200.0.1";

/** Makes the server count a visit. */
const BROWSER = { accept: "text/html", "user-agent": "Mozilla/5.0 Chrome/150.0" };

interface Felt {
	/** From the moment it was due. */
	ms: number;
	/** 0 without a response. For an open, the status of a missing file, if any. */
	status: number;
}

export interface Launch {
	opens: Felt[];
	joins: Felt[];
	/** Connections that nginx had closed when a visitor reused theirs: a browser opens a new one. */
	reopened: number;
	mostAtOnce: number;
}

/** Load relative to the peak: it rises within a twentieth of the hour and halves every third. */
const shape = (share: number) => (share < 0.05 ? share / 0.05 : 2 ** (-(share - 0.05) / 0.33));

/**
 * By TLS through nginx, each with a separate connection and loopback address, at their rate however
 * slow the responses are.
 * @param peak maximum opens per second
 */
export async function launch(
	place: { port: number; certificate: Buffer },
	{ seconds, peak }: { seconds: number; peak: number },
): Promise<Launch> {
	const felt: Launch = { opens: [], joins: [], reopened: 0, mostAtOnce: 0 };
	const visits = new Set<Promise<void>>();
	const began = performance.now();
	let due = 0;
	let number = 0;
	for (let at = 0; at < seconds * 1000; at = performance.now() - began) {
		while (due < at) {
			const visiting = visit(place, felt, { number: number++, due: began + due });
			visits.add(visiting);
			void visiting.finally(() => visits.delete(visiting));
			due += 1000 / Math.max(1, peak * shape(due / seconds / 1000));
		}
		felt.mostAtOnce = Math.max(felt.mostAtOnce, visits.size);
		await wait(4);
	}
	await Promise.all(visits);
	return felt;
}

async function visit(
	{ port, certificate }: { port: number; certificate: Buffer },
	felt: Launch,
	{ number, due }: { number: number; due: number },
): Promise<void> {
	const joins = number % OPENS_PER_JOIN === 0;
	const fromVenue = joins && (number / OPENS_PER_JOIN) % JOINS_PER_VENUE === 0;
	const own = `127.${100 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
	const agent = new Agent({
		keepAlive: true,
		maxSockets: 1,
		host: "127.0.0.1",
		port,
		ca: certificate,
		servername: "localhost",
		localAddress: fromVenue ? VENUE : own,
	});
	async function ask(path: string, email?: string): Promise<{ status: number; body: string }> {
		const body = email && JSON.stringify({ email, source: "bench" });
		const headers = {
			host: "orbit.example",
			...(body ? { "content-type": "application/json" } : BROWSER),
		};
		const sent = request({ agent, path, method: body ? "POST" : "GET", headers });
		sent.end(body);
		try {
			const [answer] = await once(sent, "response");
			return { status: answer.statusCode, body: String(Buffer.concat(await answer.toArray())) };
		} catch {
			if (!sent.reusedSocket) return { status: 0, body: "" };
			felt.reopened += 1;
			return ask(path, email);
		}
	}
	const page = await ask("/");
	const open = { ms: performance.now() - due, status: page.status };
	felt.opens.push(open);
	for (const file of new Set(page.body.match(/\/assets\/[\w-]+\.(?:js|woff2)/g))) {
		const { status } = await ask(file);
		if (status !== 200) open.status = status;
	}
	if (joins) {
		await wait(TYPING_MS);
		const typed = performance.now();
		const { status } = await ask(JOIN_PATH, `visitor-${number}@site-${number}.example`);
		felt.joins.push({ ms: performance.now() - typed, status });
	}
	await wait(Math.max(0, due + STAY_MS - performance.now()));
	agent.destroy();
}
