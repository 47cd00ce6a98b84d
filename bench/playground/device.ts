import type { Setup } from "./state.ts";

/**
 * Makes this page's browser claim to be another device. The engine reads the claims as it does on any
 * page. A choice that is not made leaves the device's own value.
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
