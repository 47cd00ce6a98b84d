import workerUrl from "../player/worker.ts?worker&url";

interface Policy {
	createScriptURL(url: string): string;
}

/** TypeScript's library does not declare Trusted Types yet. */
interface TrustedTypes {
	createPolicy(name: string, rules: Policy): Policy;
}

let policy: Policy | undefined;

/**
 * Creates a worker under `require-trusted-types-for 'script'`, which rejects strings as worker URLs.
 * The page's headers allow only policies that they name, such as `engine`.
 */
export function createTrustedWorker(): Worker {
	const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
	// The browser rejects a second policy of the same name.
	policy ??= trustedTypes?.createPolicy("engine", {
		createScriptURL(url) {
			if (url === workerUrl) return url;
			throw new TypeError(`"${url}" is not the engine's worker, which is "${workerUrl}".`);
		},
	});
	const url = policy?.createScriptURL(workerUrl) ?? workerUrl;
	return new Worker(url, { type: "module", name: "engine" });
}
