/** What JSON says; undefined where a text is none. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** What stands at a path of names in JSON that somebody sent. */
export function at(value: unknown, ...path: string[]): unknown {
	let found = value;
	for (const name of path) {
		if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) {
			return undefined;
		}
		found = (found as Record<string, unknown>)[name];
	}
	return found;
}

/** The text or number that stands there, as text; "" for anything else. */
export function textAt(value: unknown, ...path: string[]): string {
	const found = at(value, ...path);
	return typeof found === "string" || typeof found === "number" ? String(found) : "";
}

/** The list that stands there; an empty one for anything else. */
export function listAt(value: unknown, ...path: string[]): readonly unknown[] {
	const found = at(value, ...path);
	return Array.isArray(found) ? found : [];
}
