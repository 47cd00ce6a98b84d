import { connect } from "node:net";
import { beforeAll, expect, it, vi } from "vitest";
import { FAILED_MESSAGE, JOIN_PATH } from "#shared/join.ts";
import { compose } from "../../../src/server/compose.ts";
import type { SharedDatabase } from "../../../src/server/database/database.ts";
import type { FinishedRequest } from "../../../src/server/http/requests.ts";
import { type Listening, listen } from "../../../src/server/listen.ts";
import { readSettings } from "../../../src/server/settings.ts";
import { createChance, type Hostile, makeHostile } from "../http/hostile.ts";

/** HOSTILE_SEED replays one. */
const seed = Number(process.env.HOSTILE_SEED ?? Date.now() % 2 ** 31);

/** The server with its fast path, and the same server where all joins go through the app. */
let fast: Door;
let plain: Door;

interface Door {
	port: number;
	/** The requests that have come to their end so far. */
	finished: FinishedRequest[];
	/** Rejects the next registration. */
	break: (reason: Error) => void;
	/** What went to the log so far. */
	logged: unknown[][];
}

const settings = readSettings(
	{
		PORT: "0",
		TRUSTED_PROXIES: "127.0.0.1",
		WAITLIST_ADDRESS_LIMIT: "0",
		WAITLIST_NETWORK_LIMIT: "1/10m",
		WAITLIST_CROWD_LIMIT: "1/10m",
	},
	"/",
);

async function open(isFast: boolean): Promise<Door & { server: Listening }> {
	const known = new Set<string>();
	const logged: unknown[][] = [];
	const finished: FinishedRequest[] = [];
	let fault: Error | undefined;
	const { fastPath, ...app } = await compose(settings, {
		opened: {
			database: { query: async () => [] } as Partial<SharedDatabase> as SharedDatabase,
			waitlist: {
				async join({ key }) {
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
		},
		outcomePages: {
			registered: "<p>Thanks ✨",
			duplicate: "<p>We see you",
			refused: "<p>{{error}} {{email}}",
			headers: { "content-security-policy": "default-src 'none'" },
		},
		log: (...line) => logged.push(line),
	});
	const server = await listen(
		{ ...app, ...(isFast ? { fastPath } : {}), onFinished: (request) => finished.push(request) },
		settings,
	);
	const port = Number(new URL(server.url).port);
	return { server, port, finished, logged, break: (reason) => (fault = reason) };
}

beforeAll(async () => {
	// A frozen clock: both doors then name the same time to wait.
	vi.useFakeTimers({ toFake: ["performance"] });
	const doors = await Promise.all([open(true), open(false)]);
	[fast, plain] = doors;
	for (const door of doors) {
		await send(door, joinFrom(crowded, "first@example.com"));
		for (const n of [1, 2]) await send(door, joinFrom(limited, `${n}@example.com`));
	}
	return async () => {
		await Promise.all(doors.map(({ server }) => server.close(0)));
		vi.useRealTimers();
	};
});

/** Sends bytes on a connection of their own. Gives the response without id and date. */
async function send({ port }: Door, { pieces, endless }: Hostile, dripping = ""): Promise<string> {
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
	const drip = dripping ? setInterval(() => socket.write(dripping), 100) : undefined;
	await new Promise((resolve) => socket.once("close", resolve));
	clearInterval(drip);
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
/** The address of a visitor who has used up their limit, and of one who has used up that on crowds. */
const crowded = "2001:db8:1::9";
const limited = "2001:db8::9";
const joinFrom = (address: string, email: string) =>
	request(`${JSON_TYPE}X-Forwarded-For: ${address}\r\n`, JSON.stringify({ email }));

it.each([
	["a join", request(JSON_TYPE, ada), 201],
	["the same again", request(JSON_TYPE, ada), 409],
	["a query", request(JSON_TYPE, '{"email":"q@example.com"}', `${JOIN_PATH}?a=\\..`), 201],
	["a form", request(FORM_TYPE, "email=form@example.com"), 201],
	["a form with an error", request(FORM_TYPE, "email=<b>ü"), 400],
	["over TLS", request(`${JSON_TYPE}X-Forwarded-Proto: https\r\n`, ada), 409],
	["in a crowd", joinFrom(crowded, "second@example.com"), 201],
	["too soon", joinFrom(limited, "ada@example.com"), 429],
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
	["two hosts", request(`${JSON_TYPE}Host: elsewhere.example\r\n`, ada), 400],
	["an empty body", request(JSON_TYPE, ""), 400],
	["another path", request(JSON_TYPE, ada, `${JOIN_PATH}x`), 404],
])("the fast path responds as the app does: %s", async (_, hostile, status) => {
	const response = await send(fast, hostile);
	expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
	expect(response).toBe(await send(plain, hostile));
});

it(`hostile requests get the same response with and without the fast path (seed ${seed})`, async () => {
	const chance = createChance(seed);
	for (let n = 0; n < 400; n++) {
		const hostile = makeHostile(chance);
		if (hostile.endless) continue;
		const [response, expected] = await Promise.all([send(fast, hostile), send(plain, hostile)]);
		expect(response, String(Buffer.concat(hostile.pieces).subarray(0, 500))).toBe(expected);
	}
});

it("the response to a fault of ours is a sentence, and the log has the id of the request", async () => {
	fast.break(new Error("a fault"));
	const response = await send(fast, request(JSON_TYPE, '{"email":"fault@example.com"}'));
	expect(response).toMatch(/^HTTP\/1\.1 500 /);
	expect(response).toContain(JSON.stringify({ error: FAILED_MESSAGE }));
	const errors = fast.logged.filter(
		([level, event]) => level === "error" && event !== "proxy not trusted",
	);
	expect(errors).toEqual([
		["error", "request failed", { id: fast.finished.at(-1)!.id, error: new Error("a fault") }],
	]);
});

it("a connection is closed soon when the response does not wait for the body", async () => {
	const [head] = request("Content-Type: text/plain\r\n", "x".repeat(1000)).pieces;
	const pieces = [Buffer.from(String(head).replace("Connection: close\r\n", "")), Buffer.from("x")];
	for (const door of [fast, plain]) {
		const before = door.finished.length;
		// A connection that stays open as long as something comes ends with a second response: 408.
		const response = await send(door, { pieces, endless: true }, "x");
		expect(response).toMatch(/^HTTP\/1\.1 415 /);
		expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 415"]);
		expect(door.finished.slice(before)).toMatchObject([{ status: 415 }]);
	}
});

it("a request that ends in the middle of its body is logged as unreadable", async () => {
	const [head] = request(JSON_TYPE, ada).pieces;
	for (const door of [fast, plain]) {
		const before = door.finished.length;
		await send(door, { pieces: [head!, Buffer.from("{")], endless: false });
		await expect.poll(() => door.finished.length).toBe(before + 1);
		expect(door.finished.at(-1)!.status).toBe(400);
	}
});
