import { describe, expect, it, onTestFinished, vi } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { expectRefusal, openApp } from "./open-app.ts";

describe("the API", () => {
	it.each(["GET", "HEAD"])(
		"leads a browser that opens its path to the form: %s",
		async (method) => {
			const { ask } = await openApp();
			const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
			const response = await ask(JOIN_PATH, { method, headers });
			expect(response.status).toBe(303);
			expect(response.headers.get("location")).toBe("/");
			expect(response.headers.get("cache-control")).toBe("no-store");
		},
	);

	it.each(["GET", "PUT", "DELETE", "OPTIONS", "PATCH"])("refuses %s", async (method) => {
		const { ask } = await openApp();
		const response = await ask(JOIN_PATH, { method });
		expect(response.headers.get("allow")).toBe("POST");
		await expectRefusal(response, 405, "Only POST can be used here.");
	});

	it.each(["/api", "/api/", "/api/waitlist", `${JOIN_PATH}/`, "/api/../api/x"])(
		"has nothing at %s",
		async (path) => {
			const { ask } = await openApp();
			await expectRefusal(await ask(path), 404, "There is nothing at this address.");
		},
	);

	it("says that the server is alive", async () => {
		const { ask } = await openApp();
		const response = await ask("/healthz");
		expect(response.headers.get("cache-control")).toBe("no-store");
		expect({ status: response.status, body: await response.json() }).toEqual({
			status: 200,
			body: { status: "ok" },
		});
		const refused = await ask("/healthz", { method: "POST" });
		expect(refused.headers.get("allow")).toBe("GET, HEAD");
	});

	it("says that the server is ready, until the waitlist is closed", async () => {
		// Readiness asks the database once a second.
		vi.useFakeTimers({ toFake: ["performance"] });
		onTestFinished(() => void vi.useRealTimers());
		const { ask, waitlist } = await openApp();
		const response = await ask("/readyz");
		expect({ status: response.status, body: await response.json() }).toEqual({
			status: 200,
			body: { status: "ready" },
		});
		await waitlist.close();
		vi.advanceTimersByTime(1000);
		await expectRefusal(await ask("/readyz"), 503, "This server takes no visitors right now.");
	});
});
