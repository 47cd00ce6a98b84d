import { expect, it } from "vitest";
import { isVisit } from "../../../src/server/app.ts";

const CHROME =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36";
const navigation = {
	"user-agent": CHROME,
	accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
};

const asked = (headers: Record<string, string>, method = "GET") =>
	isVisit(new Request("http://localhost/", { method, headers: { ...navigation, ...headers } }));

it.each<[string, Record<string, string>]>([
	["in Chrome", {}],
	["on a Cubot", { "user-agent": CHROME.replace("Windows NT 10.0", "Linux; CUBOT P80") }],
	["as a document", { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" }],
])("somebody opens the page %s", (_, headers) => {
	expect(asked(headers)).toBe(true);
});

it.each<[string, Record<string, string>, string?]>([
	["asks for its head only", {}, "HEAD"],
	["asks for anything", { accept: "*/*" }],
	["asks for a part", { range: "bytes=0-99" }],
	["shows it in a frame", { "sec-fetch-dest": "iframe" }],
	["prefetches it", { "sec-purpose": "prefetch" }],
	["prefetches it, as Firefox did", { "x-moz": "prefetch" }],
	["previews it, as Safari did", { "x-purpose": "preview" }],
	["does not say what it is", { "user-agent": "" }],
	["is curl", { "user-agent": "curl/8.5.0" }],
	["is Google's crawler", { "user-agent": `${CHROME} (compatible; Googlebot/2.1)` }],
	["makes the card of a link", { "user-agent": `${CHROME} facebookexternalhit/1.1 Facebot` }],
	["has no window", { "user-agent": CHROME.replace("Chrome/", "HeadlessChrome/") }],
])("is no visit when a program %s", (_, headers, method) => {
	expect(asked(headers, method)).toBe(false);
});
