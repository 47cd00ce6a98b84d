import { freePort } from "../../../bench/harness/built-site.ts";
import type { DatabaseKind } from "../registrations/databases.ts";
import { openMailDesk } from "../waves/mail-desk.ts";
import { asForm, ask } from "./open-admin.ts";

export async function openAdminDesk(kind: DatabaseKind, env: Record<string, string> = {}) {
	const desk = await openMailDesk(kind);
	const port = await freePort();
	Object.assign(desk.env, { WAITLIST_ADMIN_PORT: `${port}`, ...env });
	const server = await desk.start();
	const opened = `http://127.0.0.1:${port}`;
	const signIn = async () => {
		const { link } = await desk.json("admin");
		const headers = asForm(opened);
		const signed = await ask(port, new URL(link).pathname, { method: "POST", headers });
		return { cookie: signed.headers["set-cookie"]!.split(";")[0]! };
	};
	const session = await signIn();
	return {
		desk,
		server,
		signIn,
		url: opened,
		get: (path: string, headers = session) =>
			ask(port, path, { headers: { host: new URL(opened).host, ...headers } }),
		post: (path: string, fields: Record<string, string>, headers = session) =>
			ask(port, path, {
				method: "POST",
				headers: asForm(opened, headers),
				body: new URLSearchParams(fields).toString(),
			}),
	};
}

export function fieldsOf(text: string): Record<string, string> {
	const hidden = /type="hidden" name="([^"]*)" value="([^"]*)"/g;
	return Object.fromEntries([...text.matchAll(hidden)].map(([, name, value]) => [name, value]));
}

export function factsOf(text: string): Record<string, string> {
	const facts: Record<string, string> = {};
	for (const [, name, fact] of text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)) {
		facts[name!] ??= fact!.replace(/<[^>]*>/g, "");
	}
	return facts;
}
