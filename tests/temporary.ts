import { onTestFinished } from "vitest";
import { temporaryFolder as createFolder } from "../bench/harness/temporary.ts";

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
	const { folder, remove } = await createFolder("waitlist-");
	onTestFinished(remove);
	return folder;
}
