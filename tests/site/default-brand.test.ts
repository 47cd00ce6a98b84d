/* The sentences that the specification requires. */
import { describe, expect, test } from "vitest";
import { brand, emoji } from "#brand";
import { errors, words } from "#words";
import { EMOJI } from "../../engine/simulation/index.ts";
import { headline } from "./sentences.ts";

describe.runIf(brand.product === "Orbit")("the default brand", () => {
	test("has a headline with five words", () => {
		expect(headline).toBe(
			"Email, but make it Orbit smart, beautiful, useful, personal and curated",
		);
		expect(words.headline.turning).toHaveLength(5);
	});

	test("asks for an address", () => {
		expect(words.form).toMatchObject({
			prompt: "Join the waitlist now",
			label: "Email address",
			placeholder: "you@example.com",
			button: "Join waitlist",
			joining: "Joining...",
		});
	});

	test("responds with a message in every case", () => {
		expect(words.messages).toEqual({
			joined: "Thanks! You've been added to the waitlist. We'll be in touch soon! ✨",
			confirm: "Check your inbox to confirm.",
			duplicate: "We see you. We see your inbox chaos. We got you, stay tuned! ✨",
			failed: "Failed to join waitlist. Please try again.",
			emailMissing: "Please enter your email address",
			emailInvalid: "Please enter a valid email address",
			emailTooLong: "This email address is too long",
		});
		expect(errors.duplicate).toBe("This email is already on the waitlist.");
	});

	test("congratulates with a fixed number", () => {
		expect(words.confirmation).toMatchObject({
			title: "Congratulations!",
			before: "Your spot on the waitlist is",
			position: "24,986",
			after: "We'll be in touch soon",
		});
	});

	test("links home from the not-found page", () => {
		expect(words.notFound).toMatchObject({ title: "Oops! Page not found", home: "Return to Home" });
	});

	test("has as many emoji as the engine, of which the fifth is a rocket", () => {
		expect(emoji).toHaveLength(EMOJI.length);
		expect(emoji[4]).toBe("🚀");
	});

	test("has English heads, and an address that cannot be real", () => {
		expect(brand).toMatchObject({ language: "en", country: "the United States" });
		expect(brand.email).toMatch(/@orbit\.example$/);
		expect(words.title).toBe("Orbit · Email, but smart");
	});
});
