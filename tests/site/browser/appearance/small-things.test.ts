/* Details a designer would notice: line breaks and overflow. */
import { expect, test } from "vitest";
import { words } from "#words";
import { invalid } from "../../sentences.ts";
import { emailField, visitPage, waitUntilReady } from "../visit.ts";

type Window = readonly [width: number, height: number];

/** The smallest phones, one in landscape, and a desktop at 200%. */
const narrow: readonly Window[] = [
	[320, 568],
	[640, 360],
];

test("the placeholder is fully visible in every window, and the note breaks between its sentences", async () => {
	const { page } = await visitPage("/");
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

test("an error takes the note's place and size", async () => {
	// With reduced motion, nothing moves while being measured.
	const { page } = await visitPage("/", { reducedMotion: "reduce" });
	for (const [width, height] of [
		[844, 390],
		[390, 844],
	] as const) {
		await page.setViewportSize({ width, height });
		await page.goto("/");
		await waitUntilReady(page);
		const place = (selector: string) =>
			page.locator(selector).evaluate((it) => {
				const { top, left, right } = it.getBoundingClientRect();
				return [top, getComputedStyle(it).fontSize, Math.round((left + right) / 2)];
			});
		const note = await place(".note");
		await emailField(page).fill("ada");
		await page.keyboard.press("Enter");
		await page.getByText(invalid).waitFor();
		expect(await place(".error"), `${width} x ${height}`).toEqual(note);
	}
});

test("the stray emoji flies inside the window, clear of the words", async () => {
	const { page } = await visitPage("/no/such/page", { reducedMotion: "reduce" });
	for (const [width, height] of [
		[390, 844],
		[1440, 900],
	] as const) {
		await page.setViewportSize({ width, height });
		const covered = await page.evaluate(() => {
			const letter = document.querySelector(".stray")!.getBoundingClientRect();
			const words = [...document.querySelectorAll("main :is(h1, .remark, a)")].filter((it) => {
				const line = document.createRange();
				line.selectNodeContents(it);
				const { left, right, top, bottom } = line.getBoundingClientRect();
				return (
					left < letter.right && right > letter.left && top < letter.bottom && bottom > letter.top
				);
			});
			return letter.left >= 0 && letter.right <= innerWidth ? words.length : "cut off";
		});
		expect(covered, `${width} x ${height}`).toBe(0);
	}
});
