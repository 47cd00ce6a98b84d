/*
 * Shows emails as sent, in dark mode, and without their style element, as some mail programs do.
 * Screenshots are in node_modules/.cache/letters/*.png.
 */
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import axe from "axe-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inks, sky } from "#brand";
import { browserNames, openBrowser } from "../../../../bench/harness/browsers/open-browser.ts";
import { renderEmail } from "../../../../src/server/mail/templates/render-email.ts";
import { computedColor } from "../visit.ts";

const unsubscribeUrl = `https://orbit.example/unsubscribe/${"p6en".repeat(10)}p6c`;
const { html } = renderEmail("confirm", {
	confirmUrl: `https://orbit.example/confirm/${"Wlpa".repeat(12)}`,
	unsubscribeUrl,
});
const code = "7G2K-M0QX-1F9D-W8ZR";
const link = `https://orbit.example/invitation#${code}`;
const { html: invitation } = renderEmail("invitation", {
	unsubscribeUrl,
	code,
	link,
	expiresAt: "2026-12-06T21:00:00.000Z",
	message: {
		subject: `Come in, ${"early".repeat(20)} bird`,
		message: `${"Donaudampfschifffahrts".repeat(4)}!\n\nRead https://orbit.example/${"blog-".repeat(12)}first.\n\n{code}\n\nOr {link}, until {expires}.\n\n{link}`,
	},
});

const dark = (letter: string) => letter.replace("(prefers-color-scheme: dark)", "all");

/** Dark variants have edited style rules, because not all browsers can force dark mode on a frame. */
const variants: Record<string, string> = {
	light: html,
	dark: dark(html),
	bare: html.replace(/<style>.*?<\/style>/s, ""),
	invitation,
	"invitation-dark": dark(invitation),
};

const widths = [320, 600];
const frames = Object.keys(variants).flatMap((variant) =>
	widths.map((width) => ({ name: `${variant}, ${width} px`, variant, width })),
);

const pictures = "node_modules/.cache/letters";
let server: Server;
let url = "";

beforeAll(async () => {
	await mkdir(pictures, { recursive: true });
	const all = frames.map(
		({ name, variant, width }) =>
			`<iframe title="${name}" src="/${variant}" width="${width}" height="1400"></iframe>`,
	);
	const documents = new Map([["/", `<!doctype html><title>Letters</title>${all.join("")}`]]);
	for (const [variant, letter] of Object.entries(variants)) {
		documents.set(`/${variant}`, `${letter}<script src="/axe.js"></script>`);
	}
	server = createServer(({ url = "" }, response) => {
		const type = url === "/axe.js" ? "text/javascript" : "text/html";
		response.setHeader("content-type", `${type}; charset=utf-8`);
		response.end(url === "/axe.js" ? axe.source : documents.get(url));
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(() => server?.close());

interface Seen {
	name: string;
	/** Horizontal scroll in CSS px. */
	sideways: number;
	/** axe findings, except for words on a gradient, which it cannot judge. */
	found: string[];
	colors: string[];
	/** Heights of the button and the unsubscribe link, in CSS px. */
	heights: number[];
}

/** Runs in the browser. */
async function look(): Promise<Seen[]> {
	const seen: Seen[] = [];
	for (const frame of document.querySelectorAll("iframe")) {
		const { contentDocument, contentWindow } = frame;
		const letter = contentDocument!;
		const { axe } = contentWindow as unknown as { axe: typeof import("axe-core") };
		const { violations, incomplete } = await axe.run(letter, {
			runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
		});
		const { scrollWidth, clientWidth } = letter.documentElement;
		const color = (selector: string, name: "color" | "backgroundColor") =>
			getComputedStyle(letter.querySelector(selector)!)[name];
		seen.push({
			name: frame.title,
			sideways: scrollWidth - clientWidth,
			found: [...violations, ...incomplete].map(
				({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`,
			),
			colors: [
				color("body", "backgroundColor"),
				color("h1", "color"),
				color(".button", "backgroundColor"),
			],
			heights: [".button a", "a[href*='/unsubscribe/']"].map(
				(selector) => letter.querySelector(selector)!.getBoundingClientRect().height,
			),
		});
	}
	return seen;
}

const day = [sky.morning.colors[0]!, inks.morning.ink, inks.morning.button].map(computedColor);
const night = [sky.night.colors[0]!, inks.night.ink, inks.night.ink].map(computedColor);

test.concurrent.each(browserNames)(
	"%s shows emails without horizontal scrolling, in readable colors, in dark mode, too",
	{ tags: "slow" },
	async (name) => {
		const browser = await openBrowser(name, { args: ["--window-size=1400,1000"] });
		try {
			await browser.open(url);
			await writeFile(`${pictures}/${name}.png`, await browser.photograph());
			const seen = (await browser.evaluate(`(${look})()`)) as Seen[];
			expect(seen.map(({ heights: _, ...rest }) => rest)).toEqual(
				frames.map(({ name, variant }) => ({
					name,
					sideways: 0,
					found: [],
					colors: variant.endsWith("dark") ? night : day,
				})),
			);
			for (const { name, heights } of seen) {
				expect(Math.min(...heights), name).toBeGreaterThanOrEqual(44);
			}
		} finally {
			await browser.close();
		}
	},
);
