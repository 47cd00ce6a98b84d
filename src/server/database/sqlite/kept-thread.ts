import { Worker } from "node:worker_threads";

/** Milliseconds before the next start after a thread that could not begin its work. */
const RESTART_AFTER_MS = 1000;

/**
 * What a thread says: first that it is ready, then an answer to each message, in their order, and
 * why the process has to end.
 */
export type FromThread<Answer> =
	| { ready: true }
	| { answer: Answer }
	| { failed: string }
	| { ending: string };

/** A thread that answers messages. The first message starts it, and when it dies, the next one starts another. */
export interface Thread<Message, Answer> {
	/** @throws Error when it cannot begin its work */
	start(): Promise<void>;
	/** @throws Error with what the thread said, or with why it died */
	ask(message: Message): Promise<Answer>;
	/**
	 * Says a last message, and resolves when the thread is gone.
	 *
	 * @param last must make the thread end
	 */
	end(last: Message): Promise<void>;
}

/** What a thread is started with. */
export interface ThreadSettings {
	/** From an import with `?thread`: see src/tooling/thread.ts. */
	url: string;
	name: string;
	/** @param again whether an earlier thread was ready */
	data: (again: boolean) => unknown;
	/** Ends the process. */
	onEnding: (reason: string) => void;
	/** Says to the operator why a thread could not begin its work. */
	cannotStart?: (cause: Error) => Error;
}

/** One thread, from its beginning to its end. */
interface Life<Message, Answer> {
	ask(message: Message): Promise<Answer>;
	say(message: Message): void;
	gone: Promise<void>;
}

/** Keeps a thread running. Its module says `ready`, and then answers one message after the other. */
export function createThread<Message, Answer>(settings: ThreadSettings): Thread<Message, Answer> {
	let running: Promise<Life<Message, Answer>> | undefined;
	let again = false;

	function thread(): Promise<Life<Message, Answer>> {
		if (running) return running;
		const started = start<Message, Answer>(settings, again);
		running = started;
		const restart = () => {
			if (running === started) running = undefined;
		};
		started.then(
			({ gone }) => {
				again = true;
				void gone.then(restart);
			},
			() => setTimeout(restart, RESTART_AFTER_MS).unref(),
		);
		return started;
	}

	return {
		async start() {
			await thread();
		},
		ask: async (message) => (await thread()).ask(message),
		async end(last) {
			const life = await running?.catch(() => undefined);
			life?.say(last);
			await life?.gone;
		},
	};
}

function start<Message, Answer>(
	{ url, name, data, onEnding, cannotStart = (cause) => cause }: ThreadSettings,
	again: boolean,
): Promise<Life<Message, Answer>> {
	const worker = new Worker(new URL(url), { name, workerData: data(again) });
	const say = (message: Message) => worker.postMessage(message);
	const asked: { resolve: (answer: Answer) => void; reject: (reason: Error) => void }[] = [];
	let cause = new Error("its thread ended");
	let ended = false;

	return new Promise((begun, refused) => {
		const gone = new Promise<void>((resolve) => {
			worker.on("exit", () => {
				ended = true;
				for (const { reject } of asked.splice(0)) reject(cause);
				refused(cannotStart(cause));
				resolve();
			});
		});
		worker.on("error", (error) => {
			cause = error instanceof Error ? error : new Error(String(error));
		});
		worker.on("message", (message: FromThread<Answer>) => {
			if ("ready" in message) {
				begun({
					ask: (message) =>
						new Promise((resolve, reject) => {
							if (ended) return reject(cause);
							asked.push({ resolve, reject });
							say(message);
						}),
					say,
					gone,
				});
			} else if ("ending" in message) onEnding(message.ending);
			else if ("answer" in message) asked.shift()?.resolve(message.answer);
			else asked.shift()?.reject(new Error(message.failed));
		});
	});
}
