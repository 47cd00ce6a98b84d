import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { words } from "#words";
import { Headline } from "../../src/site/pages/headline.tsx";
import { scene } from "../../src/site/stage/scene.ts";
import { firstWord, secondWord } from "./sentences.ts";

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

test("each word stays for 2.5 s, and the first follows the last", () => {
	render(<Headline />);
	expect([wordOf("now"), wordOf("past")]).toEqual([firstWord, undefined]);
	pass(2499);
	expect(wordOf("now")).toBe(firstWord);
	pass(1);
	expect([wordOf("now"), wordOf("past")]).toEqual([secondWord, firstWord]);
	const { turning } = words.headline;
	for (const [index, word] of turning.entries()) {
		if (index === 0) continue;
		pass(2500);
		const next = turning[(index + 1) % turning.length];
		expect([wordOf("past"), wordOf("now")]).toEqual([word, next]);
	}
});

test("no word changes while motion is off, in a hidden tab, or after leaving the page", () => {
	const { unmount } = render(<Headline />);
	const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
	pass(10_000);
	expect(wordOf("now")).toBe(firstWord);
	visibility.mockReturnValue("visible");
	act(() => scene.setState({ paused: true }));
	pass(10_000);
	expect(wordOf("now")).toBe(firstWord);
	act(() => scene.setState({ paused: false }));
	pass(2500);
	expect(wordOf("now")).toBe(secondWord);
	unmount();
	expect(vi.getTimerCount()).toBe(0);
});

test("rotation stops at the current word once the visitor has joined", () => {
	const { rerender } = render(<Headline />);
	pass(2500);
	rerender(<Headline rests />);
	pass(10_000);
	expect(wordOf("now")).toBe(secondWord);
	expect(vi.getTimerCount()).toBe(0);
});
