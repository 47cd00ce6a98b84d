import { createSocket } from "node:dgram";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** Records by name and type. TXT records are split into strings of 255 bytes. */
export type DnsZone = Record<string, { TXT?: string[]; MX?: string[] }>;

const TYPES: Record<number, "MX" | "TXT"> = { 15: "MX", 16: "TXT" };

/**
 * Starts a DNS server (RFC 1035) for one zone, and returns its address for `--resolver`.
 *
 * ```text
 * header, 12 bytes: id, flags, one question, number of answers, 0, 0
 * question: labels with their lengths, 0, type, class
 * answer: pointer to the question's name, type, class, seconds to live, length, record
 * ```
 */
export async function startDnsServer(zone: DnsZone): Promise<string> {
	const socket = createSocket("udp4");
	socket.on("message", (message, { port, address }) => {
		const labels: string[] = [];
		let at = 12;
		for (let length = message[at]!; length > 0; length = message[at]!) {
			labels.push(message.toString("latin1", at + 1, at + 1 + length));
			at += 1 + length;
		}
		const name = labels.join(".");
		const type = message.readUInt16BE(at + 1);
		const known = zone[name];
		const records = (known?.[TYPES[type]!] ?? []).map((text) => {
			const content = TYPES[type] === "MX" ? mx(text) : pieces(text);
			const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, 0]);
			head.writeUInt16BE(content.length, 10);
			return Buffer.concat([head, content]);
		});
		const question = message.subarray(0, at + 5);
		// Flags: response, recursion available, and code 3 if the name does not exist.
		question.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
		question.writeUInt16BE(records.length, 6);
		question.writeUInt32BE(0, 8);
		socket.send(Buffer.concat([question, ...records]), port, address);
	});
	socket.bind(0, "127.0.0.1");
	await once(socket, "listening");
	onTestFinished(() => void socket.close());
	return `127.0.0.1:${socket.address().port}`;
}

/** `10 mx.example` becomes two bytes of preference, then the name. */
function mx(text: string): Buffer {
	const [preference, name] = text.split(" ");
	const labels = name!.split(".").filter((label) => label !== "");
	const encoded = labels.map((label) => Buffer.from(String.fromCharCode(label.length) + label));
	return Buffer.concat([Buffer.from([0, Number(preference)]), ...encoded, Buffer.from([0])]);
}

function pieces(text: string): Buffer {
	const all = text.match(/.{1,255}/gs) ?? [""];
	return Buffer.concat(
		all.map((piece) => Buffer.from(String.fromCharCode(piece.length) + piece, "latin1")),
	);
}
