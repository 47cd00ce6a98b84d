/** `npm run bench`: is this build within budget, what changed, and how is a frame spent? */
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { dirname } from "node:path";
import { parseArgs, promisify } from "node:util";
import { isSound, readBudgets, updateBudgets, writeBudgets } from "./budgets.ts";
import { launchChromium } from "./harness/browsers/chromium.ts";
import { buildTree, serveBuiltSite } from "./harness/built-site.ts";
import { sayStolen, watchStolen } from "./host-took.ts";
import {
	rowsOfAllocations,
	rowsOfBytes,
	rowsOfCounts,
	rowsOfFrames,
	rowsOfTimes,
} from "./measure.ts";
import { bundleProbe, ROOT } from "./probe/bundle-probe.ts";
import { type BenchReport, parseReport } from "./report.ts";
import { type BenchRow, EXIT, exitCode, TIERS, type Tier } from "./row.ts";
import { format, writeTable } from "./table.ts";
import { readFrames } from "./tiers/frames-readings.ts";
import { traceFrames } from "./trace.ts";
import { checkOut, isCommit, type Worktree } from "./worktree.ts";

const USAGE = `Usage: npm run bench -- [options]

Plays named scenarios in Node and in headless Chromium and holds what they cost against
bench/budgets.json, row by row. See bench/README.md.

  --only TIER[,TIER]     only these tiers: ${TIERS.join(", ")}
  --against COMMIT       builds that commit and compares: counts and bytes directly, times as ratios
                         with an interval; frames are skipped
  --against FILE.json    compares with the output of an earlier --json (times as plain numbers)
  --update               writes the measured values to bench/budgets.json for review
  --json FILE            writes all results
  --trace FILE           writes the spans of each frame for Perfetto (ui.perfetto.dev) or DevTools
  --help

Verdicts: "within" and "breach" of a budget; compared with a base "faster", "slower", "as fast" (the
whole interval within 10 %) and "cannot tell"; "void" if the run's control failed, so that nothing
was measured; "for reading" without a budget.

Exit codes: 0 all within budget, 1 a breach or slower, 2 invalid arguments or a failed command,
3 a row cannot tell, 4 a row is void and none is worse.`;

/** Frames of two trees cannot be measured at the same moment, and the moment matters. */
const FRAMES_APART = "run --only frames --json in that commit, and compare with the file.";

class Misuse extends Error {}

function readArguments() {
	try {
		const { values } = parseArgs({
			options: {
				only: { type: "string" },
				against: { type: "string" },
				update: { type: "boolean", default: false },
				json: { type: "string" },
				trace: { type: "string" },
				help: { type: "boolean", default: false },
			},
		});
		const tiers = values.only?.split(",") ?? TIERS;
		const unknown = tiers.find((tier) => !TIERS.includes(tier as Tier));
		if (unknown !== undefined) {
			throw new Misuse(`"${unknown}" is not a tier; use one of ${TIERS.join(", ")}.`);
		}
		if (values.update && values.against) {
			throw new Misuse("--update and --against cannot be combined: budgets belong to this tree.");
		}
		for (const name of ["json", "trace"] as const) demandWritable(name, values[name]);
		return { ...values, tiers: tiers as Tier[] };
	} catch (error) {
		throw new Misuse(error instanceof Error ? error.message : String(error));
	}
}

const kindOf = (path: string) => statSync(path, { throwIfNoEntry: false });

/** Fail now on an unwritable file, not after minutes of measuring. */
function demandWritable(name: string, file: string | undefined): void {
	if (file === undefined) return;
	const isFolder = (path: string) => kindOf(path)?.isDirectory();
	if (file === "" || isFolder(file)) {
		throw new Misuse(`--${name} needs a file: "${file}" is not one.`);
	}
	if (!isFolder(dirname(file))) {
		throw new Misuse(`--${name} ${file}: folder "${dirname(file)}" does not exist.`);
	}
}

type Base = { readonly tree: Worktree } | { readonly report: BenchReport };

async function openBase(name: string, tiers: readonly Tier[]): Promise<Base> {
	if (await isCommit(ROOT, name)) {
		if (tiers.every((tier) => tier === "frames")) {
			throw new Misuse(`Frames cannot be compared with a commit: ${FRAMES_APART}`);
		}
		console.error(`Building ${name} …`);
		return { tree: await checkOut(ROOT, name) };
	}
	if (!kindOf(name)?.isFile()) throw new Misuse(`"${name}" is neither a commit nor a file.`);
	try {
		return { report: parseReport(await readFile(name, "utf8")) };
	} catch (error) {
		throw new Misuse(`${name}: ${error instanceof Error ? error.message : error}`);
	}
}

async function describeSubject(): Promise<string> {
	const git = async (...words: string[]) =>
		(await promisify(execFile)("git", words, { cwd: ROOT })).stdout.trim();
	const commit = await git("rev-parse", "HEAD").catch(() => "");
	if (commit === "") return "a tree without git";
	return `${commit}${(await git("status", "--porcelain")) === "" ? "" : "+"}`;
}

function besideReport(rows: readonly BenchRow[], report: BenchReport): BenchRow[] {
	return rows.map((row) => {
		const base = report.rows.find(({ name }) => name === row.name);
		return base ? { ...row, base: base.value } : row;
	});
}

async function run(): Promise<number> {
	const asked = readArguments();
	if (asked.help) {
		console.log(USAGE);
		return EXIT.within;
	}
	const started = Date.now();
	const loadBefore = loadavg()[0]!;
	const readStolen = watchStolen();
	const budgets = await readBudgets();
	const base = asked.against === undefined ? undefined : await openBase(asked.against, asked.tiers);
	const baseTree = base && "tree" in base ? base.tree : undefined;
	await buildTree(ROOT);
	const browser = await launchChromium({ graphics: "software" });
	let rows: BenchRow[] = [];
	let stolen = 0;
	try {
		const code = await bundleProbe();
		const baseCode = baseTree && (await bundleProbe(baseTree.folder));
		const measure: Record<Tier, () => Promise<BenchRow[]>> = {
			counts: () => rowsOfCounts(budgets, code, browser, baseCode),
			bytes: () => rowsOfBytes(budgets, ROOT, { browser, baseTree: baseTree?.folder }),
			allocations: () => rowsOfAllocations(budgets, code, { chromium: true, baseCode }),
			times: () => rowsOfTimes(budgets, code, { chromium: true, baseCode }),
			async frames() {
				const site = await serveBuiltSite(ROOT);
				try {
					const judged = await rowsOfFrames(budgets, browser, site.url);
					return [...judged, ...(await readFrames(site.url))];
				} finally {
					await site.stop();
				}
			},
		};
		for (const tier of TIERS.filter((name) => asked.tiers.includes(name))) {
			if (tier === "frames" && baseTree) {
				console.error(`Skipping frames: ${FRAMES_APART}`);
				continue;
			}
			console.error(`Measuring ${tier} …`);
			rows.push(...(await measure[tier]()));
		}
		if (base && "report" in base) rows = besideReport(rows, base.report);
		if (asked.trace !== undefined) await writeFile(asked.trace, await traceFrames(browser));
		stolen = readStolen();
		const report: BenchReport = {
			format: "bench",
			version: 1,
			at: new Date(started).toISOString(),
			subject: await describeSubject(),
			...(base && { base: "tree" in base ? base.tree.commit : base.report.subject }),
			machine: {
				node: process.versions.node,
				chromium: browser.version(),
				cpu: cpus()[0]?.model ?? "unknown",
				cores: cpus().length,
				load: [loadBefore, loadavg()[0]!],
				stolen,
			},
			rows,
		};
		if (asked.json !== undefined) {
			await writeFile(asked.json, `${JSON.stringify(report, null, "\t")}\n`);
		}
	} finally {
		await browser.close();
		await baseTree?.remove();
	}
	console.log(writeTable(rows));
	console.log(`${format((Date.now() - started) / 1000)} s, ${sayStolen(stolen)}`);
	if (!asked.update) return exitCode(rows);
	const judged = rows.filter(({ verdict }) => verdict !== "for reading");
	const unsettled = judged.filter((row) => !isSound(row));
	await writeBudgets(updateBudgets(budgets, judged.filter(isSound)));
	console.log("Updated the limits in bench/budgets.json. Review the diff.");
	for (const { name } of unsettled) console.log(`Unchanged: ${name}`);
	return exitCode(unsettled);
}

try {
	process.exitCode = await run();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	if (error instanceof Misuse) console.error(`\n${USAGE}`);
	process.exitCode = EXIT.misuse;
}
