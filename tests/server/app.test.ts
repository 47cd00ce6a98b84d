import { describe, expect, it, onTestFinished, vi } from "vitest";
import { JOIN_PATH } from "#shared/join.ts";
import { expectRefusal, openApp } from "./open-app.ts";

describe("the API", () => {
	it("takes only POST at its path", async () => {
		const { ask } = await openApp();
		for (const method of ["GET", "PUT", "OPTIONS"]) {
			const response = await ask(JOIN_PATH, { method });
			expect(response.headers.get("allow")).toBe("POST");
			await expectRefusal(response, 405, "Only POST can be used here.");
		}
		for (const path of ["/api", "/api/waitlist", `${JOIN_PATH}/`, "/api/../api/x"]) {
			await expectRefusal(await ask(path), 404, "There is nothing at this address.");
		}
	});

	it("says that the server is alive, and ready until the waitlist is closed", async () => {
		// Readiness asks the database once a second.
		vi.useFakeTimers({ toFake: ["performance"] });
		onTestFinished(() => void vi.useRealTimers());
		const { ask, waitlist } = await openApp();
		const alive = await ask("/healthz");
		expect(alive.headers.get("cache-control")).toBe("no-store");
		expect([alive.status, await alive.json()]).toEqual([200, { status: "ok" }]);
		const refused = await ask("/healthz", { method: "POST" });
		expect(refused.headers.get("allow")).toBe("GET, HEAD");
		const ready = await ask("/readyz");
		expect([ready.status, await ready.json()]).toEqual([200, { status: "ready" }]);
		await waitlist.close();
		vi.advanceTimersByTime(1000);
		await expectRefusal(await ask("/readyz"), 503, "This server takes no visitors right now.");
	});
});
