import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";
import { openDisplay } from "./display.ts";
import {
	createCleanup,
	type DrivenBrowser,
	findElementMiddle,
	webDriverClickActions,
	webDriverKeyActions,
} from "./driven.ts";
import { findEmojiFont } from "./emoji.ts";
import { findProgram } from "./find.ts";
import { startProgram } from "./program.ts";

export const firefoxProgram = {
	title: "Firefox",
	variable: "FIREFOX_PATH",
	commands: ["firefox-esr", "firefox"],
	places: ["/Applications/Firefox.app/Contents/MacOS/firefox"],
	packages: ["firefox-esr"],
};

/** Prevents first-run pages and requests to Mozilla's servers. */
const PREFERENCES = {
	"app.update.enabled": false,
	"browser.shell.checkDefaultBrowser": false,
	"datareporting.policy.dataSubmissionEnabled": false,
	"network.captive-portal-service.enabled": false,
	"network.connectivity-service.enabled": false,
	"services.settings.server": "data:,#remote-settings-dummy/v1",
	"toolkit.telemetry.reportingpolicy.firstRun": false,
};

type Answer = { id?: number; type: string; result?: unknown; error?: string; message?: string };

async function converse(url: string) {
	const socket = new WebSocket(url, { perMessageDeflate: false });
	await new Promise((resolve, reject) => {
		socket.once("open", resolve);
		socket.once("error", reject);
	});
	const waiting = new Map<number, (answer: Answer) => void>();
	const tellAll = (message: string) => {
		for (const settle of waiting.values()) settle({ type: "error", error: "gone", message });
	};
	socket.on("message", (text) => {
		const answer = JSON.parse(String(text)) as Answer;
		if (answer.id === undefined) return;
		waiting.get(answer.id)?.(answer);
		waiting.delete(answer.id);
	});
	socket.on("close", () => tellAll("The browser hung up."));
	let last = 0;
	const send = async (method: string, params: object): Promise<unknown> => {
		const id = ++last;
		const answer = await new Promise<Answer>((resolve) => {
			waiting.set(id, resolve);
			socket.send(JSON.stringify({ id, method, params }));
		});
		if (answer.type === "error") throw new Error(`${method}: ${answer.error}: ${answer.message}`);
		return answer.result;
	};
	return { send, close: async () => socket.close() };
}

/** @throws Error if Firefox is missing and cannot be installed */
export async function launchFirefox(): Promise<DrivenBrowser> {
	const cleanup = createCleanup();
	try {
		const file = await findProgram(firefoxProgram);
		await findEmojiFont();
		const display = await openDisplay();
		cleanup.add(display.close);
		const profile = await mkdtemp(join(tmpdir(), "firefox-"));
		cleanup.add(() => rm(profile, { recursive: true, force: true, maxRetries: 5 }));
		const lines = Object.entries(PREFERENCES).map(
			([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
		);
		await writeFile(join(profile, "user.js"), lines.join("\n"));
		const remote = ["--headless", "--no-remote", "--remote-debugging-port=0"];
		const program = startProgram(file, [...remote, "--profile", profile], display.environment);
		cleanup.add(program.end);
		const [, url] = await program.waitFor(/WebDriver BiDi listening on (ws:\S+)/);
		const { send, close } = await converse(`${url}/session`);
		cleanup.add(close);
		const session = (await send("session.new", { capabilities: {} })) as {
			capabilities: { browserVersion: string };
		};
		const tree = (await send("browsingContext.getTree", {})) as {
			contexts: [{ context: string }];
		};
		const [{ context }] = tree.contexts;
		const act = async (actions: object[]) => {
			await send("input.performActions", { context, actions });
		};
		const browser: DrivenBrowser = {
			version: session.capabilities.browserVersion,
			async open(url) {
				await send("browsingContext.navigate", { context, url, wait: "complete" });
			},
			async evaluate(expression) {
				const answer = (await send("script.evaluate", {
					expression: `(async () => JSON.stringify({ value: await (${expression}) }))()`,
					target: { context },
					awaitPromise: true,
				})) as
					| { type: "success"; result: { value: string } }
					| { type: "exception"; exceptionDetails: { text: string } };
				if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
				return (JSON.parse(answer.result.value) as { value: unknown }).value;
			},
			type: (text) => act(webDriverKeyActions(text)),
			click: async (selector) =>
				act(webDriverClickActions(await findElementMiddle(browser, selector))),
			async photograph() {
				const picture = (await send("browsingContext.captureScreenshot", { context })) as {
					data: string;
				};
				return Buffer.from(picture.data, "base64");
			},
			close: cleanup.run,
		};
		return browser;
	} catch (error) {
		await cleanup.run();
		throw error;
	}
}
