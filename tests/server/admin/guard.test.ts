import { describe, expect, it } from "vitest";
import { kind } from "../../given/kind.ts";
import { formHeaders, openAdmin, requestAdmin } from "./open-admin.ts";

describe(`on ${kind}`, () => {
	it("an unknown host gets 403, even if everything else is right", async () => {
		const { port, signIn } = await openAdmin(kind);
		const { cookie } = await signIn();
		const asked = async (host: string) =>
			(await requestAdmin(port, "/", { headers: { host, cookie } })).status;
		for (const name of ["127.0.0.1", "localhost", "LOCALHOST"]) {
			expect(await asked(`${name}:${port}`)).toBe(200);
		}
		for (const host of [
			...["orbit.example", "localhost", "127.0.0.1", `127.0.0.1:${port}0`, `127.0.0.1:${port - 1}`],
			...[`x.127.0.0.1:${port}`, `127.0.0.1:${port}.orbit.example`, `localhost.:${port}`],
			...[`[::1]:${port}`, `0.0.0.0:${port}`, `127.1:${port}`, `evil@127.0.0.1:${port}`],
		]) {
			expect([400, 403], host).toContain(await asked(host));
		}
	});

	it("a POST from another site is refused", async () => {
		const { get, link, origin, port, signIn } = await openAdmin(kind);
		const session = await signIn();
		const right: Record<string, string> = formHeaders(origin, session);
		const paths = ["/sign-out", "/sign-out-everyone", await link()];
		for (const wrong of [
			{ origin: undefined },
			{ origin: "https://orbit.example" },
			{ origin: origin.replace(/\d+$/, "1") },
			{ origin: origin.replace("127.0.0.1", "localhost") },
			{ origin: `${origin}.orbit.example` },
			{ origin: "null" },
			...[undefined, "same-site", "cross-site", "none", "same-origin, same-origin"].map((site) => ({
				"sec-fetch-site": site,
			})),
		]) {
			const sent = Object.entries({ ...right, ...wrong }).filter(
				([, value]) => value !== undefined,
			);
			const headers = Object.fromEntries(sent) as Record<string, string>;
			for (const path of paths) {
				const { status } = await requestAdmin(port, path, { method: "POST", headers });
				expect(status, JSON.stringify(wrong)).toBe(403);
			}
		}
		expect((await get("/", session)).status).toBe(200);
		expect((await requestAdmin(port, paths[2]!, { method: "POST", headers: right })).status).toBe(
			303,
		);
	});

	it("other sites may link to our pages, but not embed or fetch them", async () => {
		const { get, signIn } = await openAdmin(kind);
		const session = await signIn();
		const from = async (site: string, mode: string, dest: string) => {
			const fetched = { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest };
			return (await get("/people.csv", { ...session, ...fetched })).status;
		};
		expect(await from("same-origin", "no-cors", "empty")).toBe(200);
		expect(await from("cross-site", "navigate", "document")).toBe(200);
		for (const site of ["same-site", "cross-site"]) {
			expect(await from(site, "no-cors", "script")).toBe(403);
			expect(await from(site, "cors", "empty")).toBe(403);
			expect(await from(site, "navigate", "iframe")).toBe(403);
		}
	});

	it("refuses methods and bodies that our pages never send", async () => {
		const { host, port, post, signIn } = await openAdmin(kind);
		const { cookie } = await signIn();
		for (const method of ["PUT", "DELETE", "OPTIONS", "TRACE"]) {
			const { status } = await requestAdmin(port, "/", { method, headers: { host, cookie } });
			expect(status, method).toBe(403);
		}
		for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain"]) {
			const { status } = await post("/waves/pause", { cookie, "content-type": type }, "id=x");
			expect(status, type).toBe(400);
		}
		expect((await post("/waves/pause", { cookie }, "x".repeat(20_000))).status).toBe(400);
		expect((await post("/", { cookie })).status).toBe(404);
		expect((await post("/nowhere", { cookie })).status).toBe(404);
		const head = await requestAdmin(port, "/", { method: "HEAD", headers: { host, cookie } });
		expect([head.status, head.text]).toEqual([200, ""]);
	});
});
