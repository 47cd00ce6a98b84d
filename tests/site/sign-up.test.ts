import { describe, expect, it, vi } from "vitest";
import * as ours from "#brand";

/** Renders the pages of letters for a brand that names this place to sign up. */
async function rendered(signUp: string) {
	vi.resetModules();
	vi.doMock("#brand", () => ({ ...ours, brand: { ...ours.brand, signUp } }));
	const { renderLetterPages } = await import("../../src/site/prerender/prerender.tsx");
	vi.doUnmock("#brand");
	return renderLetterPages({ bootUrl: "", mainUrl: "", fonts: [] }, {});
}

describe("where the invited sign up", () => {
	it.each(["", "https://app.orbit.example", "https://app.orbit.example/sign-up?from=letter"])(
		"may be “%s”",
		async (signUp) => {
			const pages = await rendered(signUp);
			const page = pages.find(({ file }) => file === "letters/invitation.html")!.content;
			expect(page.includes("Sign-up opens soon")).toBe(signUp === "");
			expect(page.includes(`href="${signUp}" data-part="sign-up"`)).toBe(signUp !== "");
		},
	);
});
