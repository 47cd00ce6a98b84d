// @vitest-environment happy-dom

import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Headline } from "../../src/site/pages/headline.tsx";
import { scene } from "../../src/site/stage/scene.ts";

beforeEach(() => {
	vi.useFakeTimers();
	scene.setState({ paused: false, still: false });
});

afterEach(() => {
	cleanup();
	vi.useRealTimers();
	vi.restoreAllMocks();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const wordOf = (turn: string) => document.querySelector(`[data-turn=${turn}]`)?.textContent;

test("a word stays for 2.5 s, and the five begin again after the last one", () => {
	render(<Headline />);
	expect([wordOf("now"), wordOf("past")]).toEqual(["smart", undefined]);
	pass(2499);
	expect(wordOf("now")).toBe("smart");
	pass(1);
	expect([wordOf("now"), wordOf("past")]).toEqual(["beautiful", "smart"]);
	const seen = Array.from({ length: 4 }, () => {
		pass(2500);
		return [wordOf("past"), wordOf("now")].join(" ");
	});
	expect(seen).toEqual([
		...["beautiful useful", "useful personal", "personal curated", "curated smart"],
	]);
});

test("no word changes while nothing may move, in a hidden tab or after the page was left", () => {
	const { unmount } = render(<Headline />);
	const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
	pass(10_000);
	expect(wordOf("now")).toBe("smart");
	visibility.mockReturnValue("visible");
	act(() => scene.setState({ paused: true }));
	pass(10_000);
	expect(wordOf("now")).toBe("smart");
	act(() => scene.setState({ paused: false }));
	pass(2500);
	expect(wordOf("now")).toBe("beautiful");
	unmount();
	expect(vi.getTimerCount()).toBe(0);
});
