import { onTestFinished } from "vitest";
import { temporaryFolder as createFolder } from "../bench/harness/temporary.ts";

export async function temporaryFolder(): Promise<string> {
	const { folder, remove } = await createFolder("waitlist-");
	onTestFinished(remove);
	return folder;
}
