import { JOIN_PATH } from "#shared/join.ts";
import { randomFractions } from "../random-fractions.ts";
import { connectSocket } from "./sockets.ts";

interface HostileRequest {
	pieces: Buffer[];
	endless: boolean;
}

export function createRandomPicker(seed: number) {
	const chance = randomFractions(seed);
	const below = (bound: number) => Math.floor(chance.next().value * bound);
	const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)]!;
	return { below, pick };
}

type Chance = ReturnType<typeof createRandomPicker>;

const long = (chance: Chance, text: string) => text.repeat(chance.below(3000));

const bodies: ((chance: Chance) => string | Buffer)[] = [
	() => "",
	() => "null",
	() => "[]",
	() => '{"email":',
	() => '{"__proto__":{"email":"a@b.c"},"constructor":{"prototype":{"email":"a@b.c"}}}',
	() => '{"email":"a\\u0000@b.c"}',
	() => '{"email":"\\ud800@b.c"}',
	() => '{"email":"a@b.c\\r\\nBcc: everybody@example.com"}',
	(chance) => `{"email":"${long(chance, "@.")}"}`,
	(chance) => `{"email":"${long(chance, "\u0301\u0316")}@b.c"}`,
	(chance) => `{"email":"a@${long(chance, "xn--")}.c"}`,
	(chance) => "[".repeat(chance.below(16_000)),
	(chance) => `{"email":"${"9".repeat(chance.below(500))}@b.c","source":"${long(chance, "s")}"}`,
	(chance) => Buffer.from(Array.from({ length: chance.below(2000) }, () => chance.below(256))),
	(chance) => "x".repeat(16 * 1024 + chance.below(200_000)),
	(chance) => `email=${long(chance, "%")}&email=a@b.c&website=x`,
	() => "--x\r\nContent-Disposition: form-data; name=email\r\n\r\na@b.c\r\n--x--",
];

const types = [
	...["application/json", "application/json; charset=utf-16", "application/x-www-form-urlencoded"],
	...["multipart/form-data; boundary=x", "text/plain", ";;;=", ""],
];

const paths = [
	...[JOIN_PATH, JOIN_PATH, JOIN_PATH, `${JOIN_PATH}?email=a@b.c`, "/%", "/\u0000", "*"],
	...["/api/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2fserver/main.js", "/.git/config"],
	...["//elsewhere.example/%0d%0aSet-Cookie:x", "http://elsewhere.example/", "/healthz", "/readyz"],
	...[`/${"a/".repeat(4000)}`, `/?${"a=b&".repeat(3000)}`],
];

const methods = ["POST", "POST", "POST", "GET", "PUT", "OPTIONS", "TRACE", "CONNECT", "BREW"];

const strange: ((chance: Chance) => string)[] = [
	() => "",
	() => "Content-Encoding: gzip\r\n",
	() => "Expect: 100-continue\r\n",
	() => "Expect: a-miracle\r\n",
	() => "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n",
	() => "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n",
	() => "X-Forwarded-For: 127.0.0.1, ::1, <script>, 999.999.999.999\r\n",
	(chance) => `X-Forwarded-For: ${"1.2.3.4,".repeat(chance.below(1500))}\r\n`,
	() => "Sec-Fetch-Site: cross-site\r\n",
	() => "Range: bytes=0-0,1-1,-5,99999999999999999999-\r\n",
	() => "Accept-Encoding: br;q=NaN, *;q=-1, gzip;;;\r\n",
	() => `If-None-Match: ${'W/"x",'.repeat(1000)}\r\n`,
	() => "X-Request-Id: ../../x\x01\r\n",
	(chance) => "X: y\r\n".repeat(chance.below(3000)),
	() => "Content-Length: -1\r\n",
	() => "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
	() => "\r\nX: early\r\n",
];

export function makeHostileRequest(chance: Chance): HostileRequest {
	const body = Buffer.from(chance.pick(bodies)(chance));
	const type = chance.pick(types);
	const chunked = chance.below(4) === 0;
	const length = chance.pick([body.length, body.length, body.length, body.length + 7, 3]);
	const head = Buffer.from(
		`${chance.pick(methods)} ${chance.pick(paths)} HTTP/${chance.pick(["1.1", "1.1", "1.1", "1.0", "9.9"])}\r\n` +
			chance.pick(["Host: localhost\r\n", "Host: localhost\r\n", "Host: a b\r\n", ""]) +
			(type === "" ? "" : `Content-Type: ${type}\r\n`) +
			chance.pick(strange)(chance) +
			(chunked ? "Transfer-Encoding: chunked\r\n" : `Content-Length: ${length}\r\n`) +
			"\r\n",
		"latin1",
	);
	const chunk = chance.pick([
		`${body.length.toString(16)}\r\n`,
		`${body.length.toString(16)};${"e".repeat(chance.below(20_000))}\r\n`,
		"zz\r\n",
		"ffffffffffffffff\r\n",
	]);
	const payload = chunked
		? Buffer.concat([Buffer.from(chunk), body, Buffer.from("\r\n0\r\n\r\n")])
		: body;
	const endless = chance.below(20) === 0;
	const whole = Buffer.concat([head, payload]);
	const cut = endless ? chance.below(whole.length) : whole.length;
	const middle = chance.below(cut + 1);
	return { pieces: [whole.subarray(0, middle), whole.subarray(middle, cut)], endless };
}

export async function sendHostileRequest(
	port: number,
	{ pieces, endless }: HostileRequest,
): Promise<string> {
	const { socket, closed } = connectSocket({ url: `http://127.0.0.1:${port}` });
	for (const piece of pieces) {
		socket.write(piece);
		await new Promise(setImmediate);
	}
	if (!endless) socket.end();
	return closed;
}
