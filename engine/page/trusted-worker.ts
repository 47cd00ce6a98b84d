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
 * `require-trusted-types-for 'script'` rejects plain strings as worker URLs. The policy `engine`,
 * which the page's headers allow by name, permits this URL.
 */
export function createTrustedWorker(): Worker {
	const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
	// A second policy of the same name would be rejected.
	policy ??= trustedTypes?.createPolicy("engine", {
		createScriptURL(url) {
			if (url === workerUrl) return url;
			throw new TypeError(`"${url}" is not the engine's worker, which is "${workerUrl}".`);
		},
	});
	const url = policy?.createScriptURL(workerUrl) ?? workerUrl;
	return new Worker(url, { type: "module", name: "engine" });
}
