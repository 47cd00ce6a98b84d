/* With missing files, the page stays readable and its form works. */
import { expect, test } from "vitest";
import { headlineStart, thanks } from "../../sentences.ts";
import { emailField, newAddress, readRegistrationsOf, visitPage } from "../visit.ts";

test("without the engine's files a visitor sees the page with a still picture, and joins", async () => {
	const lines: string[] = [];
	const { page } = await visitPage("/", {
		moving: true,
		prepare: (page) => {
			page.on("console", (message) => lines.push(message.text()));
			return page.route(/\/(engine|worker|gl-surface|flat-surface)-[^/]+\.js$/, (route) =>
				route.abort(),
			);
		},
	});
	await expect.poll(() => lines.join()).toContain("engine: not loaded.");
	await page.getByRole("heading", { level: 1, name: headlineStart }).waitFor();
	expect(await page.locator(".sphere").isVisible()).toBe(true);
	expect(await page.locator(".stage").getAttribute("data-backend")).toBeNull();
	const address = newAddress();
	await emailField(page).fill(address);
	await page.keyboard.press("Enter");
	await page.getByText(thanks).waitFor();
	expect(await readRegistrationsOf(address)).toHaveLength(1);
});
