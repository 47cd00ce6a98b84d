import { beforeEach, expect, test } from "vitest";
import { brand } from "#brand";
import { applyHead } from "../../../src/site/client/apply-head.ts";
import { darkThemeColors, routeAt, themeColors } from "../../../src/site/routes.ts";

const content = (name: string) =>
	document.head.querySelector(`meta[name="${name}"]`)?.getAttribute("content");
const canonical = () =>
	[...document.head.querySelectorAll('link[rel="canonical"]')].map((link) =>
		link.getAttribute("href"),
	);

beforeEach(() => {
	document.head.innerHTML = `<title></title><meta name="description"><meta name="theme-color" media="(prefers-color-scheme: dark)"><meta name="theme-color"><meta name="robots">`;
	applyHead(routeAt("/"));
});

test("the head belongs to the latest page, with the colors of its day and dusk", () => {
	const colors = () =>
		[...document.head.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map(
			({ content }) => content,
		);
	expect(colors()).toEqual([darkThemeColors.morning, themeColors.morning]);
	const { title, description } = routeAt("/confirmation");
	applyHead(routeAt("/confirmation"));
	expect([document.title, content("description")]).toEqual([title, description]);
	expect(content("robots")).toBe("noindex");
	expect(colors()).toEqual([themeColors.night, themeColors.night]);
	expect(canonical()).toEqual([`${brand.origin}/confirmation`]);
});

test("the not-found page has no canonical URL, and the next page has its own again", () => {
	expect(canonical()).toEqual([`${brand.origin}/`]);
	applyHead(routeAt("/nowhere"));
	expect(canonical()).toEqual([]);
	applyHead(routeAt("/"));
	expect(canonical()).toEqual([`${brand.origin}/`]);
});
