import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "./browsers/find.ts";
import { start } from "./browsers/program.ts";
import { freePort } from "./built-site.ts";

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

/** A real nginx, over HTTP and TLS with a self-signed certificate. */
export interface Nginx {
	httpPort: number;
	httpsPort: number;
	certificate: string;
	/** The folder in {@link NginxPlaces}. */
	folder: string;
	close(): Promise<void>;
}

/** For its configuration. */
export interface NginxPlaces {
	httpPort: number;
	httpsPort: number;
	certificate: string;
	key: string;
	folder: string;
}

/** Self-signed, for `localhost`. Returns the paths. */
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

/**
 * @param configure contents of the `http` block
 * @param configureMain everything above it, including the `events` block
 * @throws Error with nginx's output if it rejects the configuration
 */
export async function runNginx(
	configure: (places: NginxPlaces) => string,
	configureMain: (places: NginxPlaces) => string = () => "events {}",
): Promise<Nginx> {
	const nginx = await findProgram(nginxProgram);
	const folder = await mkdtemp(join(tmpdir(), "nginx-"));
	const { certificate, key } = await makeCertificate(folder);
	const [httpPort, httpsPort] = [await freePort(), await freePort()];
	const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
	const file = join(folder, "nginx.conf");
	const places = { httpPort, httpsPort, certificate, key, folder };
	await writeFile(
		file,
		`daemon off;
worker_processes 1;
pid ${folder}/pid;
error_log stderr notice;
${configureMain(places)}
http {
	${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n\t")}
	${configure(places)}
}
`,
	);
	const remove = () => rm(folder, { recursive: true, force: true });
	try {
		await run(nginx, ["-t", "-p", folder, "-c", file]);
		// Root's nginx drops to a user who cannot read a working copy under root's home.
		const program = start(nginx, [
			...["-p", folder, "-c", file],
			...(process.getuid?.() === 0 ? ["-g", "user root;"] : []),
		]);
		await program.waitFor(/start worker process \d+/);
		return {
			httpPort,
			httpsPort,
			certificate,
			folder,
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
