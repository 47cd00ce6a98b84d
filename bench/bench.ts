/** `npm run bench`: is this build within budget, what moved, and where does a frame go? */
import { execFile } from "node:child_process";
import { statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { isSound, readBudgets, updateBudgets, writeBudgets } from "./budgets.ts";
import { bundleProbe, ROOT } from "./bundle-probe.ts";
import { EXIT, exitCode } from "./exit-code.ts";
import { launchChromium } from "./harness/browsers/chromium.ts";
import { buildTree } from "./harness/build-tree.ts";
import { serveBuiltSite } from "./harness/built-site.ts";
import { traceSchedule, watchLive } from "./live.ts";
import {
	rowsOfAllocations,
	rowsOfBytes,
	rowsOfCounts,
	rowsOfFrames,
	rowsOfInstructions,
	rowsOfTimes,
} from "./measure.ts";
import { format, sayStolen } from "./report/format.ts";
import { writeHtml } from "./report/html.ts";
import { parseReport, type Report } from "./report/report.ts";
import { writeTable } from "./report/table.ts";
import { writeTrace } from "./report/trace.ts";
import { type Row, TIERS, type Tier } from "./row.ts";
import { spanEdits } from "./span-edits.ts";
import { watchStolen } from "./stolen.ts";
import type { CountsByScenario } from "./tiers/counts.ts";
import { findValgrind } from "./tiers/instructions.ts";
import { checkOut, isCommit, type Worktree } from "./worktree.ts";

const USAGE = `Usage: npm run bench -- [options]

Plays named scenarios in Node and in headless Chromium and holds what they cost against
bench/budgets.json, row by row.

  --only TIER[,TIER]     only these tiers: ${TIERS.join(", ")};
                         without it all but instructions, which need Valgrind
  --against COMMIT       builds that commit beside this tree and compares: counts and bytes as they
                         are, times as ratios with an interval, frames not at all
  --against FILE.json    compares with what an earlier --json wrote (times only as numbers)
  --update               writes what was measured into bench/budgets.json, to be reviewed
  --json FILE            everything that was found
  --html FILE            the same as one page, with plots of a live run
  --trace FILE           spans of each frame for Perfetto (ui.perfetto.dev) or DevTools
  --help

Verdicts: "within" and "breach" of a budget; beside a base "faster", "slower", "as fast" (the whole
interval within 10 %) and "cannot tell"; "void" when the control of the same run failed, so that
nothing was measured.

Leaves with 0 when all is within budget, 1 on a breach or when slower, 2 when used wrongly or when
something could not run, 3 when a row cannot tell, 4 when a row is void and none is worse.`;

const BUDGETS = join(ROOT, "bench/budgets.json");

/** Two trees cannot be felt at once. */
const FRAMES_APART = "its moment counts too. Its numbers are in that commit's own --json.";

class Misuse extends Error {}

function readArguments() {
	try {
		const { values } = parseArgs({
			options: {
				only: { type: "string" },
				against: { type: "string" },
				update: { type: "boolean", default: false },
				json: { type: "string" },
				html: { type: "string" },
				trace: { type: "string" },
				help: { type: "boolean", default: false },
			},
		});
		const tiers = values.only?.split(",") ?? TIERS.filter((tier) => tier !== "instructions");
		const unknown = tiers.find((tier) => !TIERS.includes(tier as Tier));
		if (unknown !== undefined)
			throw new Misuse(`"${unknown}" is no tier: there are ${TIERS.join(", ")}.`);
		if (values.update && values.against)
			throw new Misuse(
				"--update and --against do not go together: budgets are of this tree alone.",
			);
		for (const name of ["json", "html", "trace"] as const) demandWritable(name, values[name]);
		return { ...values, tiers: tiers as Tier[] };
	} catch (error) {
		throw new Misuse(error instanceof Error ? error.message : String(error));
	}
}

const kindOf = (path: string) => statSync(path, { throwIfNoEntry: false });

/** It is found out now, and not when minutes of measuring have nowhere to go. */
function demandWritable(name: string, file: string | undefined): void {
	if (file === undefined) return;
	const isFolder = (path: string) => kindOf(path)?.isDirectory();
	if (file === "" || isFolder(file)) throw new Misuse(`--${name} needs a file: "${file}" is none.`);
	if (!isFolder(dirname(file)))
		throw new Misuse(`--${name} ${file}: there is no folder "${dirname(file)}".`);
}

type Base = { readonly tree: Worktree } | { readonly report: Report };

async function openBase(name: string, tiers: readonly Tier[]): Promise<Base> {
	if (await isCommit(ROOT, name)) {
		if (tiers.every((tier) => tier === "frames"))
			throw new Misuse(`What a visitor feels is not compared with a commit: ${FRAMES_APART}`);
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

/** With what an earlier run wrote down beside it. */
function besideReport(rows: readonly Row[], report: Report): Row[] {
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
	const budgets = await readBudgets(BUDGETS);
	const valgrind = asked.tiers.includes("instructions") ? await findValgrind() : undefined;
	const base = asked.against === undefined ? undefined : await openBase(asked.against, asked.tiers);
	const baseTree = base && "tree" in base ? base.tree : undefined;
	await buildTree(ROOT);
	const browser = await launchChromium({
		graphics: "software",
		args: ["--enable-precise-memory-info"],
	});
	let rows: Row[] = [];
	let counts: CountsByScenario | undefined;
	let stolen = 0;
	try {
		const code = await bundleProbe();
		const baseCode = baseTree && (await bundleProbe(baseTree.folder));
		for (const tier of TIERS.filter((name) => asked.tiers.includes(name))) {
			if (tier === "frames" && baseTree) {
				console.error(`Leaving out frames: ${FRAMES_APART}`);
				continue;
			}
			console.error(`Measuring ${tier} …`);
			if (tier === "counts") {
				const counted = await rowsOfCounts(budgets, code, browser, baseCode);
				rows.push(...counted.rows);
				counts = counted.counts;
			} else if (tier === "bytes")
				rows.push(...(await rowsOfBytes(budgets, ROOT, { browser, baseTree: baseTree?.folder })));
			else if (tier === "allocations")
				rows.push(...(await rowsOfAllocations(budgets, code, { chromium: true, baseCode })));
			else if (tier === "instructions" && valgrind !== undefined)
				rows.push(...(await rowsOfInstructions(budgets, code, { valgrind, baseCode })));
			else if (tier === "times")
				rows.push(...(await rowsOfTimes(budgets, code, { chromium: true, baseCode })));
			else {
				const site = await serveBuiltSite(ROOT);
				try {
					rows.push(...(await rowsOfFrames(budgets, browser, site.url)));
				} finally {
					await site.stop();
				}
			}
		}
		if (base && "report" in base) rows = besideReport(rows, base.report);
		if (asked.trace !== undefined) {
			const spans = await traceSchedule(browser, await bundleProbe(ROOT, [spanEdits()]));
			await writeFile(asked.trace, writeTrace(spans));
		}
		stolen = readStolen();
		const report: Report = {
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
			...(counts && { counts }),
			...(asked.html !== undefined && { live: await watchLive(browser, code) }),
		};
		if (asked.json !== undefined)
			await writeFile(asked.json, `${JSON.stringify(report, null, "\t")}\n`);
		if (asked.html !== undefined) await writeFile(asked.html, await writeHtml(report));
	} finally {
		await browser.close();
		await baseTree?.remove();
	}
	console.log(writeTable(rows));
	console.log(`${format((Date.now() - started) / 1000)} s, ${sayStolen(stolen)}`);
	if (!asked.update) return exitCode(rows);
	const unsettled = rows.filter((row) => !isSound(row));
	await writeBudgets(BUDGETS, updateBudgets(budgets, rows.filter(isSound)));
	console.log("bench/budgets.json has these as its limits now. Review the difference.");
	for (const { name } of unsettled) console.log(`Left as it was: ${name}`);
	return exitCode(unsettled);
}

try {
	process.exitCode = await run();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	if (error instanceof Misuse) console.error(`\n${USAGE}`);
	process.exitCode = EXIT.misuse;
}
