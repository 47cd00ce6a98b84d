import { request } from "node:http";
import { onTestFinished, vi } from "vitest";
import { freePort } from "../../../bench/harness/built-site.ts";
import type { PostgresDatabases } from "../../../bench/harness/postgres-cluster.ts";
import { createActs } from "../../../src/server/admin/acts/acts.ts";
import { readOfficeFiles } from "../../../src/server/admin/files.ts";
import { createOffice } from "../../../src/server/admin/office.ts";
import { officeOrigin } from "../../../src/server/admin/origin.ts";
import type { OfficeRoute } from "../../../src/server/admin/page.ts";
import { officeRoutes, type PageParts } from "../../../src/server/admin/routes.ts";
import { makeLink } from "../../../src/server/admin/sessions.ts";
import { signInPath } from "../../../src/server/admin/sign-in.ts";
import { countRefusals } from "../../../src/server/admin/today/refusals.ts";
import { listen } from "../../../src/server/listen.ts";
import { readSettings } from "../../../src/server/settings.ts";
import { type DatabaseKind, openServer, placeOf } from "../registrations/databases.ts";

const SECRET = "the operator's own secret, in tests";

/** What came back. */
export interface Answered {
	status: number;
	headers: Record<string, string | undefined>;
	text: string;
}

/** A request as a test writes it: every header is sent as it is, also those that `fetch` keeps to itself. */
export interface Sent {
	method?: string;
	headers?: Record<string, string>;
	body?: string;
}

/** Asks a server of this machine. */
export function ask(port: number, path: string, sent: Sent = {}): Promise<Answered> {
	const { method = "GET", headers = {}, body } = sent;
	return new Promise((resolve, reject) => {
		const asking = request({ host: "127.0.0.1", port, path, method, headers, agent: false });
		asking.on("error", reject).on("response", (response) => {
			let text = "";
			response.setEncoding("utf8").on("data", (part) => {
				text += part;
			});
			response.on("end", () =>
				resolve({
					status: response.statusCode!,
					headers: Object.fromEntries(
						Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
					),
					text,
				}),
			);
		});
		asking.end(body);
	});
}

/** What a browser sends along with a form of a page at this origin. */
export function asForm(origin: string, more: Record<string, string> = {}) {
	return {
		host: new URL(origin).host,
		origin,
		"sec-fetch-site": "same-origin",
		"content-type": "application/x-www-form-urlencoded",
		...more,
	};
}

/** Every page, of a server without mail that refused nobody, and in which nobody acts. */
export const routesOf = (parts: Partial<PageParts> = {}) =>
	officeRoutes({
		settings: {
			database: { kind: "sqlite", file: "package.json" },
			secret: undefined,
			erasures: undefined,
			mail: undefined,
		},
		act: () => Promise.reject(new Error("nobody acts here")),
		refusals: countRefusals({ trustedProxies: [], trustedHeader: "x-forwarded-for" }),
		...parts,
	});

interface Options {
	/** Where her proxy is. */
	origin?: string;
	secret?: string;
	routes?: readonly OfficeRoute[];
	/** Settings of the server. */
	env?: Record<string, string>;
	/** The database of another office. */
	database?: Awaited<ReturnType<typeof openServer>>;
}

/** An office on a port of its own, whose clock the test turns. */
export async function openOffice(
	kind: DatabaseKind,
	cluster: PostgresDatabases,
	{ origin, secret = SECRET, routes, env = {}, database: given }: Options = {},
) {
	const place = await placeOf(kind, cluster);
	const database = given ?? (await openServer(place.settings));
	if (!given) onTestFinished(() => database.close());
	const settings = { port: await freePort(), origin };
	const clock = { now: new Date("2026-11-23T12:00:00.000Z") };
	const log = vi.fn();
	const files = await readOfficeFiles("dist/office");
	const server = readSettings({ ...place.env, ...env }, place.folder, "");
	const parts = {
		settings,
		secret,
		database,
		files,
		log,
		now: () => clock.now,
		routes: routes ?? routesOf({ settings: server, act: createActs(server, database).act }),
	};
	const listening = await listen(createOffice(parts), { host: "127.0.0.1", port: settings.port });
	onTestFinished(() => listening.close(0));
	const { port } = settings;
	const opened = officeOrigin(settings);
	const host = new URL(opened).host;

	const get = (path: string, headers: Record<string, string> = {}) =>
		ask(port, path, { headers: { host, ...headers } });
	const post = (path: string, headers: Record<string, string> = {}, body = "") =>
		ask(port, path, { method: "POST", headers: asForm(opened, headers), body });
	const link = async () => signInPath(await makeLink(database, secret, clock.now));
	/** Signs in, and gives the header that a browser sends from then on. */
	const signIn = async () => {
		const { headers } = await post(await link());
		return { cookie: headers["set-cookie"]!.split(";")[0]! };
	};
	const later = (minutes: number) => {
		clock.now = new Date(clock.now.getTime() + minutes * 60_000);
	};
	return {
		clock,
		place,
		port,
		origin: opened,
		host,
		database,
		log,
		get,
		post,
		link,
		signIn,
		later,
	};
}
