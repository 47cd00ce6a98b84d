/* What the site says as it comes: each sentence to the letter, here and nowhere else. */
import { describe, expect, test } from "vitest";
import { brand, emoji, words } from "#brand";
import { DUPLICATE_ERROR } from "#shared/join.ts";
import { headline } from "./sentences.ts";

describe.runIf(brand.product === "Orbit")("the brand that the site comes with", () => {
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
			note: "",
		});
	});

	test("answers with a sentence, whatever happens", () => {
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

	test("congratulates, with a fixed number", () => {
		expect(words.confirmation).toEqual({
			title: "Congratulations!",
			before: "Your spot on the waitlist is",
			position: "24,986",
			after: "We'll be in touch soon",
		});
	});

	test("leads home from what is not found", () => {
		expect(words.notFound).toEqual({ title: "Oops! Page not found", home: "Return to Home" });
	});

	test("has 20 emoji, of which the fifth is a rocket", () => {
		expect(emoji).toHaveLength(20);
		expect(emoji[4]).toBe("🚀");
	});

	test("has English heads, and an address that cannot be real", () => {
		expect(brand).toMatchObject({ language: "en", country: "the United States" });
		expect(brand.email).toMatch(/@orbit\.example$/);
		expect(words.title).toBe("Orbit · Email, but smart");
	});
});
