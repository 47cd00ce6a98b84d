import { createHash, timingSafeEqual } from "node:crypto";

/** Whether two secrets are the same, in a time that does not tell where they differ, nor how long they are. */
export function isSame(one: Buffer | string, other: Buffer | string): boolean {
	return timingSafeEqual(hashOf(one), hashOf(other));
}

function hashOf(secret: Buffer | string): Buffer {
	return createHash("sha256").update(secret).digest();
}
