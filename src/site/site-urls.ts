import { brand } from "#brand";
import { builtOrigin } from "#shared/built-origin.ts";

const origin = builtOrigin || brand.origin;

export function absoluteUrl(path: string): string {
	return origin + path;
}

/** Undefined for the not-found page. */
export function canonicalUrl({
	path,
	status,
}: {
	path: string;
	status: number;
}): string | undefined {
	return status === 200 ? absoluteUrl(path) : undefined;
}
