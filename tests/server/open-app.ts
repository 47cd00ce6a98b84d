import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { DEFAULT_SOURCE, JOIN_PATH, type JoinRequest } from "#shared/join.ts";
import { composeServer } from "../../src/server/compose.ts";
import { type JoinLimits, readSettings } from "../../src/server/settings.ts";
import { temporaryFolder } from "../temporary.ts";

export const JSON_HEADERS = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

export async function openApp(
	environment: Record<string, string> = {},
	limits: Partial<JoinLimits> = {},
) {
	const file = join(await temporaryFolder(), "waitlist.db");
	const read = readSettings({ DATABASE_URL: `file:${file}`, ...environment }, "/");
	const settings = { ...read, limits: { ...read.limits!, ...limits } };
	const log = vi.fn();
	const { fetch, waitlist } = await composeServer(settings, {
		outcomePages: {
			registered: "<p>Thanks",
			duplicate: "<p>We see you",
			refused: `<p>{{error}}<input value="{{email}}"><input value="{{ref}}">`,
			headers: { "content-security-policy": "default-src 'none'" },
		},
		log,
	});
	onTestFinished(() => waitlist.close());
	const ask = async (path: string, request?: RequestInit, peer?: string) =>
		fetch(new Request(`http://localhost${path}`, request), { peer });
	const post = (body: BodyInit, headers: Record<string, string> = JSON_HEADERS, peer?: string) =>
		ask(JOIN_PATH, { method: "POST", headers, body }, peer);
	const joinWith = (email: string) =>
		post(JSON.stringify({ email, source: DEFAULT_SOURCE } satisfies JoinRequest));
	const form = (fields: Record<string, string>, headers = {}, peer?: string) =>
		post(new URLSearchParams(fields).toString(), { ...FORM_TYPE, ...headers }, peer);
	return { ask, waitlist, file, log, post, joinWith, form };
}

export async function expectJsonError(response: Response, status: number, error: string) {
	expect(response.headers.get("content-type")).toBe("application/json");
	expect(response.headers.get("cache-control")).toBe("no-store");
	expect(response.headers.get("x-content-type-options")).toBe("nosniff");
	expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none';/);
	expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
	expect({ status: response.status, body: await response.json() }).toEqual({
		status,
		body: { error },
	});
}
