import { describe, expect, it } from "vitest";
import { adminRoutes } from "../../../src/server/admin/admin.ts";
import { kind } from "../../given/kind.ts";
import { formHeaders, openAdminSetup, requestAdmin } from "./open-admin.ts";

const statusOf = async (port: number, cookie: string) =>
	(await requestAdmin(port, "/", { headers: { host: `127.0.0.1:${port}`, cookie } })).status;

describe("the admin pages of a server", () => {
	it("opens with the command's link, and stays off the public port and out of the log", async () => {
		const admin = await openAdminSetup(kind);
		const { setup, makeLink, port, server, url: origin } = admin;
		const API_KEY = setup.env.WAITLIST_API_KEY;
		expect(server.logged("admin open")[0]!.message).toBe(`The admin pages are at ${origin}`);
		const link = await makeLink();
		expect(link.origin).toBe(origin);
		const { cookie } = await admin.signInBy(link);
		expect(await statusOf(port, cookie)).toBe(200);

		const publicPort = Number(new URL(server.url).port);
		const { text } = await requestAdmin(port, "/", {
			headers: { host: `127.0.0.1:${port}`, cookie },
		});
		const files = [...text.matchAll(/href="(\/[\w.-]+\.css)"/g)].map(([, path]) => path!);
		expect(files).toHaveLength(1);
		const { pathname } = link;
		const paths = adminRoutes.map(({ path }) => path).filter((path) => path !== "/");
		for (const path of [...paths, ...files, pathname, "/sign-out", "/admin", "/files.json"]) {
			for (const host of [`127.0.0.1:${port}`, new URL(server.url).host]) {
				const { status } = await requestAdmin(publicPort, path, { headers: { host, cookie } });
				expect(status, path).toBe(404);
			}
		}

		const key = { authorization: `Bearer ${API_KEY}`, cookie: `x=${API_KEY}` };
		const opened = await requestAdmin(port, "/", {
			headers: { host: `127.0.0.1:${port}`, ...key },
		});
		expect(opened.status).toBe(403);
		for (const path of ["/api/waitlist/redeem", "/healthz", "/privacy"]) {
			const headers = formHeaders(origin, { authorization: `Bearer ${API_KEY}`, cookie });
			expect((await requestAdmin(port, path, { method: "POST", headers })).status, path).toBe(404);
		}

		expect(server.output()).not.toContain(pathname.split("/").at(-1));
		expect(server.output()).not.toContain(cookie.split("=")[1]);
		expect(server.logged("request").map(({ route }) => route)).toContain("admin");

		const { stdout } = await setup.run("admin --sign-out");
		expect(stdout).toBe("Everyone is signed out.\n");
		expect(await statusOf(port, cookie)).toBe(403);
	});
});
