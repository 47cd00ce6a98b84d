import { createServer } from "vite";
import { expect, it, onTestFinished } from "vitest";

it("the development server renders each page and serves all of its sources", async () => {
	const vite = await createServer({ mode: "development", server: { port: 0 } });
	onTestFinished(() => vite.close());
	await vite.listen();
	const ask = (path: string) => fetch(new URL(path, vite.resolvedUrls?.local[0]));
	const page = await ask("/");
	expect(page.status).toBe(200);
	const sources = new Set((await page.text()).match(/(?<=")\/src\/[^"]+/g));
	expect([...sources].sort()).toEqual([
		"/src/site/client/boot.ts",
		"/src/site/client/main.tsx",
		"/src/site/styles/index.css",
	]);
	for (const source of sources) {
		const answer = await ask(source);
		expect(answer.status, source).toBe(200);
		expect(answer.headers.get("content-type"), source).not.toContain("html");
	}
	expect((await ask("/no/such/page")).status).toBe(404);
	expect((await ask("/robots.txt")).status).toBe(200);
	// Browsers ignore icons without a type.
	expect((await ask("/mark.svg")).headers.get("content-type")).toContain("image/svg+xml");
});
