import type { Setup } from "./state.ts";

/**
 * Lets this page's browser say that it is another device. The engine reads what it says as on any
 * page, so that what is tried here is the way hints really go. A choice that is not made is the
 * device's own.
 */
export function pretendDevice({ pixelRatio, memory, cores }: Setup): void {
	say(window, "devicePixelRatio", pixelRatio);
	say(navigator, "deviceMemory", memory);
	say(navigator, "hardwareConcurrency", cores);
}

function say(object: object, name: string, value: number | undefined): void {
	const own = originals.get(name) ?? Reflect.get(object, name);
	originals.set(name, own);
	Object.defineProperty(object, name, { value: value ?? own, configurable: true });
}

const originals = new Map<string, unknown>();
