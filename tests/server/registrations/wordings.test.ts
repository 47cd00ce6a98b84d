import { expect, it } from "vitest";
import { createWordings } from "../../../src/server/registrations/wordings.ts";

const shown = { form: "Join", terms: "Terms", privacy: "Privacy", confirm: "Confirm" };

it("a changed legal text changes the version of the form", () => {
	const { form } = createWordings(shown);
	expect(form.version).toMatch(/^[\da-f]{12}$/);
	expect(createWordings({ ...shown }).form).toEqual(form);
	for (const changed of ["form", "terms", "privacy"] as const) {
		expect(createWordings({ ...shown, [changed]: "Other" }).form.version).not.toBe(form.version);
	}
});
