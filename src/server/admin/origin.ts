import type { AdminSettings } from "../settings/listening.ts";

/** The origin at which a browser opens the office. */
export function officeOrigin(settings: AdminSettings): string {
	return officeOrigins(settings)[0]!;
}

/** Every origin at which it may be opened: her proxy's alone, or this machine's by either name. */
export function officeOrigins({ port, origin }: AdminSettings): readonly string[] {
	if (origin) return [origin];
	return ["127.0.0.1", "localhost"].map((host) => new URL(`http://${host}:${port}`).origin);
}
