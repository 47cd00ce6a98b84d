/* What a designer sees at the second look: where lines break, and what stays within its place. */
import { expect, test } from "vitest";
import { words } from "#brand";
import { JOIN_PATH } from "#shared/join.ts";
import { invalid } from "../../sentences.ts";
import { cardsOf } from "../cards.ts";
import { email, ready, visit } from "../visit.ts";

type Window = readonly [width: number, height: number];

/** The smallest phones, one on its side, and a desktop at 200 %. */
const narrow: readonly Window[] = [
	[320, 568],
	[640, 360],
];

test("the placeholder is whole in every window, and the note breaks between its sentences", async () => {
	const { page } = await visit("/");
	await page.evaluate(() => document.fonts.ready);
	for (const [width, height] of narrow) {
		await page.setViewportSize({ width, height });
		const [room, needed, lines, sentences] = await page.evaluate(() => {
			const field = document.querySelector<HTMLInputElement>("#email")!;
			const { font, paddingLeft, paddingRight } = getComputedStyle(field);
			const context = document.createElement("canvas").getContext("2d")!;
			context.font = font;
			const note = document.querySelector(".note")!;
			const tops = [...note.children].map((it) => it.getClientRects());
			return [
				field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight),
				context.measureText(field.placeholder).width,
				tops.map((boxes) => boxes.length),
				note.textContent,
			] as const;
		});
		const name = `${width} x ${height}`;
		expect(needed, name).toBeLessThan(room);
		expect(sentences).toBe(words.form.note);
		expect(new Set(lines), name).toEqual(new Set([1]));
	}
});

test("an error stands where the note stood, and is as large", async () => {
	// It does not shake there.
	const { page } = await visit("/", { reducedMotion: "reduce" });
	for (const [width, height] of [
		[844, 390],
		[390, 844],
	] as const) {
		await page.setViewportSize({ width, height });
		await page.goto("/");
		await ready(page);
		const place = (selector: string) =>
			page.locator(selector).evaluate((it) => {
				const { top, left, right } = it.getBoundingClientRect();
				return [top, getComputedStyle(it).fontSize, Math.round((left + right) / 2)];
			});
		const note = await place(".note");
		await email(page).fill("ada");
		await page.keyboard.press("Enter");
		await page.getByText(invalid).waitFor();
		expect(await place(".error"), `${width} x ${height}`).toEqual(note);
	}
});

test("while joining, colours go round the pill's edge, and stand where motion is not wanted", async () => {
	const { page } = await visit("/");
	await page.route(`**${JOIN_PATH}`, () => {});
	const sweeps = () =>
		page.evaluate(() =>
			document
				.getAnimations()
				.map((it) => (it as CSSAnimation).animationName)
				.filter((name) => name === "sweep"),
		);
	for (const reducedMotion of ["no-preference", "reduce"] as const) {
		await page.emulateMedia({ reducedMotion });
		await page.goto("/");
		await ready(page);
		await email(page).fill("ada@example.com");
		await page.keyboard.press("Enter");
		await page.getByRole("button", { name: words.form.joining }).waitFor();
		expect(await sweeps()).toEqual(reducedMotion === "reduce" ? [] : ["sweep"]);
	}
});

test("no heading is set tighter than the largest one", async () => {
	const { page } = await visit("/");
	const spacings = () =>
		page.locator("h1, h2").evaluateAll((all) =>
			all.map((it) => {
				const { letterSpacing, fontSize } = getComputedStyle(it);
				return Number.parseFloat(letterSpacing) / Number.parseFloat(fontSize);
			}),
		);
	for (const path of ["/", "/privacy"]) {
		await page.goto(path);
		for (const spacing of await spacings()) expect(spacing, path).toBeGreaterThan(-0.0125);
	}
});

test("a legal text and its contents stand side by side in the middle of the largest window", async () => {
	const { page } = await visit("/privacy", { viewport: { width: 2560, height: 1440 } });
	const boxes = await page.locator(".contents li, .legal-text p").evaluateAll((all) => {
		const sides = all.map((it) => it.getBoundingClientRect());
		const list = sides.filter((_, n) => all[n]!.matches("li"));
		return {
			left: Math.min(...sides.map(({ left }) => left)),
			right: 2560 - Math.max(...sides.map(({ right }) => right)),
			listEnds: Math.max(...list.map(({ right }) => right)),
			textBegins: Math.min(...sides.filter((it) => !list.includes(it)).map(({ left }) => left)),
		};
	});
	expect(Math.abs(boxes.left - boxes.right)).toBeLessThan(120);
	expect(boxes.textBegins - boxes.listEnds).toBeGreaterThan(0);
	expect(boxes.textBegins - boxes.listEnds).toBeLessThan(120);
});

test("figures rise above the sentence below the number", async () => {
	const { page } = await visit("/confirmation");
	for (const [width, height] of [[844, 390]] as const) {
		await page.setViewportSize({ width, height });
		const [slots, words] = await page.evaluate(() => {
			const line = document.createRange();
			line.selectNodeContents(document.querySelector(".place + .remark")!);
			// Where figures fade: `mask` in pages.css.
			const slots = [...document.querySelectorAll(".slot")].map(
				(it) =>
					it.getBoundingClientRect().bottom -
					0.08 * Number.parseFloat(getComputedStyle(it).fontSize),
			);
			return [Math.max(...slots), line.getBoundingClientRect().top] as const;
		});
		expect(slots, `${width} x ${height}`).toBeLessThanOrEqual(words + 1);
	}
});

test("what is lost flies on the near side of the sphere's orbit, clear of the words", async () => {
	const { page } = await visit("/no/such/page", { reducedMotion: "reduce" });
	for (const [width, height] of [
		[390, 844],
		[1440, 900],
	] as const) {
		await page.setViewportSize({ width, height });
		const seen = await page.evaluate(() => {
			const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
			const [letter, sphere] = [box(".stray"), box(".sphere")];
			const [x, y] = [letter.x + letter.width / 2, letter.y + letter.height / 2];
			const right = (x - sphere.x - sphere.width / 2) / sphere.width;
			const orbit = getComputedStyle(document.querySelector(".nowhere")!, "::before");
			const middle = Number.parseFloat(orbit.top) + Number.parseFloat(orbit.height) / 2;
			const down = (y - middle) / sphere.width;
			const turn = (18 * Math.PI) / 180;
			const along = right * Math.cos(turn) - down * Math.sin(turn);
			const across = right * Math.sin(turn) + down * Math.cos(turn);
			const covered = [...document.querySelectorAll("main :is(h1, .remark, a)")].filter((it) => {
				const line = document.createRange();
				line.selectNodeContents(it);
				const { left, right, top, bottom } = line.getBoundingClientRect();
				return (
					left < letter.right && right > letter.left && top < letter.bottom && bottom > letter.top
				);
			});
			return {
				onOrbit: Math.hypot(along / 0.61, across / 0.17),
				near: across > 0,
				inside: letter.left >= 0 && letter.right <= innerWidth,
				covered: covered.length,
			};
		});
		const name = `${width} x ${height}`;
		expect(seen.onOrbit, name).toBeCloseTo(1, 1);
		expect(seen, name).toMatchObject({ near: true, inside: true, covered: 0 });
	}
});

test("with more contrast no card lies on another, and each ends before the window does", {
	tags: "slow",
}, async () => {
	const { page } = await visit("/");
	await page.emulateMedia({ contrast: "more" });
	for (const path of ["/", "/confirmation"]) {
		await page.goto(path);
		await ready(page);
		for (const [width, height] of [
			[844, 390],
			[390, 844],
		] as const) {
			await page.setViewportSize({ width, height });
			const cards = await cardsOf(page);
			const name = `${path} ${width} x ${height}`;
			expect(cards, name).toHaveLength(3);
			for (const [i, card] of cards.entries()) {
				expect(card.top, name).toBeGreaterThan(0);
				for (const other of cards.slice(0, i)) {
					const [across, down] = [card.left - other.right, card.top - other.bottom];
					expect(Math.max(across, down), name).toBeGreaterThan(0);
				}
			}
			expect(cards[2]!.bottom, name).toBeLessThan(height);
		}
	}
});
