import { readFile } from "node:fs/promises";
import { expect, onTestFinished } from "vitest";
import { type Nginx, type NginxPlaces, runNginx } from "../../tooling/nginx.ts";

/** Where operators copy nginx's configuration from. */
const README = "src/server/deploying/server.md";

/**
 * The README's configuration, with the ports, certificates and files of a test in their places.
 *
 * @param copies ports of the servers behind it
 * @param before what stands above it in the `http` block
 */
export async function documentedNginx(
	copies: readonly number[],
	before: (places: NginxPlaces) => string = () => "",
): Promise<Nginx> {
	const documented = /```nginx\n([\s\S]+?)```/.exec(await readFile(README, "utf8"))![1]!;
	const configure = (places: NginxPlaces) => {
		const { httpPort, httpsPort, certificate, key, folder } = places;
		let text = documented;
		const replace = (pattern: RegExp, replacement: string) => {
			expect(text).toMatch(pattern);
			text = text.replace(pattern, replacement);
		};
		replace(/listen 443 ssl;\s+listen \[::\]:443 ssl;/, `listen 127.0.0.1:${httpsPort} ssl;`);
		replace(/listen 80;\s+listen \[::\]:80;/, `listen 127.0.0.1:${httpPort};`);
		// Debian 12 has nginx 1.22, which knows it as an option of `listen` only.
		replace(/http2 on;/, "");
		replace(/(ssl_certificate +)\S+;/, `$1${certificate};`);
		replace(/(ssl_certificate_key +)\S+;/, `$1${key};`);
		replace(/\/var\/log\/nginx\//, `${folder}/`);
		const upstreams = copies.map((port) => `server 127.0.0.1:${port}$1;`);
		replace(/server 127\.0\.0\.1:3000(.*?);/, upstreams.join("\n"));
		return before(places) + text;
	};
	const nginx = await runNginx(configure);
	onTestFinished(nginx.close);
	return nginx;
}
