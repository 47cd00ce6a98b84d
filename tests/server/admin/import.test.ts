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

const BOUNDARY = "----FormBoundary7MA4YWxkTrZu0gW";
const MULTIPART = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };

function multipart(fields: Record<string, string>, file?: { name: string; text: string }) {
	const parts = Object.entries(fields).map(([name, value]) => [`name="${name}"`, value]);
	if (file)
		parts.push([`name="file"; filename="${file.name}"\r\ncontent-type: text/csv`, file.text]);
	const body = parts.map(
		([head, value]) =>
			`--${BOUNDARY}\r\ncontent-disposition: form-data; ${head}\r\n\r\n${value}\r\n`,
	);
	return `${body.join("")}--${BOUNDARY}--\r\n`;
}

it(`imports a file on ${kind} after showing how it is read`, async () => {
	const setup = await openCommandSetup(kind);
	const { database, get, later, post, signIn } = await openAdmin(kind, { setup });
	const session = { ...(await signIn()), ...MULTIPART };
	await given.people(database, [{ email: "ada@example.com", source: "fair" }]);
	expect((await get("/people/import", session)).text).toContain('type="file"');
	const send = (fields: Record<string, string>, file?: { name: string; text: string }) =>
		post("/people/import", session, multipart(fields, file));
	const preview = await send({ source: "friends" }, { name: "list.csv", text: FILE });
	const words = textWithoutMarkup(preview.text);
	expect(words).toContain("New 1 Already there 1 Refused 2");
	expect(words).toContain("Ignored columns: Favorite color.");
	expect(words).toMatch(/Line 4 email nobody /);
	expect(words).toContain("Add 1 person");
	expect(preview.text).not.toContain("<b>@");
	expect(await readPeople(database)).toHaveLength(1);
	later(1);
	const done = await send({ ...hiddenFieldsOf(preview.text), step: "import" });
	expect(textWithoutMarkup(done.text)).toContain("Added 1 Already there 1 Refused 2");
	expect(await readPeople(database)).toMatchObject([
		{ email: "ada@example.com", source: "fair" },
		{ email: "bob@example.com", source: "friends", joined: "2026-11-02T10:00:00.000Z" },
	]);
	expect((await get("/people/bob%40example.com", session)).text).toContain("they unsubscribed");
	const [noted] = await readAudit(database, undefined, 1);
	expect(noted).toMatchObject({ action: "import started", details: "friends" });
});

it(`refuses a file on ${kind} that it cannot read, and one of more than 1 MB`, async () => {
	const { post, signIn } = await openAdmin(kind);
	const session = { ...(await signIn()), ...MULTIPART };
	const send = (name: string, text: string, source = "import") =>
		post("/people/import", session, multipart({ source }, { name, text }));
	expect((await send("a.csv", 'email\n"ada')).text).toContain("The file cannot be read: line ");
	expect((await send("a.csv", "")).text).toContain("Choose a file.");
	expect((await send("a.txt", "a@example.com", "\u0007")).text).toContain("The source must");
	const large = await send("a.txt", "a@example.com\n".repeat(80_000));
	expect(large.text).toContain("The file has more than 1 MB");
	expect((await post("/people/import", session, "no parts")).status).toBe(400);
});
