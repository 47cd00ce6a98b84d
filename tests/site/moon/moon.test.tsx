import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emoji } from "#brand";
import { words } from "#words";
import { chosenMoon, grantFirstMoon } from "../../../src/site/moon/chosen-moon.ts";
import { Moon } from "../../../src/site/moon/moon.tsx";

beforeEach(() => {
	localStorage.clear();
	chosenMoon.setState({}, true);
});

afterEach(() => {
	cleanup();
	vi.restoreAllMocks();
});

const moon = () => screen.getByRole("button", { name: new RegExp(words.moon.label) });

test("there is no moon before a join", () => {
	render(<Moon />);
	expect(screen.queryByRole("button")).toBeNull();
	expect(localStorage.getItem("moon")).toBeNull();
});

test("a join adds a moon, and a tap or a key changes it", async () => {
	grantFirstMoon();
	render(<Moon />);
	expect(moon().textContent).toBe(emoji[1]);
	expect(moon().dataset.hint).toBe(words.moon.hint);
	// Voice control users say the words they see (WCAG 2.5.3).
	expect(moon().getAttribute("aria-label")).toContain(words.moon.hint);
	await userEvent.click(moon());
	expect(moon().dataset.hint).toBeUndefined();
	expect(moon().textContent).toBe(emoji[2]);
	await userEvent.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}");
	expect(moon().textContent).toBe(emoji.at(-1));
	await userEvent.keyboard("{Enter}");
	expect(moon().textContent).toBe(emoji[0]);
	expect(localStorage.getItem("moon")).toBe("0");
});

test("the moon says only once that it can be changed", () => {
	grantFirstMoon();
	render(<Moon />).unmount();
	render(<Moon />);
	expect(moon().dataset.hint).toBeUndefined();
});

test.each(["4", `${emoji.length - 1}`])("a later visit restores the moon: %s", (kept) => {
	localStorage.setItem("moon", kept);
	render(<Moon />);
	expect(moon().textContent).toBe(emoji[Number(kept)]);
	expect(moon().dataset.hint).toBeUndefined();
	grantFirstMoon();
	expect(localStorage.getItem("moon")).toBe(kept);
});

test.each(["", "x", "-1", `${emoji.length}`, "1.5", "999"])(
	"invalid stored values are ignored: %j",
	(kept) => {
		localStorage.setItem("moon", kept);
		render(<Moon />);
		expect(screen.queryByRole("button")).toBeNull();
	},
);

test("without storage the moon lasts for the visit", async () => {
	vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
		throw new DOMException("refused", "SecurityError");
	});
	grantFirstMoon();
	render(<Moon />);
	await userEvent.click(moon());
	expect(moon().textContent).toBe(emoji[2]);
});
