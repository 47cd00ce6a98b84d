import { expect, it } from "vitest";
import { isVisit } from "../../../src/server/join/visit.ts";

const CHROME =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36";
const navigation = {
	"user-agent": CHROME,
	accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
};

const asked = (headers: Record<string, string>, method = "GET") =>
	isVisit(new Request("http://localhost/", { method, headers: { ...navigation, ...headers } }));

it.each([
	["in Chrome", {}],
	[
		"in Safari",
		{
			"user-agent":
				"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
		},
	],
	[
		"in Firefox",
		{
			"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
		},
	],
	[
		"on a Cubot",
		{
			"user-agent":
				"Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36",
		},
	],
	["as a document", { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" }],
	["again, with what the browser has of it", { "if-none-match": '"x"' }],
])("somebody opens the page %s", (_, headers) => {
	expect(asked(headers as Record<string, string>)).toBe(true);
});

it.each([
	["asks for its head only", {}, "HEAD"],
	["posts to it", {}, "POST"],
	["asks for anything", { accept: "*/*" }],
	["asks for a part", { range: "bytes=0-99" }],
	["shows it in a frame", { "sec-fetch-dest": "iframe" }],
	["fetches it by script", { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" }],
	["prefetches it", { "sec-purpose": "prefetch" }],
	["prerenders it", { "sec-purpose": "prefetch;prerender" }],
	["prefetches it, as of old", { purpose: "prefetch" }],
	["prefetches it, as Firefox did", { "x-moz": "prefetch" }],
	["previews it, as Safari did", { "x-purpose": "preview" }],
	["does not say what it is", { "user-agent": "" }],
	["is curl", { "user-agent": "curl/8.5.0" }],
	["is Node", { "user-agent": "node" }],
	[
		"is Google's crawler",
		{
			"user-agent":
				"Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
		},
	],
	["is Google's inspector", { "user-agent": `${CHROME} (compatible; Google-InspectionTool/1.0;)` }],
	["makes the card of a link", { "user-agent": `${CHROME} facebookexternalhit/1.1 Facebot` }],
	["is Slack", { "user-agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" }],
	["has no window", { "user-agent": CHROME.replace("Chrome/", "HeadlessChrome/") }],
	["measures the page", { "user-agent": `${CHROME} Chrome-Lighthouse` }],
] as [string, Record<string, string>, string?][])(
	"is no visit when a program %s",
	(_, headers, method) => {
		expect(asked(headers, method)).toBe(false);
	},
);
