import { readFile } from "node:fs/promises";
import { type Nginx, type NginxPlaces, runNginx } from "./nginx.ts";

const README = "src/server/deploying/server.md";

interface Changes {
	/** Lines above the documented ones in the `http` block. */
	before?: (places: NginxPlaces) => string;
	/** Overrides the documented `worker_connections`. */
	workerConnections?: number | undefined;
}

/**
 * Uses the README's configuration with other ports, certificates and files.
 *
 * @param copies ports of the servers behind it
 * @throws Error if the README lacks a line that has to be replaced
 */
export async function startDocumentedNginx(
	copies: readonly number[],
	{ before = () => "", workerConnections }: Changes = {},
): Promise<Nginx> {
	const blocks = (await readFile(README, "utf8")).matchAll(/```nginx\n([\s\S]+?)```/g);
	const [http, main] = [...blocks].map(([, block]) => block!) as [string, string];
	const upstreams = copies.map((port) => `server 127.0.0.1:${port}$1;`);
	return runNginx(
		(places) => {
			const { httpPort, httpsPort, certificate, key, folder } = places;
			const lines = changed(http, [
				[/listen 443 ssl;\s+listen \[::\]:443 ssl;/, `listen 127.0.0.1:${httpsPort} ssl;`],
				[/listen 80;\s+listen \[::\]:80;/, `listen 127.0.0.1:${httpPort};`],
				// Debian 12 has nginx 1.22, which supports it as an option of `listen` only.
				[/http2 on;/, ""],
				[/(ssl_certificate +)\S+;/, `$1${certificate};`],
				[/(ssl_certificate_key +)\S+;/, `$1${key};`],
				[/\/var\/log\/nginx\//, `${folder}/`],
				[/server 127\.0\.0\.1:3000(.*?);/, upstreams.join("\n")],
			]);
			return before(places) + lines;
		},
		({ folder }) =>
			changed(main, [
				[/\/var\/log\/nginx\//, `${folder}/`],
				[/(worker_connections) (\d+);/, `$1 ${workerConnections ?? "$2"};`],
			]),
	);
}

function changed(text: string, replacements: readonly [RegExp, string][]): string {
	return replacements.reduce((lines, [pattern, replacement]) => {
		if (!pattern.test(lines)) throw new Error(`${README} has no line like ${pattern}.`);
		return lines.replace(pattern, replacement);
	}, text);
}
