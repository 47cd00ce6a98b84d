import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
	allowNextReload,
	reloadAfterDeploy,
} from "../../../src/site/client/reload-after-deploy.ts";

const missing = "/assets/main-old.js";
const server = vi.fn<typeof fetch>();
const reload = vi.fn();
let touched: boolean;

beforeEach(() => {
	sessionStorage.clear();
	touched = false;
	document.body.innerHTML = `<input value="">`;
	server.mockReset().mockImplementation(async () => new Response("main-new.js"));
	reload.mockReset();
	vi.stubGlobal("fetch", server);
	vi.stubGlobal("location", { href: "https://orbit.example/", reload });
	vi.stubGlobal("navigator", {
		userActivation: {
			get hasBeenActive() {
				return touched;
			},
		},
	});
});

afterEach(() => {
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
});

function hide(hidden: boolean): void {
	vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
	dispatchEvent(new Event("visibilitychange"));
}

describe("a page that lost its script to a deploy", () => {
	test("reloads once, and again only after a page has run", async () => {
		await reloadAfterDeploy(missing);
		await reloadAfterDeploy(missing);
		expect(reload).toHaveBeenCalledOnce();
		allowNextReload();
		await reloadAfterDeploy(missing);
		expect(reload).toHaveBeenCalledTimes(2);
		expect(server.mock.lastCall).toEqual(["https://orbit.example/", { cache: "no-cache" }]);
	});

	test("reloads as soon as a visitor who has touched it hides the tab", async () => {
		touched = true;
		await reloadAfterDeploy(missing);
		hide(false);
		expect(reload).not.toHaveBeenCalled();
		hide(true);
		expect(reload).toHaveBeenCalledOnce();
	});

	test.each([false, true])("stays while it contains text (touched: %s)", async (hasBeenActive) => {
		touched = hasBeenActive;
		document.querySelector("input")!.value = "ada@example.com";
		await reloadAfterDeploy(missing);
		hide(true);
		expect(reload).not.toHaveBeenCalled();
		expect(sessionStorage.length).toBe(0);
	});

	test.each([
		["the server has the same page", new Response(`<script data-main="${missing}">`)],
		["the server has none", new Response("", { status: 503 })],
	])("stays if %s", async (_, answer) => {
		server.mockResolvedValue(answer);
		await reloadAfterDeploy(missing);
		expect(reload).not.toHaveBeenCalled();
	});
});
