import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../bench/harness/browsers/find.ts";
import { start } from "../bench/harness/browsers/program.ts";
import { freePort } from "../bench/harness/free-port.ts";

const run = promisify(execFile);

export const nginxProgram = {
	title: "nginx",
	variable: "NGINX_PATH",
	commands: ["nginx"],
	places: ["/usr/sbin/nginx"],
	packages: ["nginx-light"],
};

export const opensslProgram = {
	title: "OpenSSL",
	variable: "OPENSSL_PATH",
	commands: ["openssl"],
	packages: ["openssl"],
};

/** A real nginx in front of a site, by plain HTTP and by TLS with a certificate of its own. */
export interface Nginx {
	httpPort: number;
	httpsPort: number;
	/** The certificate, which nobody has signed. */
	certificate: string;
	close(): Promise<void>;
}

/**
 * Starts nginx in a temporary folder.
 * @param serve what both its servers consist of, beside where they listen, given the port of TLS
 * @throws Error with nginx's own words when it does not accept that
 */
export async function startNginx(serve: (httpsPort: number) => string): Promise<Nginx> {
	const nginx = await findProgram(nginxProgram);
	const openssl = await findProgram(opensslProgram);
	const folder = await mkdtemp(join(tmpdir(), "nginx-"));
	const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
	await run(openssl, [
		...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
		...["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"],
		...["-keyout", key, "-out", certificate],
	]);
	const [httpPort, httpsPort] = [await freePort(), await freePort()];
	const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
	const settings = join(folder, "nginx.conf");
	await writeFile(
		settings,
		`daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log stderr notice;
events {}
http {
	access_log off;
	${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n\t")}
	server {
		listen 127.0.0.1:${httpPort};
		listen 127.0.0.1:${httpsPort} ssl;
		ssl_certificate ${certificate};
		ssl_certificate_key ${key};
		${serve(httpsPort)}
	}
}
`,
	);
	const remove = () => rm(folder, { recursive: true, force: true });
	try {
		await run(nginx, ["-t", "-p", folder, "-c", settings]);
		// nginx started by root serves as somebody who cannot read a working copy under root's home.
		const program = start(nginx, [
			...["-p", folder, "-c", settings],
			...(process.getuid?.() === 0 ? ["-g", "user root;"] : []),
		]);
		await program.waitFor(/start worker process \d+/);
		return {
			httpPort,
			httpsPort,
			certificate,
			async close() {
				await program.end();
				await remove();
			},
		};
	} catch (error) {
		await remove();
		throw error;
	}
}
