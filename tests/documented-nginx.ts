import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { debianProgram, findProgram } from "../bench/harness/browsers/find.ts";
import { startProgram } from "../bench/harness/browsers/program.ts";
import { findFreePort } from "../bench/harness/built-site.ts";
import { temporaryFolder } from "../bench/harness/temporary.ts";

const run = promisify(execFile);

export const nginxProgram = debianProgram("nginx", "NGINX_PATH", {
	places: ["/usr/sbin/nginx"],
	packages: ["nginx-light"],
});

export const opensslProgram = debianProgram("openssl", "OPENSSL_PATH");

const DOCUMENT = "src/server/deploying/server.md";

/** A real nginx that serves `localhost` over HTTP, and over TLS with a self-signed certificate. */
export interface Nginx {
	httpPort: number;
	httpsPort: number;
	certificate: string;
	folder: string;
	close(): Promise<void>;
}

interface Changes {
	before?: (folder: string) => string;
	workerConnections?: number | undefined;
}

/**
 * Starts nginx with the documented configuration, but other ports, certificates and files.
 * @throws Error with nginx's output, or if a line to replace is missing from the document
 */
export async function startDocumentedNginx(
	copies: readonly number[],
	{ before = () => "", workerConnections }: Changes = {},
): Promise<Nginx> {
	const nginx = await findProgram(nginxProgram);
	const { folder, remove } = await temporaryFolder("nginx-");
	const { certificate, key } = await makeCertificate(folder);
	const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
	const blocks = (await readFile(DOCUMENT, "utf8")).matchAll(/```nginx\n([\s\S]+?)```/g);
	const [http, main] = [...blocks].map(([, block]) => block!) as [string, string];
	const upstreams = copies.map((port) => `server 127.0.0.1:${port}$1;`);
	const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
	const file = join(folder, "nginx.conf");
	await writeFile(
		file,
		`daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log stderr notice;
${replace(main, [
	[/\/var\/log\/nginx\//, `${folder}/`],
	[/(worker_connections) (\d+);/, `$1 ${workerConnections ?? "$2"};`],
])}
http {
	${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n\t")}
	${before(folder)}
	${replace(http, [
		[/listen 443 ssl;\s+listen \[::\]:443 ssl;/, `listen 127.0.0.1:${httpsPort} ssl;`],
		[/listen 80;\s+listen \[::\]:80;/, `listen 127.0.0.1:${httpPort};`],
		// Debian 12's nginx 1.22 does not know this directive.
		[/http2 on;/, ""],
		[/(ssl_certificate +)\S+;/, `$1${certificate};`],
		[/(ssl_certificate_key +)\S+;/, `$1${key};`],
		[/\/var\/log\/nginx\//, `${folder}/`],
		[/server 127\.0\.0\.1:3000(.*?);/, upstreams.join("\n")],
	])}
}
`,
	);
	await run(nginx, ["-t", "-p", folder, "-c", file]);
	// nginx started by root switches to a user who cannot read files in root's home.
	const user = process.getuid?.() === 0 ? ["-g", "user root;"] : [];
	const program = startProgram(nginx, ["-p", folder, "-c", file, ...user]);
	await program.waitFor(/start worker process \d+/);
	return {
		httpPort,
		httpsPort,
		certificate,
		folder,
		async close() {
			await program.end();
			remove();
		},
	};
}

function replace(text: string, replacements: readonly [RegExp, string][]): string {
	return replacements.reduce((lines, [pattern, replacement]) => {
		if (!pattern.test(lines)) throw new Error(`${DOCUMENT} has no line like ${pattern}.`);
		return lines.replace(pattern, replacement);
	}, text);
}

async function makeCertificate(folder: string) {
	const openssl = await findProgram(opensslProgram);
	const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
	await run(openssl, [
		...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
		...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"],
		...["-keyout", key, "-out", certificate],
	]);
	return { certificate, key };
}
