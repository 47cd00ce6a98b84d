import { inspect } from "node:util";

/** An error in the brand or a setting, which Vite and Node print without a stack. */
export function plainError(message: string): Error {
	return Object.assign(new Error(message), { stack: message, [inspect.custom]: () => message });
}
