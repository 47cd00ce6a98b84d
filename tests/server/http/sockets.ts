import { connect } from "node:net";

export function connectSocket({ url }: { url: string }, bytes = "") {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	let received = "";
	socket.setEncoding("latin1").on("data", (text) => {
		received += text;
	});
	// Ignores resets, because `close` follows.
	socket.on("error", () => {});
	const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(received)));
	if (bytes) socket.write(bytes);
	return { socket, received: () => received, closed };
}
