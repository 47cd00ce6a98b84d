import type { Browser } from "playwright-core";

/** A tab is visible only in front of others. Playwright's own pages are always visible. */
export interface Tab {
	send(method: string, params: object): Promise<unknown>;
	evaluate<T>(expression: string): Promise<T>;
	show(): Promise<void>;
	close(): Promise<void>;
}

/** Opens a tab in front of the others. `before` is a script that runs before the page's own. */
export async function openTab(browser: Browser, url: string, before = ""): Promise<Tab> {
	const session = await browser.newBrowserCDPSession();
	const context = contexts.get(browser) ?? (await session.send("Target.createBrowserContext"));
	contexts.set(browser, context);
	const { targetId } = await session.send("Target.createTarget", {
		url: "about:blank",
		browserContextId: context.browserContextId,
	});
	const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
	let lastId = 0;
	const waiting = new Map<number, (answer: Answer) => void>();
	session.on("Target.receivedMessageFromTarget", ({ message }) => {
		const answer: Answer = JSON.parse(message);
		waiting.get(answer.id)?.(answer);
	});

	async function send(method: string, params: object): Promise<Answer["result"]> {
		lastId++;
		const id = lastId;
		const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
		const message = JSON.stringify({ id, method, params });
		await session.send("Target.sendMessageToTarget", { sessionId, message });
		const { result, error } = await answered;
		if (error) throw new Error(error.message);
		return result;
	}

	await send("Page.enable", {});
	await send("Page.addScriptToEvaluateOnNewDocument", { source: before });
	await send("Page.navigate", { url });
	return {
		send,
		async evaluate<T>(expression: string) {
			const { result, exceptionDetails } = await send("Runtime.evaluate", {
				expression,
				awaitPromise: true,
				returnByValue: true,
			});
			if (exceptionDetails) throw new Error(exceptionDetails.text);
			return result?.value as T;
		},
		show: async () => {
			await session.send("Target.activateTarget", { targetId });
		},
		close: async () => {
			await session.send("Target.closeTarget", { targetId });
			await session.detach();
		},
	};
}

interface Answer {
	id: number;
	result: { result?: { value: unknown }; exceptionDetails?: { text: string } };
	error?: { message: string };
}

/** Tabs share one context per browser: only then do they cover each other, in one window. */
const contexts = new WeakMap<Browser, { browserContextId: string }>();
