import { onTestFinished } from "vitest";
import { startDocumentedNginx } from "../../../bench/harness/documented-nginx.ts";
import type { Nginx } from "../../../bench/harness/nginx.ts";

export async function documentedNginx(
	...asked: Parameters<typeof startDocumentedNginx>
): Promise<Nginx> {
	const nginx = await startDocumentedNginx(...asked);
	onTestFinished(nginx.close);
	return nginx;
}
