import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { program } from "../desk.ts";

/** Runs a command as npm starts it, and reads the most memory that it ever held (VmHWM). */
export async function peakOf(
	folder: string,
	args: readonly string[],
	env: Record<string, string> = {},
): Promise<{ stdout: string; peakBytes: number }> {
	const { stdout, stderr } = await promisify(execFile)(
		"sh",
		[
			"-c",
			`node --max-semi-space-size=1 "$0" "$@" & pid=$!
			while [ -e /proc/$pid/status ]; do grep VmHWM /proc/$pid/status >&2 2>/dev/null; sleep 0.02; done; wait $pid`,
			program,
			...args,
		],
		{ cwd: folder, env: { PATH: process.env.PATH, ...env }, maxBuffer: 1e8 },
	);
	const peaks = [...stderr.matchAll(/VmHWM:\s+(\d+)/g)].map((match) => Number(match[1]) * 1024);
	return { stdout, peakBytes: Math.max(...peaks) };
}
