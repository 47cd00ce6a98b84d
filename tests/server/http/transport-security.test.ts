import { expect, it } from "vitest";
import { startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";

/** What responses say of TLS to clients whose proxy says how they came. */
async function openServer(env: Record<string, string>) {
	const server = await startServer({ folder: await temporaryFolder(), env });
	return async (headers: Record<string, string>) => {
		const responses = ["/", "/mark.svg", "/healthz", "/api/nothing", "/no/such/page"].map((path) =>
			fetch(new URL(path, server.url), { headers }),
		);
		const said = (await Promise.all(responses)).map(({ headers }) =>
			headers.get("strict-transport-security"),
		);
		return [...new Set(said)];
	};
}

it("every response through a trusted proxy with TLS asks for TLS, and no other", async () => {
	const behindProxy = await openServer({ TRUSTED_PROXIES: "127.0.0.1,::1" });
	expect(await behindProxy({ "x-forwarded-proto": "https" })).toEqual(["max-age=63072000"]);
	expect(await behindProxy({ "x-forwarded-proto": "http" })).toEqual([null]);
	expect(await behindProxy({})).toEqual([null]);
	const behindStranger = await openServer({ TRUSTED_PROXIES: "192.0.2.1" });
	expect(await behindStranger({ "x-forwarded-proto": "https" })).toEqual([null]);
});
