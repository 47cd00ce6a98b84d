import { connect } from "node:net";
import { beforeAll, expect, it } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { createApp } from "../../../src/server/app.ts";
import type { Answered } from "../../../src/server/http/requests.ts";
import { type RegisterSettings, registration } from "../../../src/server/join/join.ts";
import { type Listening, listen } from "../../../src/server/listen.ts";
import { createChance, type Hostile, makeHostile } from "../http/hostile.ts";

/** HOSTILE_SEED replays one. */
const seed = Number(process.env.HOSTILE_SEED ?? Date.now() % 2 ** 31);

/** The shortcut for usual joins, and the same server where all of them go through the app. */
let short: Door;
let long: Door;

interface Door {
	port: number;
	/** The requests it told of so far. */
	answered: Answered[];
	/** Rejects its next registration. */
	break: (reason: Error) => void;
	reports: unknown[];
}

async function open(isShort: boolean): Promise<Door & { server: Listening }> {
	const known = new Set<string>();
	const reports: unknown[] = [];
	const answered: Answered[] = [];
	let fault: Error | undefined;
	const report: RegisterSettings["report"] = (...reported) => reports.push(reported);
	const register = registration({
		waitlist: {
			async register({ key }) {
				const reason = fault;
				fault = undefined;
				if (reason) throw reason;
				const isNew = !known.has(key);
				known.add(key);
				return isNew ? "registered" : "duplicate";
			},
			isReady: async () => true,
			waiting: 0,
			close: async () => {},
		},
		outcomePages: {
			registered: "<p>Thanks ✨",
			duplicate: "<p>We see you",
			refused: "<p>{{error}} {{email}}",
			headers: { "content-security-policy": "default-src 'none'" },
		},
		now: () => "2026-11-21T09:30:00.123Z",
		admit: (attempt) =>
			attempt.header("x-forwarded-for") === "192.0.2.9"
				? { scope: "address", retryAfter: 7 }
				: undefined,
		report,
	});
	const app = createApp({ register, isReady: async () => true, report });
	const server = await listen(app.fetch, {
		host: "127.0.0.1",
		port: 0,
		onAnswered: (one) => answered.push(one),
		isEncrypted: ({ headers }) => headers["x-forwarded-proto"] === "https",
		...(isShort ? { register } : {}),
	});
	const port = Number(new URL(server.url).port);
	return { server, port, answered, reports, break: (reason) => (fault = reason) };
}

beforeAll(async () => {
	const doors = await Promise.all([open(true), open(false)]);
	[short, long] = doors;
	return () => Promise.all(doors.map(({ server }) => server.close(0)));
});

/** Sends bytes on a connection of their own; the answer, without what differs from time to time. */
async function send({ port }: Door, { pieces, endless }: Hostile): Promise<string> {
	const socket = connect(port, "127.0.0.1");
	let received = "";
	socket.setEncoding("utf8").on("data", (text) => {
		received += text;
	});
	socket.on("error", () => {});
	for (const piece of pieces) {
		socket.write(piece);
		await new Promise(setImmediate);
	}
	if (!endless) socket.end();
	await new Promise((resolve) => socket.once("close", resolve));
	const [head = "", ...bodies] = received
		.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "")
		.replace(/(?<=^x-request-id: )[0-9a-f-]{36}|(?<=^Date: ).*/gim, "…")
		.split("\r\n\r\n");
	const [status, ...headers] = head
		.split("\r\n")
		.map((line) => line.replace(/^[^:]+:/, (name) => name.toLowerCase()));
	return [status, ...headers.toSorted(), "", ...bodies].join("\n");
}

const request = (headers: string, body: string | Buffer, path = JOIN_PATH): Hostile => ({
	pieces: [
		Buffer.from(
			`POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}` +
				`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
		),
		Buffer.from(body),
	],
	endless: true,
});

const JSON_TYPE = "Content-Type: application/json\r\n";
const FORM_TYPE = "Content-Type: application/x-www-form-urlencoded\r\n";
const ada = '{"email":"ada@example.com"}';

it.each([
	["a join", request(JSON_TYPE, ada), 201],
	["the same again", request(JSON_TYPE, ada), 409],
	["a query", request(JSON_TYPE, '{"email":"q@example.com"}', `${JOIN_PATH}?a=\\..`), 201],
	["a form", request(FORM_TYPE, "email=form@example.com"), 201],
	["a form with an error", request(FORM_TYPE, "email=<b>ü"), 400],
	["over TLS", request(`${JSON_TYPE}X-Forwarded-Proto: https\r\n`, ada), 409],
	["too soon", request(`${JSON_TYPE}X-Forwarded-For: 192.0.2.9\r\n`, ada), 429],
	["a byte order mark", request(JSON_TYPE, `\ufeff${ada}`), 409],
	["two byte order marks", request(JSON_TYPE, `\ufeff\ufeff${ada}`), 400],
	["no UTF-8", request(JSON_TYPE, Buffer.from('{"email":"\xff@b.c"}', "latin1")), 400],
	["two types", request(`${JSON_TYPE}Content-Type: text/plain\r\n`, ada), 415],
	["no type", request("", ada), 415],
	["an encoding", request(`${JSON_TYPE}Content-Encoding: br\r\n`, ada), 415],
	[
		"another site",
		request(`${FORM_TYPE}Origin: https://elsewhere.example\r\n`, "email=a@b.c"),
		403,
	],
	["our own site", request(`${FORM_TYPE}Origin: http://localhost\r\n`, "email=o@b.c"), 201],
	["16 kB and a byte", request(JSON_TYPE, "x".repeat(16 * 1024 + 1)), 413],
	["an empty body", request(JSON_TYPE, ""), 400],
	["another path", request(JSON_TYPE, ada, `${JOIN_PATH}x`), 404],
])("a usual join gets the answer that the app gives: %s", async (_, hostile, status) => {
	const answer = await send(short, hostile);
	expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
	expect(answer).toBe(await send(long, hostile));
});

it(`hostile requests get the same answers with the shortcut and without it (seed ${seed})`, async () => {
	const chance = createChance(seed);
	for (let n = 0; n < 400; n++) {
		const hostile = makeHostile(chance);
		if (hostile.endless) continue;
		const [answer, expected] = await Promise.all([send(short, hostile), send(long, hostile)]);
		expect(answer, String(Buffer.concat(hostile.pieces).subarray(0, 500))).toBe(expected);
	}
});

it("a fault of ours is answered with a sentence, and reported with the id of the request", async () => {
	short.break(new Error("a fault"));
	const answer = await send(short, request(JSON_TYPE, '{"email":"fault@example.com"}'));
	expect(answer).toMatch(/^HTTP\/1\.1 500 .*\{"error":"Failed to join waitlist/s);
	expect(short.reports).toEqual([
		["error", "request failed", { id: short.answered.at(-1)!.id, error: new Error("a fault") }],
	]);
});

it("whoever is answered before her body has come is let go soon", async () => {
	const [head] = request("Content-Type: text/plain\r\n", "x".repeat(1000)).pieces;
	const pieces = [Buffer.from(String(head).replace("Connection: close\r\n", "")), Buffer.from("x")];
	for (const door of [short, long]) {
		const answer = await send(door, { pieces, endless: true });
		expect(answer).toMatch(/^HTTP\/1\.1 415 /);
		expect(door.answered.at(-1)!.status).toBe(415);
	}
});

it("a visitor who ends in the middle of her body is told of as one who could not be read", async () => {
	const [head] = request(JSON_TYPE, ada).pieces;
	for (const door of [short, long]) {
		const before = door.answered.length;
		await send(door, { pieces: [head!, Buffer.from("{")], endless: false });
		await expect.poll(() => door.answered.length).toBe(before + 1);
		expect(door.answered.at(-1)!.status).toBe(400);
	}
});
