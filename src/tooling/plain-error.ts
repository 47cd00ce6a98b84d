import { inspect } from "node:util";

/**
 * An error that Vite and Node print without a stack: the mistake is in the brand or a setting, not
 * in the code.
 */
export function plainError(message: string): Error {
	return Object.assign(new Error(message), { stack: message, [inspect.custom]: () => message });
}
