import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished, vi } from "vitest";
import { findFreePort } from "../../../bench/harness/built-site.ts";
import { createAdmin } from "../../../src/server/admin/admin.ts";
import { adminOrigins } from "../../../src/server/admin/guard.ts";
import type { Route } from "../../../src/server/admin/responses.ts";
import { createSessions, SIGN_IN_PATH } from "../../../src/server/admin/sessions.ts";
import { readAdminFiles } from "../../../src/server/admin/shell.ts";
import { listen } from "../../../src/server/http/listen.ts";
import { readSettings } from "../../../src/server/settings.ts";
import {
	createTestDatabase,
	type DatabaseKind,
	openWaitlistDatabase,
} from "../registrations/databases.ts";
import { openMailSetup } from "../waves/mail-setup.ts";

const SECRET = "the founder's own secret, in tests";

/** Sends all headers as given, including those that `fetch` controls. */
export async function requestAdmin(
	port: number,
	path: string,
	{ body, ...sent }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
	const asking = request({ host: "127.0.0.1", port, path, agent: false, ...sent }).end(body);
	const [response] = (await once(asking, "response")) as [IncomingMessage];
	const names = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
	const headers = Object.fromEntries(names) as Record<string, string | undefined>;
	return { status: response.statusCode!, headers, text: await text(response) };
}

export function formHeaders(origin: string, more: Record<string, string> = {}) {
	return {
		host: new URL(origin).host,
		origin,
		"sec-fetch-site": "same-origin",
		"content-type": "application/x-www-form-urlencoded",
		...more,
	};
}

interface Options {
	origin?: string;
	secret?: string;
	routes?: readonly Route[];
	env?: Record<string, string>;
	setup?: Pick<Awaited<ReturnType<typeof createTestDatabase>>, "env" | "folder" | "settings">;
}

export async function openAdmin(
	kind: DatabaseKind,
	{ origin, secret = SECRET, routes, env = {}, setup }: Options = {},
) {
	const place = setup ?? (await createTestDatabase(kind));
	const database = await openWaitlistDatabase(place.settings);
	onTestFinished(() => database.close());
	const listenAt = { port: await findFreePort(), origin };
	const clock = { now: new Date("2026-11-23T12:00:00.000Z") };
	const log = vi.fn();
	const admin = createAdmin({
		settings: { ...readSettings({ ...place.env, ...env }, place.folder, ""), admin: listenAt },
		files: await readAdminFiles("dist/admin"),
		now: () => clock.now,
		...{ secret, database, log, ...(routes && { routes }) },
	});
	const { port } = listenAt;
	const listening = await listen(admin, { host: "127.0.0.1", port });
	onTestFinished(() => listening.close(0));
	const [opened] = adminOrigins(listenAt);
	const host = new URL(opened).host;

	const get = (path: string, headers: Record<string, string> = {}) =>
		requestAdmin(port, path, { headers: { host, ...headers } });
	const post = (path: string, headers: Record<string, string> = {}, body = "") =>
		requestAdmin(port, path, { method: "POST", headers: formHeaders(opened, headers), body });
	const link = async () =>
		SIGN_IN_PATH + (await createSessions(database, secret).makeLink(clock.now));
	const signIn = async () => {
		const { headers } = await post(await link());
		return { cookie: headers["set-cookie"]!.split(";")[0]! };
	};
	const later = (minutes: number) => {
		clock.now = new Date(clock.now.getTime() + minutes * 60_000);
	};
	return { clock, port, origin: opened, host, database, log, get, post, link, signIn, later };
}

/** The clock advances one minute before each POST. */
export async function openSignedInAdmin(kind: DatabaseKind, options?: Options) {
	const admin = await openAdmin(kind, options);
	const session = await admin.signIn();
	return {
		...admin,
		session,
		get: (path: string) => admin.get(path, session),
		post(path: string, fields: Record<string, string> = {}) {
			admin.later(1);
			return admin.post(path, session, `${new URLSearchParams(fields)}`);
		},
	};
}

export async function openAdminSetup(kind: DatabaseKind, env: Record<string, string> = {}) {
	const setup = await openMailSetup(kind);
	const port = await findFreePort();
	Object.assign(setup.env, { WAITLIST_ADMIN_PORT: `${port}`, ...env });
	const server = await setup.start();
	const url = `http://127.0.0.1:${port}`;
	const { host } = new URL(url);
	const makeLink = async (): Promise<URL> => new URL((await setup.json("admin")).link);
	const signInBy = async ({ pathname }: URL) => {
		const { headers } = await requestAdmin(port, pathname, {
			method: "POST",
			headers: formHeaders(url),
		});
		return { cookie: headers["set-cookie"]!.split(";")[0]! };
	};
	const session = await signInBy(await makeLink());
	const get = (path: string, headers = session) =>
		requestAdmin(port, path, { headers: { host, ...headers } });
	const post = (path: string, fields: Record<string, string>) =>
		requestAdmin(port, path, {
			method: "POST",
			headers: formHeaders(url, session),
			body: `${new URLSearchParams(fields)}`,
		});
	return { setup, server, makeLink, signInBy, session, port, url, get, post };
}

export const unescapeHtml = (text: string) =>
	text.replace(
		/&(amp|lt|gt|quot|#39);/g,
		(_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" })[name as "amp"],
	);

export const textWithoutMarkup = (text: string) =>
	text
		.replace(/<(style|head).*?<\/\1>/gs, "")
		.replace(/<[^>]+>/g, " ")
		.replace(/\s+/g, " ");

export function hiddenFieldsOf(text: string): Record<string, string> {
	const hidden = text.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g);
	return Object.fromEntries([...hidden].map(([, name, value]) => [name, unescapeHtml(value!)]));
}

export function readDefinitionList(text: string): Record<string, string> {
	const facts: Record<string, string> = {};
	for (const [, name, fact] of text.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)) {
		facts[name!] ??= fact!.replace(/<[^>]*>/g, "");
	}
	return facts;
}
