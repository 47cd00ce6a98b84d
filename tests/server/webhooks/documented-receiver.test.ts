import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { newSecret, sign } from "../../../src/server/webhooks/sender.ts";
import { temporaryFolder } from "../../temporary.ts";

it("the documented receiver adds people to an audience, removes them, and believes nobody else", async () => {
	const page = await readFile("src/server/operating/webhooks.md", "utf8");
	const [, code = ""] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
	const file = join(await temporaryFolder(), "receiver.mjs");
	const library = JSON.stringify(import.meta.resolve("standardwebhooks"));
	await writeFile(file, code.replace('"standardwebhooks"', library));
	const { default: receiver } = await import(/* @vite-ignore */ pathToFileURL(file).href);
	const secret = newSecret();
	const asked: string[] = [];
	let status = 200;
	vi.stubGlobal("fetch", async (url: string, { method, body }: RequestInit) => {
		asked.push([method, url, body].join(" ").trim());
		return new Response(null, { status });
	});
	onTestFinished(() => void vi.unstubAllGlobals());
	const env = { WEBHOOK_SECRET: secret, RESEND_KEY: "re_1", AUDIENCE_ID: "a1" };
	const send = async (kind: string, by = secret) => {
		const data = { id: "1", email: "ada+1@example.com" };
		const body = JSON.stringify({ type: `registration.${kind}`, timestamp: "", data });
		const headers = sign([by.slice(6)], { id: "msg_1", body, ms: Date.now() });
		const request = new Request("https://edge.example/", { method: "POST", headers, body });
		return (await receiver.fetch(request, env)).status;
	};
	expect(await send("joined", newSecret())).toBe(401);
	expect(asked).toEqual([]);
	for (const kind of ["joined", "invited", "deleted"]) expect(await send(kind)).toBe(204);
	const contacts = "https://api.resend.com/audiences/a1/contacts";
	expect(asked).toEqual([
		`POST ${contacts} {"email":"ada+1@example.com"}`,
		`DELETE ${contacts}/ada%2B1%40example.com`,
	]);
	status = 429;
	expect(await send("unsubscribed")).toBe(503);
	status = 404;
	expect(await send("deleted")).toBe(204);
});
