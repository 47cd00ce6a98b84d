import type { Setup } from "./state.ts";

/**
 * Makes the browser report another device. The engine reads these values as on any page. Unset
 * choices keep the device's own.
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
