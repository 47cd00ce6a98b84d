import { setTimeout as wait } from "node:timers/promises";
import { findFreePort } from "../built-site.ts";
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

export const webkitDriverProgram = {
	title: "WebKitGTK's driver",
	variable: "WEBKIT_DRIVER_PATH",
	commands: ["WebKitWebDriver"],
	packages: ["webkit2gtk-driver", "libwebkit2gtk-4.1-0"],
};

export const miniBrowserProgram = {
	title: "WebKitGTK's browser",
	variable: "MINIBROWSER_PATH",
	commands: [],
	places: ["x86_64", "aarch64"].flatMap((machine) =>
		["4.1", "4.0", "6.0"].flatMap((version) => [
			`/usr/lib/${machine}-linux-gnu/webkit2gtk-${version}/MiniBrowser`,
			`/usr/lib/${machine}-linux-gnu/webkitgtk-${version}/MiniBrowser`,
		]),
	),
	packages: ["libwebkit2gtk-4.1-0"],
};

async function send(
	url: string,
	method: "GET" | "POST" | "DELETE",
	body?: object,
): Promise<unknown> {
	const response = await fetch(url, {
		method,
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	const { value } = (await response.json()) as { value: unknown };
	if (response.ok) return value;
	const { error, message } = value as { error: string; message: string };
	throw new Error(`${method} ${new URL(url).pathname}: ${error}: ${message}`);
}

/** @throws Error if WebKitGTK is missing and cannot be installed */
export async function launchWebkit(): Promise<DrivenBrowser> {
	const cleanup = createCleanup();
	try {
		const [file, binary] = [
			await findProgram(webkitDriverProgram),
			await findProgram(miniBrowserProgram),
		];
		await findEmojiFont();
		const display = await openDisplay();
		cleanup.add(display.close);
		const port = await findFreePort();
		// IPv4 only: by default the driver also listens on IPv6, and exits on machines without it.
		const program = startProgram(file, ["--host=127.0.0.1", `--port=${port}`], display.environment);
		cleanup.add(program.end);
		const base = `http://127.0.0.1:${port}`;
		for (let tries = 0; ; tries++) {
			const ready = await fetch(`${base}/status`).then(
				({ ok }) => ok,
				() => false,
			);
			if (ready) break;
			if (tries === 300) throw new Error(`${file} did not respond on port ${port}.`);
			await wait(100);
		}
		const options = { binary, args: ["--automation"] };
		const created = (await send(`${base}/session`, "POST", {
			capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } },
		})) as { sessionId: string; capabilities: { browserVersion: string } };
		const session = `${base}/session/${created.sessionId}`;
		// Waits at most 5 s, because a crashed browser never responds. Ending the driver ends it, too.
		const ended = () => send(session, "DELETE").catch(() => {});
		cleanup.add(async () => void (await Promise.race([ended(), wait(5000)])));
		await send(`${session}/timeouts`, "POST", { script: 120_000 });
		const act = async (actions: object[]) => {
			await send(`${session}/actions`, "POST", { actions });
		};
		const browser: DrivenBrowser = {
			version: created.capabilities.browserVersion,
			async open(url) {
				await send(`${session}/url`, "POST", { url });
			},
			async evaluate(expression) {
				const text = (await send(`${session}/execute/async`, "POST", {
					script: `const done = arguments[0];
						(async () => JSON.stringify({ value: await (${expression}) }))()
							.then(done, (error) => done(JSON.stringify({ error: String(error) })));`,
					args: [],
				})) as string;
				const answer = JSON.parse(text) as { value: unknown; error?: string };
				if (answer.error !== undefined) throw new Error(answer.error);
				return answer.value;
			},
			type: (text) => act(webDriverKeyActions(text)),
			click: async (selector) =>
				act(webDriverClickActions(await findElementMiddle(browser, selector))),
			async photograph() {
				return Buffer.from((await send(`${session}/screenshot`, "GET")) as string, "base64");
			},
			close: cleanup.run,
		};
		return browser;
	} catch (error) {
		await cleanup.run();
		throw error;
	}
}
