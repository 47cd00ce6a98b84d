import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { words } from "#words";
import { scene } from "../../src/site/stage/scene.ts";
import { Waitlist } from "../../src/site/waitlist/waitlist.tsx";
import { again, failed, invalid, missing, thanks } from "./sentences.ts";

const server = vi.fn<typeof fetch>();
const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

beforeEach(() => {
	server.mockReset();
	vi.stubGlobal("fetch", server);
	localStorage.clear();
});

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
});

const input = () => screen.getByRole<HTMLInputElement>("textbox", { name: words.form.label });
const button = () => screen.getByRole<HTMLInputElement>("button");

/** The message that replaces the form; each sentence is a separate element. */
const outcome = (text: string) =>
	screen.findByText((_, part) => part?.className === "outcome" && part.textContent === text);

async function join(address = "ada@example.com") {
	render(<Waitlist />);
	if (address) await userEvent.type(input(), address);
	await userEvent.click(button());
}

test("sends address and source to the waitlist once", async () => {
	server.mockResolvedValue(json(201, { status: "registered" }));
	render(<Waitlist />);
	expect([input().type, input().autocomplete]).toEqual(["email", "email"]);
	await userEvent.type(input(), " ada@example.com {Enter}");
	expect(server).toHaveBeenCalledOnce();
	const [path, request] = server.mock.calls[0] ?? [];
	expect(path).toBe("/api/waitlist/register");
	expect(request?.method).toBe("POST");
	// Rejects the redirect of a captive portal to its own page.
	expect(request?.redirect).toBe("error");
	expect(JSON.parse(String(request?.body))).toEqual({
		email: "ada@example.com",
		source: "landing-page",
		website: "",
	});
});

test.each([
	["?utm_source=Hacker+News&utm_campaign=launch", "Hacker News"],
	["?ref=newsletter&utm_source=x", "newsletter"],
	[`?ref=${"x".repeat(9000)}`, "x".repeat(65)],
	["?seed=1", undefined],
])("reports the visitor's origin from the initial URL: %s", async (search, ref) => {
	history.replaceState(null, "", `/${search}`);
	vi.resetModules();
	const { join } = await import("../../src/site/waitlist/join.ts");
	history.replaceState(null, "", "/");
	server.mockResolvedValue(json(201, { status: "registered" }));
	await join("ada@example.com", "");
	expect(JSON.parse(String(server.mock.calls[0]?.[1]?.body))).toEqual({
		email: "ada@example.com",
		source: "landing-page",
		website: "",
		...(ref && { ref }),
	});
});

test("has a hidden, unreachable honeypot field, and sends its text", async () => {
	server.mockResolvedValue(json(201, { status: "registered" }));
	const { container } = render(<Waitlist />);
	const honeypot = container.querySelector<HTMLInputElement>('input[name="website"]')!;
	expect(honeypot.form).toBe(input().form);
	expect(screen.getAllByRole("textbox")).toEqual([input()]);
	expect(honeypot.closest("[aria-hidden=true]")?.className).toBe("visually-hidden");
	expect(honeypot.labels?.[0]?.textContent).toBe("Leave this field empty");
	expect(honeypot.autocomplete).toBe("off");
	input().focus();
	for (let n = 0; n < 4; n++) {
		await userEvent.tab();
		expect(document.activeElement).not.toBe(honeypot);
	}
	honeypot.value = "https://spam.example";
	await userEvent.type(input(), "ada@example.com{Enter}");
	await outcome(thanks);
	expect(JSON.parse(String(server.mock.calls[0]?.[1]?.body))).toMatchObject({
		website: "https://spam.example",
	});
});

test("gives up on a server that does not respond", async () => {
	const timers = vi.spyOn(globalThis, "setTimeout");
	server.mockImplementation(
		(_, request) =>
			new Promise((_, reject) => {
				request?.signal?.addEventListener("abort", () => reject(request.signal?.reason));
			}),
	);
	await join();
	const giveUp = timers.mock.calls.find(([, ms]) => ms === 20_000)?.[0];
	expect(giveUp).toBeDefined();
	giveUp?.();
	await expect.poll(() => screen.getByRole("alert").textContent).toBe(failed);
});

test.each([
	[400, "flies: the rocket hits when the ring appears", "go"],
	[401, "is skipped: the rocket hits at once", "over"],
])("if its first two frames take %i ms, a launch %s", async (ms, _, phase) => {
	const frames: FrameRequestCallback[] = [];
	vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
	const clock = vi.spyOn(performance, "now").mockReturnValue(0);
	server.mockResolvedValue(json(201, { status: "registered" }));
	const { salutes, hits } = scene.getState();
	await join();
	// The focus makes screen readers read the thanks, so no status repeats them.
	expect(document.activeElement).toBe(await outcome(thanks));
	for (const status of screen.getAllByRole("status")) expect(status.textContent).toBe("");
	const launch = document.querySelector<HTMLElement>(".launch")!;
	expect([launch.dataset.phase, scene.getState().salutes]).toEqual(["set", salutes]);
	clock.mockReturnValue(ms);
	act(() => frames.splice(0).forEach((frame) => void frame(ms)));
	expect(launch.dataset.phase).toBe("set");
	act(() => frames.splice(0).forEach((frame) => void frame(ms)));
	expect(launch.dataset.phase).toBe(phase);
	const atOnce = phase === "over" ? 1 : 0;
	expect(scene.getState()).toMatchObject({ salutes: salutes + 1, hits: hits + atOnce });
	if (atOnce) return;
	for (const animationName of ["spread", "flash"]) {
		fireEvent.animationStart(document.querySelector(".ring")!, { animationName });
	}
	expect(scene.getState().hits).toBe(hits + 1);
	fireEvent.animationEnd(document.querySelector(".craft")!, { animationName: "ascend" });
	expect(launch.dataset.phase).toBe("over");
});

test("says that a confirmation email is on its way if the server sends one", async () => {
	server.mockResolvedValue(json(201, { status: "registered", confirm: true }));
	await join();
	expect(await outcome(thanks + words.messages.confirm)).toBeTruthy();
});

test("announces a repeated error again", async () => {
	await join("");
	const [first] = screen.getByRole("alert").children;
	await userEvent.click(button());
	const [second] = screen.getByRole("alert").children;
	expect([first?.textContent, second?.textContent]).toEqual([missing, missing]);
	expect(second).not.toBe(first);
});

test.each([
	["an error", () => json(500, {}), failed],
	["the thanks", () => json(201, {}), thanks],
])("leaves the focus alone if the visitor moved it before %s came", async (_, answer, text) => {
	let release: (response: Response) => void = () => {};
	server.mockReturnValue(new Promise((resolve) => (release = resolve)));
	render(
		<>
			<Waitlist />
			<a href="/privacy">Privacy Policy</a>
		</>,
	);
	await userEvent.type(input(), "ada@example.com{Enter}");
	const link = screen.getByRole("link");
	const status = screen.getByRole("status");
	link.focus();
	release(answer());
	await expect.poll(() => document.body.textContent).toContain(text);
	expect(document.activeElement).toBe(link);
	// Screen readers announce a status only if it was in the page from the start.
	if (text === thanks) expect(status.textContent).toBe(thanks);
});

test("thanks the visitor even without storage", async () => {
	vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
		throw new DOMException("refused", "SecurityError");
	});
	server.mockResolvedValue(json(201, { status: "registered" }));
	await join();
	expect(await outcome(thanks)).toBeTruthy();
});

test("welcomes an address that is already on the list, and stores nothing", async () => {
	server.mockResolvedValue(json(409, { error: "This email is already on the waitlist." }));
	const { breaths } = scene.getState();
	await join();
	const message = await outcome(again);
	expect(document.activeElement).toBe(message);
	expect(scene.getState().breaths).toBe(breaths + 1);
	expect(document.querySelector(".launch")).toBeNull();
	expect(screen.queryByText(words.form.prompt)).toBeNull();
	expect(localStorage.getItem("waitlistEmail")).toBeNull();
});

test.each([
	["", missing],
	["ada", invalid],
	["ada lovelace@example.com", invalid],
])("asks for an address instead of sending %j", async (address, sentence) => {
	await join(address);
	expect(screen.getByRole("alert").textContent).toBe(sentence);
	expect(server).not.toHaveBeenCalled();
	expect(document.activeElement).toBe(input());
});

test.each([
	["a blank message", () => Promise.resolve(json(500, { error: "  " })), failed],
	["a non-text error", () => Promise.resolve(json(500, { error: { code: 7 } })), failed],
	[
		"the page of a captive portal",
		() => Promise.resolve(new Response("<h1>Welcome to our Wi-Fi</h1>", { status: 200 })),
		failed,
	],
	["null as JSON", () => Promise.resolve(json(500, null)), failed],
])("shows %s next to the field and returns the focus to it", async (_, answer, sentence) => {
	server.mockImplementation(answer);
	await join();
	await expect.poll(() => screen.getByRole("alert").textContent).toBe(sentence);
	expect(input().getAttribute("aria-invalid")).toBe("true");
	expect(input().getAttribute("aria-describedby")).toBe(screen.getByRole("alert").id);
	expect(document.activeElement).toBe(input());
	expect(input().value).toBe("ada@example.com");
	expect(button().value).toBe(words.form.button);
	expect(document.querySelector(".launch")).toBeNull();
});

test("removes the error at the next edit", async () => {
	await join("ada");
	await userEvent.type(input(), "@");
	expect(screen.getByRole("alert").textContent).toBe("");
	expect(input().getAttribute("aria-invalid")).toBe("false");
});

test("announces that it is joining, and sends one request however often it is submitted", async () => {
	let answer: (response: Response) => void = () => {};
	server.mockReturnValue(new Promise((resolve) => (answer = resolve)));
	render(<Waitlist />);
	await userEvent.type(input(), "ada@example.com");
	const form = input().form;
	form?.requestSubmit();
	form?.requestSubmit();
	await expect.poll(() => button().value).toBe(words.form.joining);
	expect(screen.getByRole("status").textContent).toBe(words.form.joining);
	form?.requestSubmit();
	expect(server).toHaveBeenCalledOnce();
	answer(json(201, { status: "registered" }));
	expect(await outcome(thanks)).toBeTruthy();
});
