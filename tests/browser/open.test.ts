import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { launchChromium } from "../browsers/chromium.ts";
import { startServer } from "../server/server-process.ts";
import { temporaryFolder } from "../server/temporary.ts";
import { states } from "./states.ts";

/*
 * WCAG 2.2 AA on every page and in every state, as far as machines can tell: what axe knows, and
 * what it does not see: controls that are covered, small, cut off or lost to the keyboard.
 */

let browser: Browser;

beforeAll(async () => {
	browser = await launchChromium();
});

afterAll(() => browser?.close());

/**
 * A page of its own, on a server of its own, for a visitor who saves data: the moving picture, which
 * has no controls, would only take its time. axe is a stranger to the site's policy.
 */
async function openPage(): Promise<Page> {
	const server = await startServer({ folder: await temporaryFolder() });
	const context = await browser.newContext({ baseURL: server.url, bypassCSP: true });
	await context.addInitScript(() =>
		Object.defineProperty(navigator, "connection", { value: { saveData: true } }),
	);
	onTestFinished(() => context.close());
	return context.newPage();
}

interface Mode {
	name: string;
	media?: Parameters<Page["emulateMedia"]>[0];
	width?: number;
	/** axe reads the author's colours, which the visitor's have replaced. */
	withoutColours?: boolean;
}

const modes: readonly Mode[] = [
	{ name: "light" },
	{ name: "dark", media: { colorScheme: "dark" } },
	{ name: "forced colours", media: { forcedColors: "active" }, withoutColours: true },
	{ name: "less motion", media: { reducedMotion: "reduce" } },
	{ name: "more contrast", media: { contrast: "more" } },
	{ name: "320 px", width: 320 },
	{ name: "256 px", width: 256 },
];

const plain = {
	colorScheme: "light",
	forcedColors: "none",
	reducedMotion: "no-preference",
} as const;

async function enter(page: Page, { media, width = 1280 }: Mode): Promise<void> {
	await page.emulateMedia({ ...plain, contrast: "no-preference", ...media });
	await page.setViewportSize({ width, height: width < 400 ? 640 : 800 });
}

/** What axe finds, in words that lead there. */
async function findings(page: Page, { withoutColours = false }: Mode): Promise<string[]> {
	const { violations } = await page.evaluate(async (withoutColours) => {
		const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
		return axe.run(document, {
			runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
			rules: { "color-contrast": { enabled: !withoutColours } },
			resultTypes: ["violations"],
		});
	}, withoutColours);
	return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`);
}

test.each(states)(
	"axe finds nothing: $name",
	async ({ reach }) => {
		const page = await openPage();
		await reach(page);
		await page.evaluate(axe.source);
		const found: Record<string, string[]> = {};
		for (const mode of modes) {
			await enter(page, mode);
			found[mode.name] = await findings(page, mode);
		}
		expect(found).toEqual(Object.fromEntries(modes.map(({ name }) => [name, []])));
	},
	120_000,
);

/** What is wrong with the controls of a page as it lies before the visitor. */
function examine(): string[] {
	const complaints: string[] = [];
	const { scrollWidth, clientWidth } = document.documentElement;
	if (scrollWidth > clientWidth)
		complaints.push(`scrolls sideways by ${scrollWidth - clientWidth}`);
	for (const control of document.querySelectorAll<HTMLElement>(
		"a, button, input, [tabindex='0']",
	)) {
		if (!control.checkVisibility({ visibilityProperty: true })) continue;
		if (control.matches("[type=hidden]")) continue;
		control.scrollIntoView({ block: "center", behavior: "instant" });
		const name = control.ariaLabel ?? (control.textContent?.trim() || control.id);
		for (const { x, y, width, height } of control.getClientRects()) {
			// Links within a sentence may be as small as its letters (WCAG 2.5.8).
			const inline = control.matches("p a, li a") && !control.closest("nav");
			if (!inline && (width < 24 || height < 24))
				complaints.push(`${name} is ${width} x ${height}`);
			for (const [partX, partY] of [
				[0.5, 0.5],
				[0.1, 0.5],
				[0.9, 0.5],
				[0.5, 0.15],
				[0.5, 0.85],
			] as const) {
				const hit = document.elementFromPoint(x + width * partX, y + height * partY);
				if (!hit || !control.contains(hit))
					complaints.push(`${name} is covered by ${hit?.className || hit?.tagName}`);
			}
		}
	}
	return complaints;
}

test.each(states)(
	"every control can be hit, and nothing is cut off: $name",
	async ({ reach }) => {
		const page = await openPage();
		await reach(page);
		const found: Record<number, string[]> = {};
		for (const width of [1440, 412, 320, 256]) {
			await page.setViewportSize({ width, height: 800 });
			found[width] = await page.evaluate(examine);
		}
		expect(found).toEqual({ 1440: [], 412: [], 320: [], 256: [] });
	},
	60_000,
);
