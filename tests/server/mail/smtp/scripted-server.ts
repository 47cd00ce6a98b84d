import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** `message` comes after the end of the data. */
export type SmtpStep = "connect" | "EHLO" | "HELO" | "MAIL" | "RCPT" | "DATA" | "message";

/** Returns the reply, or undefined for the default. `taken` counts accepted emails. */
type SmtpScript = (step: SmtpStep, session: { line: string; taken: number }) => string | undefined;

const USUAL: Record<SmtpStep, string> = {
	connect: "220 mx.example",
	EHLO: "250 mx.example",
	HELO: "250 mx.example",
	MAIL: "250 ok",
	RCPT: "250 ok",
	DATA: "354 go ahead",
	message: "250 taken",
};

/** Starts an SMTP server with scripted replies, because `smtp-server` cannot script EHLO. */
export async function startScriptedServer(script: SmtpScript, { pipelining = false } = {}) {
	const steps: SmtpStep[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket.on("error", () => {}));
		let taken = 0;
		let accepted: SmtpStep | undefined;
		let inData = false;

		function reply(step: SmtpStep, line = ""): boolean {
			steps.push(step);
			const said = script(step, { line, taken }) ?? USUAL[step];
			const isEhlo = said === USUAL.EHLO && step === "EHLO" && pipelining;
			socket.write(isEhlo ? "250-mx.example\r\n250 PIPELINING\r\n" : `${said}\r\n`);
			if (said.startsWith("421")) socket.end();
			return /^[23]/.test(said);
		}

		reply("connect");
		createInterface({ input: socket }).on("line", (line) => {
			if (socket.writableEnded) return;
			const command = line.slice(0, 4).toUpperCase();
			if (inData) {
				if (line !== ".") return;
				inData = false;
				accepted = undefined;
				if (reply("message")) taken += 1;
			} else if (command === "QUIT") {
				socket.end("221 bye\r\n");
			} else if (command === "EHLO" || command === "HELO") {
				reply(command, line);
			} else if (command === "MAIL") {
				accepted = reply("MAIL", line) ? "MAIL" : undefined;
			} else if (command === "RCPT" && accepted === "MAIL") {
				if (reply("RCPT", line)) accepted = "RCPT";
			} else if (command === "DATA" && accepted === "RCPT") {
				inData = reply("DATA");
			} else {
				// A client that pipelines sends more commands before it sees a refusal.
				socket.write("503 5.5.1 bad sequence\r\n");
			}
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return {
		url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** Counts replies to a step, without those to pipelined commands after a refusal. */
		count: (step: SmtpStep) => steps.filter((each) => each === step).length,
		steps,
	};
}
