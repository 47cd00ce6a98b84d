import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface CspProxy {
	url: string;
	/** `bytes` is the size as transferred, compressed. */
	answers: { path: string; status: number; type: string; bytes: number }[];
	violations: string[];
	close(): Promise<void>;
}

const REPORTS = "/policy-reports";

/** Proxies a site, and collects violations of its Content-Security-Policy with `report-uri`. */
export async function startCspProxy(target: string): Promise<CspProxy> {
	const answers: CspProxy["answers"] = [];
	const violations: string[] = [];
	const server = createServer(async (asked, answer) => {
		const path = asked.url ?? "/";
		if (path === REPORTS) {
			violations.push(describe(await readAll(asked)));
			answer.writeHead(204).end();
			return;
		}
		const { method, headers } = asked;
		const passed = request(new URL(path, target), { method, headers }, async (answered) => {
			const body = await readAll(answered);
			const type = answered.headers["content-type"] ?? "";
			answers.push({ path, status: answered.statusCode!, type, bytes: body.length });
			const policy = answered.headers["content-security-policy"];
			answer.writeHead(answered.statusCode!, {
				...answered.headers,
				...(policy && { "content-security-policy": `${policy}; report-uri ${REPORTS}` }),
			});
			answer.end(body);
		});
		passed.on("error", () => answer.destroy());
		asked.pipe(passed);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: `http://localhost:${(server.address() as AddressInfo).port}`,
		answers,
		violations,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
	return Buffer.concat(await message.toArray());
}

function describe(report: Buffer): string {
	const { "csp-report": breach } = JSON.parse(String(report)) as {
		"csp-report": Record<string, string>;
	};
	const { "document-uri": page, "violated-directive": directive, "blocked-uri": blocked } = breach;
	return `${page} broke ${directive} with ${blocked} ${breach["script-sample"] ?? ""}`.trim();
}
