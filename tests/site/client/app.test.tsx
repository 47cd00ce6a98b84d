import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Link } from "wouter";
import { App } from "../../../src/site/client/app.tsx";

/** Fetches of page code, which the test resolves or rejects. */
const fetches = vi.hoisted(
	() => [] as { path: string; arrive: () => void; fail: (error: Error) => void }[],
);
vi.mock("../../../src/site/client/load-page.ts", () => ({
	loadPage: (path: string) =>
		new Promise<void>((arrive, fail) => fetches.push({ path, arrive, fail })),
	getLoadedPage:
		({ path }: { path: string }) =>
		() => (
			<>
				<h1 tabIndex={-1}>{path}</h1>
				{["/", "/confirmation", "/privacy"].map((href) => (
					<Link key={href} href={href}>
						to {href}
					</Link>
				))}
			</>
		),
}));
vi.mock("../../../src/site/stage/stage.tsx", () => ({ Stage: () => null }));

const assigned = vi.fn();

beforeEach(() => {
	fetches.length = 0;
	history.replaceState(null, "", "/");
	vi.stubGlobal("scrollTo", vi.fn());
	vi.spyOn(location, "assign").mockImplementation(assigned);
	document.head.innerHTML = "<title></title>";
});

afterEach(() => {
	cleanup();
	vi.clearAllMocks();
	vi.restoreAllMocks();
	vi.unstubAllGlobals();
});

const click = (href: string) => act(async () => screen.getByText(`to ${href}`).click());
const heading = () => document.querySelector("h1")?.textContent;

test("the last of two clicks wins, whichever code arrives first", async () => {
	render(<App />);
	await click("/confirmation");
	await click("/");
	await act(async () => fetches[1]?.arrive());
	await act(async () => fetches[0]?.arrive());
	expect(heading()).toBe("/");
	expect(location.pathname).toBe("/");
});

test("pages without script, or whose code is gone, are loaded from the server", async () => {
	render(<App />);
	await click("/privacy");
	expect(fetches).toHaveLength(0);
	expect(assigned).toHaveBeenLastCalledWith("/privacy");
	await click("/confirmation");
	await act(async () => fetches[0]?.fail(new Error("gone")));
	expect(assigned).toHaveBeenLastCalledWith("/confirmation");
	expect(heading()).toBe("/");
});
