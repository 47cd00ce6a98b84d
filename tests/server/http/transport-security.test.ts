import { expect, it } from "vitest";
import { startServer } from "../../server-process.ts";
import { temporaryFolder } from "../../temporary.ts";

async function askForTls(env: Record<string, string>, headers: Record<string, string>) {
	const server = await startServer({ folder: await temporaryFolder(), env });
	const promises = ["/", "/mark.svg", "/healthz", "/api/nothing", "/no/such/page"].map(
		async (path) => {
			const response = await fetch(new URL(path, server.url), { headers });
			return response.headers.get("strict-transport-security");
		},
	);
	return new Set(await Promise.all(promises));
}

it("every response through a trusted proxy with TLS asks for TLS", async () => {
	const behindProxy = { TRUSTED_PROXIES: "127.0.0.1,::1" };
	expect(await askForTls(behindProxy, { "x-forwarded-proto": "https" })).toEqual(
		new Set(["max-age=63072000"]),
	);
});

it.each([
	["without TLS", { TRUSTED_PROXIES: "127.0.0.1" }, { "x-forwarded-proto": "http" }],
	["when the proxy does not say", { TRUSTED_PROXIES: "127.0.0.1" }, {}],
	["when a stranger says so", { TRUSTED_PROXIES: "192.0.2.1" }, { "x-forwarded-proto": "https" }],
	["when nobody is trusted", {}, { "x-forwarded-proto": "https" }],
])("TLS is not asked for %s", async (_, env, headers) => {
	expect(await askForTls(env, headers)).toEqual(new Set([null]));
});
