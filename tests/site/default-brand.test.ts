/* The default site texts: each sentence verbatim, here and nowhere else. */
import { afterEach, describe, expect, test, vi } from "vitest";
import * as ours from "#brand";
import { DUPLICATE_ERROR } from "#shared/join.ts";
import { headline } from "./sentences.ts";

const { brand, emoji, words } = ours;

afterEach(() => {
	vi.doUnmock("#brand");
	vi.resetModules();
});

/** Texts of the pages behind email links, for a brand with this sign-up URL. */
async function letterWords(signUp: string) {
	vi.resetModules();
	vi.doMock("#brand", () => ({ ...ours, brand: { ...brand, signUp } }));
	return await import("../../src/site/letters/words.ts");
}

describe.runIf(brand.product === "Orbit")("the default brand", () => {
	test("has a headline with five words", () => {
		expect(headline).toBe(
			"Email, but make it Orbit smart, beautiful, useful, personal and curated",
		);
		expect(words.headline.turning).toHaveLength(5);
	});

	test("asks for an address", () => {
		expect(words.form).toEqual({
			prompt: "Join the waitlist now",
			label: "Email address",
			placeholder: "you@example.com",
			button: "Join waitlist",
			joining: "Joining...",
			note: "AI that sums up, sorts and finds. Your mail never trains it.",
		});
	});

	test("responds with a message in every case", () => {
		expect(words.messages).toEqual({
			joined: "Thanks! You've been added to the waitlist. We'll be in touch soon! ✨",
			duplicate: "We see you. We see your inbox chaos. We got you, stay tuned! ✨",
			failed: "Failed to join waitlist. Please try again.",
			emailMissing: "Please enter your email address",
			emailInvalid: "Please enter a valid email address",
			emailTooLong: "This email address is too long",
		});
		expect(DUPLICATE_ERROR).toBe("This email is already on the waitlist.");
	});

	test("congratulates with a fixed number", () => {
		expect(words.confirmation).toEqual({
			title: "Congratulations!",
			before: "Your spot on the waitlist is",
			position: "24,986",
			after: "We'll be in touch soon",
		});
	});

	test("links home from the not-found page", () => {
		expect(words.notFound).toEqual({
			title: "Oops! Page not found",
			joke: "We even looked in the spam folder.",
			home: "Return to Home",
		});
	});

	test("invites before sign-up is open and after", async () => {
		const { letterPageWords: before } = await letterWords("");
		expect(before.invitation).toEqual({
			heading: "You are invited",
			words: "Sign-up opens soon, and your code is your way in.",
		});
		const { letterPageWords: after, invitationWords } = await letterWords("https://app.example/");
		expect(after.invitation).toEqual({
			heading: "You are invited",
			words: "Your code works once, for the address that your letter came to.",
		});
		expect(invitationWords).toEqual({
			withoutCode: "Copy the code from your letter: you need it to sign up.",
			copy: "Copy",
			copied: "Copied",
			label: "Your code:",
			marked: "Selected. Now copy it with your keyboard",
			signUp: "Sign up for Orbit",
		});
	});

	test("lets people confirm and leave", async () => {
		const { confirmButton, leaveChoices, letterPageWords: pages } = await letterWords("");
		expect([confirmButton, leaveChoices.stop.button, leaveChoices.delete.button]).toEqual([
			"Confirm my address",
			"Stop the letters",
			"Delete my record",
		]);
		expect([pages.confirmed.heading, pages.left.heading, pages.deleted.heading]).toEqual([
			"Now we know where to find you",
			"No more letters",
			"Your record is deleted",
		]);
	});

	test("has 20 emoji, with a rocket in fifth place", () => {
		expect(emoji).toHaveLength(20);
		expect(emoji[4]).toBe("🚀");
	});

	test("has English heads, and an address that cannot be real", () => {
		expect(brand).toMatchObject({ language: "en", country: "the United States" });
		expect(brand.email).toMatch(/@orbit\.example$/);
		expect(words.title).toBe("Orbit · Email, but smart");
	});
});
