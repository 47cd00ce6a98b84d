import { expect, it } from "vitest";
import { readAudit } from "../../../src/server/registrations/audit.ts";
import { given, readPeople } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { openCommandSetup } from "../commands/command-setup.ts";
import { hiddenFieldsOf, openAdmin, textWithoutMarkup } from "./open-admin.ts";

const FILE = `E-Mail,Joined,Favorite color,Status
ada@example.com,2026-11-01,red,subscribed
"Bob <bob@example.com>",2026-11-02 10:00,,unsubscribed
nobody,2026-11-03,,
<b>@example.com,2026-11-04,,
`;

async function openImport(options?: Parameters<typeof openAdmin>[1]) {
	const admin = await openAdmin(kind, options);
	const session = await admin.signIn();
	async function send(fields: Record<string, string>, name = "", text = "") {
		const form = new FormData();
		for (const [field, value] of Object.entries(fields)) form.set(field, value);
		if (name) form.set("file", new File([text], name, { type: "text/csv" }));
		const request = new Response(form);
		const type = { "content-type": request.headers.get("content-type")! };
		return admin.post("/people/import", { ...session, ...type }, await request.text());
	}
	return { ...admin, session, send };
}

it(`imports a file on ${kind} after showing how it is read`, async () => {
	const setup = await openCommandSetup(kind);
	const { database, get, later, send, session } = await openImport({ setup });
	await given.people(database, [{ email: "ada@example.com", source: "fair" }]);
	expect((await get("/people/import", session)).text).toContain('type="file"');
	const preview = await send({ source: "friends" }, "list.csv", FILE);
	const words = textWithoutMarkup(preview.text);
	expect(words).toContain("New 1 Already on the list 1 Rejected 2");
	expect(words).toContain("Ignored columns: Favorite color.");
	expect(words).toMatch(/Line 4 email nobody /);
	expect(words).toContain("Add 1 person");
	expect(preview.text).not.toContain("<b>@");
	expect(await readPeople(database)).toHaveLength(1);
	later(1);
	const done = await send({ ...hiddenFieldsOf(preview.text), step: "import" });
	expect(textWithoutMarkup(done.text)).toContain("Added 1 Already on the list 1 Rejected 2");
	expect(await readPeople(database)).toMatchObject([
		{ email: "ada@example.com", source: "fair" },
		{ email: "bob@example.com", source: "friends", joined: "2026-11-02T10:00:00.000Z" },
	]);
	expect((await get("/people/bob%40example.com", session)).text).toContain("they unsubscribed");
	const [noted] = await readAudit(database, undefined, 1);
	expect(noted).toMatchObject({ action: "import started", details: "friends" });
});

it(`refuses a file on ${kind} that it cannot read, and one of more than 1 MB`, async () => {
	const { post, send, session } = await openImport();
	for (const [text, sentence, source = "import"] of [
		['email\n"ada', "The file cannot be read: line "],
		["", "Choose a file."],
		["a@example.com", "The source must", "\u0007"],
		["a@example.com\n".repeat(80_000), "The file is larger than 1 MB"],
	] as const) {
		expect((await send({ source }, "a.csv", text)).text).toContain(sentence);
	}
	const type = { "content-type": "multipart/form-data; boundary=x" };
	expect((await post("/people/import", { ...session, ...type }, "no parts")).status).toBe(400);
});
