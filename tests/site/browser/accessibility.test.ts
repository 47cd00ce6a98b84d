import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { brand, emoji } from "#brand";
import { words } from "#words";
import { again, firstWord, headline, invalid, missing, thanks } from "../sentences.ts";
import { examplePageStates, pageStates } from "./states.ts";
import { borrowTab, emailField, waitUntilReady } from "./visit.ts";

/*
 * WCAG 2.2 AA on every page and in every state. axe checks most rules; our code finds covered,
 * small, clipped and unreachable controls.
 */

/** The Content-Security-Policy would block axe. */
const desktop = { bypassCSP: true, viewport: { width: 1280, height: 720 } };

async function openPage(): Promise<Page> {
	const { page, giveBack } = await borrowTab(desktop);
	onTestFinished(giveBack);
	return page;
}

interface Mode {
	name: string;
	media?: Parameters<Page["emulateMedia"]>[0];
	/** Skips contrast checks: axe reads the page's colors, which forced colors replace. */
	withoutColors?: boolean;
}

const allModes: readonly Mode[] = [
	{ name: "light" },
	{ name: "dark", media: { colorScheme: "dark" } },
	{ name: "forced colors", media: { forcedColors: "active" }, withoutColors: true },
	{ name: "more contrast", media: { contrast: "more" } },
];

/** Pages share a style sheet, so most are checked in light mode only. */
const modesOf = (state: string) =>
	allModes.slice(0, { "the landing page": 4, "the privacy policy": 2 }[state] ?? 1);

const plain = {
	colorScheme: "light",
	forcedColors: "none",
	reducedMotion: "no-preference",
	contrast: "no-preference",
} as const;

/** Ends all motion, which changes colors and positions. */
async function finishAnimations(page: Page): Promise<void> {
	await page.evaluate(() => {
		for (const animation of document.getAnimations()) {
			const ends = animation.effect?.getComputedTiming().endTime;
			if (ends !== Number.POSITIVE_INFINITY) animation.finish();
		}
	});
	await page.waitForFunction(() =>
		document
			.getAnimations()
			.every(({ effect }) => !(effect as KeyframeEffect).pseudoElement?.includes("transition")),
	);
}

async function findings(page: Page, { withoutColors = false }: Mode): Promise<string[]> {
	const { violations } = await page.evaluate(async (withoutColors) => {
		const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
		return axe.run(document, {
			runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
			rules: { "color-contrast": { enabled: !withoutColors } },
			resultTypes: ["violations"],
		});
	}, withoutColors);
	return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`);
}

/** Returns controls that are too small, covered, or outside of the window. */
function examine(): string[] {
	const complaints: string[] = [];
	const { scrollWidth, clientWidth } = document.documentElement;
	if (scrollWidth > clientWidth) {
		complaints.push(`scrolls sideways by ${scrollWidth - clientWidth}`);
	}
	for (const control of document.querySelectorAll<HTMLElement>(
		"a, button, input:not([tabindex='-1']), [tabindex='0']",
	)) {
		if (!control.checkVisibility({ visibilityProperty: true })) continue;
		if (control.matches("[type=hidden]")) continue;
		control.scrollIntoView({ block: "center", behavior: "instant" });
		const name =
			control.title || control.textContent?.trim() || control.getAttribute("value") || control.id;
		for (const { x, y, width, height } of control.getClientRects()) {
			// Links in a sentence may be as small as its letters (WCAG 2.5.8).
			const inline = control.matches("p a, li a") && !control.closest("nav");
			if (!inline && (width < 24 || height < 24)) {
				complaints.push(`${name} is ${width} x ${height}`);
			}
			for (const [partX, partY] of [
				[0.5, 0.5],
				[0.1, 0.5],
				[0.9, 0.5],
				[0.5, 0.15],
				[0.5, 0.85],
			] as const) {
				const hit = document.elementFromPoint(x + width * partX, y + height * partY);
				if (!hit || !control.contains(hit)) {
					complaints.push(`${name} is covered by ${hit?.className || hit?.tagName}`);
				}
			}
		}
	}
	return complaints;
}

const everywhere = [
	...["- banner:", `- link "${brand.product}"`, '- button "Pause animations"', "- main:"],
	...["- contentinfo:", '- navigation "Legal":', '- link "Privacy Policy"'],
	...['- link "Terms of Service"', `- heading "${headline}" [level=1]`],
];

const asks = [`- paragraph: ${words.form.prompt}`, `- textbox "${words.form.label}"`];

const trees: Record<string, string[]> = {
	"the landing page": [...asks, `- button "${words.form.button}"`, "- status"],
	"no address": [...asks, `- textbox "${words.form.label}" [invalid]`, `- alert: ${missing}`],
	joining: [
		...asks,
		`- button "${words.form.joining}" [disabled]`,
		`- status: ${words.form.joining}`,
	],
	joined: [`- paragraph: ${thanks}`, "- status"],
	"a duplicate": [`- paragraph: ${again}`, "- status"],
};

describe.each(pageStates)("$name", ({ name, reach }) => {
	const tags = examplePageStates.some((state) => state.name === name) ? [] : ["slow"];

	test("axe finds nothing, every control can be hit, and nothing is clipped", {
		tags,
	}, async () => {
		const page = await openPage();
		await page.emulateMedia(plain);
		await reach(page);
		if (trees[name]) {
			const tree = await page.locator("body").ariaSnapshot();
			for (const part of [...everywhere, ...trees[name]]) expect(tree).toContain(part);
			// Screen readers get the headline once, as one sentence with all words.
			expect(tree.split(firstWord)).toHaveLength(2);
		}
		for (const width of [1440, 320]) {
			await page.setViewportSize({ width, height: 800 });
			await finishAnimations(page);
			// The moon moves after a resize.
			await expect.poll(() => page.evaluate(examine), { message: `${width} px` }).toEqual([]);
		}
		await page.evaluate(axe.source);
		for (const mode of modesOf(name)) {
			await page.emulateMedia({ ...plain, ...mode.media });
			await finishAnimations(page);
			expect(await findings(page, mode), mode.name).toEqual([]);
		}
	});
});

/** Returns the focused control's name, and a complaint if the control or its ring is invisible. */
function focused(): string {
	const control = document.activeElement as HTMLElement;
	if (control === document.body) return "body";
	const name =
		control.title || control.textContent?.trim() || control.getAttribute("value") || control.id;
	const { outlineStyle, outlineWidth } = getComputedStyle(
		control.closest(".form") && control.id === "email" ? control.closest(".form")! : control,
	);
	if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2) return `${name}, unseen`;
	const { x, y, width, height } = control.getBoundingClientRect();
	const hit = document.elementFromPoint(x + width / 2, y + height / 2);
	return control.contains(hit) ? name : `${name}, covered by ${hit?.className}`;
}

const legal = ["Privacy Policy", "Terms of Service"];
const shareName = `${emoji[1]} ${words.moon.show}`;

const ways: [path: string, order: string[]][] = [
	["/", [brand.product, "Pause animations", "email", words.form.button, ...legal]],
	["/confirmation", [brand.product, "Pause animations", shareName, ...legal]],
	["/no/such/page", [brand.product, words.notFound.home, ...legal]],
];

test.each(ways)(
	"the keyboard moves through %s in reading order with visible focus",
	async (path, order) => {
		const page = await openPage();
		await page.setViewportSize({ width: 320, height: 700 });
		await page.goto(path);
		await waitUntilReady(page);
		if (order.includes(shareName)) await page.getByText(words.moon.show).waitFor();
		const way: string[] = [];
		for (const _ of order) {
			await page.keyboard.press("Tab");
			way.push(await page.evaluate(focused));
		}
		expect(way).toEqual(order);
	},
);

test("after the join message the keyboard continues to its controls", async () => {
	const page = await openPage();
	await pageStates.find(({ name }) => name === "joined")!.reach(page);
	expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(thanks);
	await page.locator(".moon").waitFor();
	for (const next of [words.moon.show, emoji[1], "Privacy Policy"]) {
		await page.keyboard.press("Tab");
		expect(await page.evaluate(focused)).toContain(next);
	}
});

test("Chromium's tree has every paragraph of a legal text, even below the window", async () => {
	const page = await openPage();
	const session = await page.context().newCDPSession(page);
	await page.goto("/terms");
	const { nodes } = await session.send("Accessibility.getFullAXTree");
	const paragraphs = nodes.filter(({ role }) => role?.value === "paragraph");
	expect(paragraphs).toHaveLength(await page.locator("p").count());
	await session.detach();
});

test("forced colors leave no moving picture, all words, and an edge around every control", async () => {
	const page = await openPage();
	await page.emulateMedia({ forcedColors: "active" });
	for (const [path, controls] of [
		["/", [".motion-switch", ".form", ".join"]],
		["/confirmation", [".motion-switch"]],
		["/no/such/page", [".return"]],
	] as const) {
		await page.goto(path);
		expect(await page.locator(".stage").isVisible()).toBe(false);
		for (const control of controls) {
			expect(
				await page.locator(control).evaluate((it) => getComputedStyle(it).borderTopStyle),
				control,
			).toBe("solid");
		}
		// Gradient-filled text would be transparent if forced colors removed the gradient.
		const inks = await page.evaluate(() =>
			[...document.querySelectorAll("main *")].map(
				(it) => getComputedStyle(it).webkitTextFillColor,
			),
		);
		expect(inks).not.toContain("rgba(0, 0, 0, 0)");
	}
});

test("each block of words has one opaque card for visitors who prefer contrast or less transparency", async () => {
	const page = await openPage();
	const session = await page.context().newCDPSession(page);
	onTestFinished(() => page.context().close());
	for (const [path, name, value] of [
		["/", "prefers-reduced-transparency", "reduce"],
		["/", "prefers-contrast", "more"],
		["/confirmation", "prefers-contrast", "more"],
		["/no/such/page", "prefers-contrast", "more"],
	] as const) {
		await session.send("Emulation.setEmulatedMedia", { features: [{ name, value }] });
		await page.goto(path);
		await waitUntilReady(page);
		await page.keyboard.press("Tab");
		expect(await page.evaluate(focused)).toBe(brand.product);
		const { grounds, outside } = await page.evaluate(() => {
			const cards = [...document.querySelectorAll(".block")];
			const isWithin = (it: Element) => {
				const { left, right, top, bottom } = it.getBoundingClientRect();
				return cards
					.map((card) => card.getBoundingClientRect())
					.some(
						(box) =>
							box.left <= left && box.right >= right && box.top <= top && box.bottom >= bottom,
					);
			};
			return {
				grounds: [...cards, ...document.querySelectorAll(".motion-switch")].map(
					(it) => getComputedStyle(it).backgroundColor,
				),
				outside: [...document.querySelectorAll("h1 *, p:not([aria-hidden]), .block a, .slot")]
					.filter((it) => it.checkVisibility({ visibilityProperty: true }))
					.filter((it) => !it.closest(".visually-hidden") && !isWithin(it))
					.map((it) => it.className),
			};
		});
		expect(grounds.length).toBeGreaterThanOrEqual(3);
		for (const ground of grounds) expect(ground).toMatch(/^rgb\(/);
		expect(outside, path).toEqual([]);
	}
});

test("an error is visible at once, with its field, in a small window", async () => {
	const page = await openPage();
	await page.setViewportSize({ width: 320, height: 256 });
	await page.goto("/");
	await waitUntilReady(page);
	await emailField(page).fill("ada");
	await page.keyboard.press("Enter");
	await page.getByText(invalid).waitFor();
	const isSeen = () =>
		page.evaluate(() =>
			["#email", "#email-error"].every((part) => {
				const { top, bottom } = document.querySelector(part)!.getBoundingClientRect();
				return top >= 0 && bottom <= innerHeight;
			}),
		);
	await expect.poll(isSeen).toBe(true);
});

test("nothing is clipped with larger text, wider spacing, or a notch", {
	tags: "slow",
}, async () => {
	const page = await openPage();
	const widths = () =>
		page.evaluate(() => {
			const { scrollWidth, clientWidth } = document.documentElement;
			return [scrollWidth, clientWidth];
		});
	const session = await page.context().newCDPSession(page);
	onTestFinished(() => page.context().close());
	await session.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
	await page.setViewportSize({ width: 360, height: 740 });
	for (const path of ["/", "/confirmation", "/terms", "/no/such/page"]) {
		await page.goto(path);
		await waitUntilReady(page);
		expect(await widths(), path).toEqual([360, 360]);
	}
	await session.send("Page.setFontSizes", { fontSizes: { standard: 16 } });
	await page.setViewportSize({ width: 320, height: 740 });
	for (const path of ["/", "/confirmation", "/no/such/page"]) {
		await page.goto(path);
		// Text spacing of WCAG 1.4.12.
		const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }`;
		await page.addStyleTag({ content: spacing });
		expect(await widths(), path).toEqual([320, 320]);
	}
	await page.setViewportSize({ width: 844, height: 390 });
	await session.send("Emulation.setSafeAreaInsetsOverride", { insets: { left: 47, right: 47 } });
	await page.goto("/");
	await waitUntilReady(page);
	const sides = await page.evaluate(() => [
		document.querySelector(".brand")!.getBoundingClientRect().left,
		innerWidth - document.querySelector(".motion-switch")!.getBoundingClientRect().right,
	]);
	for (const side of sides) expect(side).toBeGreaterThanOrEqual(47);
});
