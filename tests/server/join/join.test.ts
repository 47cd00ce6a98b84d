import { describe, expect, it, onTestFinished, vi } from "vitest";
import { brand } from "#brand";
import { EMAIL_INVALID, EMAIL_MISSING, EMAIL_TOO_LONG } from "#shared/email.ts";
import { DUPLICATE_ERROR, FAILED_MESSAGE, SOURCE } from "#shared/join.ts";
import { readRows } from "../../read-rows.ts";
import { expectRefusal, JSON_TYPE, openApp } from "../open-app.ts";

const SOURCE_ERROR = "The source must be 1 to 64 printable characters.";
const OBJECT_ERROR = "Please send a JSON object with an email.";

/** Lets somebody new join each time. */
async function openSources() {
	const { post, file } = await openApp();
	let visitor = 0;
	return {
		join: (fields: object) =>
			post(JSON.stringify({ email: `${visitor++}@example.com`, ...fields })),
		sources: () => readRows(file).map(({ source }) => source),
	};
}

describe("a registration", () => {
	it("gets 201 and is kept with time, source and the terms shown", async () => {
		vi.setSystemTime("2026-11-21T09:30:00.123Z");
		onTestFinished(() => void vi.useRealTimers());
		const { joinWith, file } = await openApp();
		const response = await joinWith(" Ada@Bücher.example ");
		expect(response.status).toBe(201);
		expect(response.headers.get("cache-control")).toBe("no-store");
		expect(await response.json()).toEqual({ status: "registered" });
		expect(readRows(file)).toEqual([
			{
				key: "ada@xn--bcher-kva.example",
				email: "Ada@Bücher.example",
				source: SOURCE,
				createdAt: "2026-11-21T09:30:00.123Z",
				terms: brand.legalEffectiveDate,
				flags: "",
			},
		]);
	});

	it.each(["website", "Website"])("is marked when the hidden field is filled: %s", async (name) => {
		const { post, form, file } = await openApp();
		const json = JSON.stringify({ email: "ada@example.com", [name]: "https://spam.example" });
		expect((await post(json)).status).toBe(201);
		expect((await form({ email: "bob@example.com", [name]: "x" })).status).toBe(201);
		expect((await form({ email: "eve@example.com", [name]: "" })).status).toBe(201);
		const empty = JSON.stringify({ email: "nil@example.com", [name]: null });
		expect((await post(empty)).status).toBe(201);
		const flag = name === "website" ? "trap" : "";
		expect(readRows(file).map(({ flags }) => flags)).toEqual([flag, flag, "", ""]);
	});

	it("is marked beyond the limit of its address, and by the trap alone where both would", async () => {
		const { post, file } = await openApp({ WAITLIST_ADDRESS_LIMIT: "1/10m" });
		for (const [name, website] of [["ada"], ["bob"], ["eve", "x"]] as const) {
			const body = JSON.stringify({ email: `${name}@example.com`, website });
			expect((await post(body, JSON_TYPE, "192.0.2.1")).status).toBe(201);
		}
		expect(readRows(file).map(({ flags }) => flags)).toEqual(["", "crowd", "trap"]);
	});

	it("is a duplicate in another case, spelling and spacing", async () => {
		const { joinWith } = await openApp();
		await joinWith("ada@bücher.example");
		for (const email of [
			"ADA@BÜCHER.EXAMPLE",
			"ada@xn--bcher-kva.example.",
			" ada@bücher.example",
		]) {
			await expectRefusal(await joinWith(email), 409, DUPLICATE_ERROR);
		}
	});

	it("may leave its source out", async () => {
		const { post, file } = await openApp();
		expect((await post('{"email":"ada@example.com"}')).status).toBe(201);
		expect(readRows(file)).toMatchObject([{ source: SOURCE }]);
	});

	it("may have a source of 64 characters, and no more", async () => {
		const { post } = await openApp();
		const join = (length: number) =>
			post(JSON.stringify({ email: "ada@example.com", source: "s".repeat(length) }));
		expect((await join(64)).status).toBe(201);
		await expectRefusal(await join(65), 400, SOURCE_ERROR);
	});

	it("may have any source that can be seen", async () => {
		const { join, sources } = await openSources();
		const seen = [
			"fair",
			"Büro",
			"e\u0301",
			"东京",
			"\u0627\u0644",
			"№ 7",
			"-",
			"🎉",
			"❤️",
			"  a  ",
		];
		for (const source of seen) expect((await join({ source })).status).toBe(201);
		expect(sources()).toEqual(seen);
	});

	it("may not have a source that looks blank", async () => {
		const { join, sources } = await openSources();
		const blank = [" ", "   ", "\u2800", " \u2800 \u2800", "\u115f", "\u1160", "\u3164", "\uffa0"];
		blank.push("\ufffc", "\u0301", " \u0301\u0323", "\ufe0f", "\u034f", "\u{1d159}", "\u{13441}");
		for (const source of [...blank, "\u3164\u0301 "]) {
			await expectRefusal(await join({ source }), 400, SOURCE_ERROR);
		}
		expect(sources()).toEqual([]);
	});

	it("comes from where its link says if that can be a label, and is never refused for it", async () => {
		const { join, sources } = await openSources();
		const labels = ["newsletter", "  a  ", "x".repeat(64)];
		const others = ["x".repeat(65), "", "\u3164", "\n", "\ud800", 7, null, { ref: "x" }];
		for (const ref of [...labels, ...others]) {
			expect((await join({ source: SOURCE, ref })).status).toBe(201);
		}
		expect(sources()).toEqual([...labels, ...others.map(() => SOURCE)]);
	});

	it("takes JSON with a charset and a byte order mark", async () => {
		const { post } = await openApp();
		const response = await post('\ufeff{"email":"ada@example.com"}', {
			"content-type": 'Application/JSON; charset="UTF-8"',
		});
		expect(response.status).toBe(201);
	});
});

describe("a refused registration", () => {
	it("says why", async () => {
		const { post, file } = await openApp();
		for (const [body, error] of [
			['{"email":""}', EMAIL_MISSING],
			['{"email":"  "}', EMAIL_MISSING],
			["{}", EMAIL_MISSING],
			['{"email":null}', EMAIL_MISSING],
			['{"email":{"toString":"x"}}', EMAIL_MISSING],
			['{"email":["a@b.c"]}', EMAIL_MISSING],
			['{"__proto__":{"email":"a@b.c"}}', EMAIL_MISSING],
			['{"email":"ada"}', EMAIL_INVALID],
			['{"email":"a\\u0000@b.c"}', EMAIL_INVALID],
			['{"email":"a\\ud800@b.c"}', EMAIL_INVALID],
			['{"email":"a\ufffd@b.c"}', EMAIL_INVALID],
			[`{"email":"${"a".repeat(251)}@b.c"}`, EMAIL_TOO_LONG],
			['{"email":"a@b.c","source":7}', SOURCE_ERROR],
			['{"email":"a@b.c","source":""}', SOURCE_ERROR],
			['{"email":"a@b.c","source":"a\\ufffd"}', SOURCE_ERROR],
			['{"email":"a@b.c","source":"a\ufffd"}', SOURCE_ERROR],
			['{"email":"a@b.c","source":"\\n"}', SOURCE_ERROR],
			["", OBJECT_ERROR],
			["null", OBJECT_ERROR],
			["[]", OBJECT_ERROR],
			['"a@b.c"', OBJECT_ERROR],
			['{"email":', OBJECT_ERROR],
			["[".repeat(16_000), OBJECT_ERROR],
		] as const) {
			await expectRefusal(await post(body), 400, error);
		}
		expect(readRows(file)).toEqual([]);
	});

	it("is not UTF-8", async () => {
		const { post } = await openApp();
		const body = Buffer.from('{"email":"\xff@b.c"}', "latin1");
		await expectRefusal(await post(body), 400, "Please send the address as UTF-8.");
	});

	it("has a body of another type", async () => {
		const { post } = await openApp();
		const error = "Please send the address as JSON (application/json).";
		for (const type of [
			...["text/plain", "multipart/form-data; boundary=x", "application/json; charset=utf-16"],
			...["application/jsonp", ""],
		]) {
			await expectRefusal(await post('{"email":"a@b.c"}', { "content-type": type }), 415, error);
		}
	});

	it("is compressed", async () => {
		const { post } = await openApp();
		await expectRefusal(
			await post("x", { ...JSON_TYPE, "content-encoding": "gzip" }),
			415,
			"Please send the address without a content encoding.",
		);
	});

	it("is larger than 16 kB, with a length or without one", async () => {
		const { post } = await openApp();
		const large = `{"email":"a@b.c","more":"${"x".repeat(16 * 1024)}"}`;
		const announced = { ...JSON_TYPE, "content-length": String(large.length) };
		for (const headers of [JSON_TYPE, announced]) {
			await expectRefusal(
				await post(large, headers),
				413,
				"This is more than a registration needs.",
			);
		}
	});

	it("may be exactly 16 kB", async () => {
		const { post } = await openApp();
		const start = `{"email":"a@b.c","more":"`;
		const body = `${start}${"x".repeat(16 * 1024 - start.length - 2)}"}`;
		expect(body).toHaveLength(16 * 1024);
		expect((await post(body)).status).toBe(201);
	});

	it("is told to come back while nothing can be stored, with script and without", async () => {
		const { joinWith, form, waitlist } = await openApp();
		waitlist.join = async () => "unavailable";
		const sentence = "We cannot save your address right now. Please try again in a few seconds.";
		const response = await joinWith("ada@example.com");
		expect(response.headers.get("retry-after")).toBe("5");
		await expectRefusal(response, 503, sentence);
		const page = await form({ email: "ada@example.com" });
		expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
		expect(await page.text()).toContain(sentence);
	});
});

it("the response to a fault of ours is a sentence, and the fault is logged", async () => {
	const { post, log, waitlist } = await openApp();
	waitlist.join = () => Promise.reject(new Error("a fault"));
	const response = await post('{"email":"a@b.c"}');
	await expectRefusal(response, 500, FAILED_MESSAGE);
	expect(log).toHaveBeenCalledWith("error", "request failed", {
		id: undefined,
		error: new Error("a fault"),
	});
});
