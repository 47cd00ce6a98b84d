import { execFile } from "node:child_process";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../temporary.ts";

const run = promisify(execFile);

export interface SmallDisk {
	folder: string;
	before?: string;
	fill?(): Promise<void>;
	enlarge(processId: number): Promise<unknown>;
}

/**
 * Mounts a small file system. Users who may not mount get a file size limit, so the same writes
 * fail.
 */
export async function openSmallDisk(): Promise<SmallDisk> {
	try {
		return await mountSmallDisk("1m");
	} catch {
		const folder = await temporaryFolder();
		return {
			folder,
			before: "trap '' XFSZ; ulimit -S -f 1024",
			enlarge: (processId) =>
				run("prlimit", ["--pid", String(processId), "--fsize=unlimited:unlimited"]),
		};
	}
}

async function mountSmallDisk(size: string): Promise<SmallDisk> {
	const folder = await temporaryFolder();
	await run("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
	// Unmounts lazily, because SQLite may keep a closed file open for a while.
	onTestFinished(async () => {
		await run("umount", ["--lazy", folder]);
	});
	return {
		folder,
		fill: () => fill(join(folder, "ballast")),
		enlarge: () => run("mount", ["-o", "remount,size=64m", folder]),
	};
}

async function fill(path: string): Promise<void> {
	const file = await open(path, "w");
	try {
		for (;;) await file.write(Buffer.alloc(4096));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
	} finally {
		await file.close();
	}
}
