import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openChat } from "../../../../src/server/webhooks/digest/chat.ts";
import {
	digestOf,
	milestoneOf,
	type Seen,
	type Told,
} from "../../../../src/server/webhooks/digest/digest.ts";

const MINUTE_MS = 60_000;
const now = Date.parse("2026-11-24T12:00:00.000Z");

const quiet: Seen = {
	ms: 10 * MINUTE_MS,
	joined: 0,
	fromLargest: 0,
	total: 1204,
	pause: "",
	refused: 0,
	networks: 0,
	backup: "2026-11-24T03:00:00.000Z",
};
const nothing: Told = { milestone: 1000, pause: "", backup: "" };

const linesOf = (seen: Partial<Seen>, told: Partial<Told> = {}) =>
	digestOf({ ...quiet, ...seen }, { ...nothing, ...told }, now).text.split("\n");

describe("the digest", () => {
	it("is silent where nothing happened", () => {
		expect(digestOf(quiet, nothing, now)).toEqual({ text: "", told: nothing });
	});

	it("counts joins in a sentence", () => {
		expect(linesOf({ joined: 57, fromLargest: 22 })).toEqual([
			"Orbit waitlist",
			"+57 in ten minutes, 1,204 in all, 39 % from one source.",
		]);
		expect(linesOf({ joined: 1, fromLargest: 1, ms: 31 * MINUTE_MS })[1]).toBe(
			"+1 in 31 minutes, 1,204 in all.",
		);
	});

	it("tells a milestone once, whoever is erased in between", () => {
		expect([99, 100, 999, 1000, 12_345, 1_000_000].map(milestoneOf)).toEqual([
			...[0, 100, 100, 1000, 10_000, 1_000_000],
		]);
		expect(linesOf({}, { milestone: 100 })[1]).toBe("1,000 people are on the waitlist.");
		const { told } = digestOf({ ...quiet, total: 999 }, nothing, now);
		expect(told.milestone).toBe(1000);
	});

	it("tells once that letters are paused, and once that they go out again", () => {
		const { text, told } = digestOf({ ...quiet, pause: "quota" }, nothing, now);
		expect(text).toMatch("Letters are paused: the mail server takes no more for now.");
		expect(linesOf({ pause: "quota" }, told)).toEqual([""]);
		expect(linesOf({}, told)[1]).toBe("Letters go out again.");
		expect(linesOf({ pause: "operator" })[1]).toBe(
			"Letters are stopped, until `waitlist release`.",
		);
	});

	it("tells once of each backup that it is old, and that there is none", () => {
		const old = { backup: "2026-11-23T10:59:00.000Z" };
		const { text, told } = digestOf({ ...quiet, ...old }, nothing, now);
		expect(text).toMatch("The last backup is older than a day.");
		expect(linesOf(old, told)).toEqual([""]);
		expect(linesOf({ backup: "2026-11-23T11:30:00.000Z" })).toEqual([""]);
		expect(linesOf({ backup: "" })[1]).toBe("No backup was ever made.");
	});

	it("tells how many joins a limit refused", () => {
		expect(linesOf({ refused: 1230, networks: 1 })[1]).toBe(
			"A limit refused 1,230 joins, all from one network.",
		);
		expect(linesOf({ refused: 1, networks: 0 })[1]).toBe("A limit refused 1 join.");
	});
});

describe("a chat", () => {
	it.each([
		["https://hooks.slack.com/services/T/B/x", { text: "+1" }],
		[
			"https://discord.com/api/webhooks/1/x",
			{ content: "+1", allowed_mentions: { parse: [] as string[] } },
		],
	])("is spoken to in its own form: %s", async (url, body) => {
		const fetch = vi.fn(async (_url: string, _request: RequestInit) => new Response("ok"));
		vi.stubGlobal("fetch", fetch);
		onTestFinished(() => void vi.unstubAllGlobals());
		expect(await openChat(url)("+1")).toMatchObject({ taken: true, status: 200 });
		const [asked, request] = fetch.mock.calls[0]!;
		expect({ asked, redirect: request.redirect }).toEqual({ asked: url, redirect: "manual" });
		expect(JSON.parse(request.body as string)).toEqual(body);
	});
});
