/** `npm run bench`: compares this build with its budgets and with another commit. */
import { parseArgs } from "node:util";
import { readBudgets, updateBudgets, writeBudgets } from "./budgets.ts";
import { launchChromium } from "./harness/browsers/chromium.ts";
import { buildProduct } from "./harness/built-site.ts";
import { measureTiers } from "./measure.ts";
import { REPOSITORY_ROOT } from "./probe/bundle-probe.ts";
import { PROFILE_EXTENSIONS, profileFrames } from "./profile.ts";
import { formatProfile, formatReport } from "./report.ts";
import { type BudgetRow, isFailing, TIERS, type Tier } from "./row.ts";
import { formatStolenCpu, watchStolenCpu } from "./stolen-cpu.ts";
import { BENCH_V8_FLAGS } from "./tiers/times.ts";
import { checkOutCommit, findDefaultBase } from "./worktree.ts";

const USAGE = `Usage: npm run bench -- [options]

Is this build within bench/budgets.json, and what moved since another commit? Takes two minutes.

  --only TIER[,TIER]   some tiers: ${TIERS.join(", ")}
  --against COMMIT     the base; by default HEAD if files have changed, otherwise the commit before;
                       "none" compares with the budgets only, and skips times
  --update             writes the measured counts into bench/budgets.json
  --json               prints all values as JSON, for npm run -s bench
  --profile FILE       profiles frames instead, for DevTools: time by function in a .cpuprofile,
                       allocated bytes in a .heapprofile

Times take turns with the base, in nine pairs of processes. "slower" and "faster" mean that the
whole 95% interval is more than 3% from it, "same" that it is within 5%, "cannot tell" neither.

Exits with 0 if all is within budget and nothing is slower, 1 if not, 2 if it could not measure.`;

function readOptions() {
	const { values } = parseArgs({
		options: {
			only: { type: "string", default: TIERS.join() },
			against: { type: "string" },
			update: { type: "boolean", default: false },
			json: { type: "boolean", default: false },
			profile: { type: "string" },
			help: { type: "boolean", default: false },
		},
	});
	const tiers = values.only.split(",") as Tier[];
	const unknown = tiers.find((tier) => !TIERS.includes(tier));
	if (unknown !== undefined) {
		throw new Error(`"${unknown}" is not a tier; use ${TIERS.join(", ")}.`);
	}
	if (values.against === "none" && tiers.every((tier) => tier === "times")) {
		throw new Error("Times need a base: --against none leaves nothing to measure.");
	}
	if (
		values.profile !== undefined &&
		!PROFILE_EXTENSIONS.some((end) => values.profile?.endsWith(end))
	) {
		throw new Error(`--profile needs a file that ends with ${PROFILE_EXTENSIONS.join(" or ")}.`);
	}
	return { ...values, tiers };
}

const started = Date.now();
const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;

function progress(text: string): void {
	const line = `${seconds().padStart(5)}  ${text} …`;
	process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
}

function endProgress(): void {
	if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
}

async function run(): Promise<boolean> {
	const options = readOptions();
	if (options.help) {
		console.log(USAGE);
		return true;
	}
	if (options.profile !== undefined) {
		progress("Profiling frames");
		const { shares, sum, unit } = await profileFrames(options.profile);
		endProgress();
		console.log(formatProfile(shares));
		console.log(
			`\n${sum.toLocaleString("en")} ${unit}. Wrote ${options.profile}, for DevTools and VS Code.`,
		);
		return true;
	}
	const readStolen = watchStolenCpu();
	const name = options.against ?? (await findDefaultBase(REPOSITORY_ROOT));
	const build = options.tiers.some((tier) => tier === "bytes" || tier === "pages");
	progress("Building");
	if (build) await buildProduct(REPOSITORY_ROOT);
	if (name !== "none") progress(`Building ${name}`);
	const base = name === "none" ? undefined : await checkOutCommit(REPOSITORY_ROOT, name, { build });
	const browser = await launchChromium({
		graphics: "software",
		shell: true,
		engineFlags: BENCH_V8_FLAGS,
	});
	try {
		const trees = { now: REPOSITORY_ROOT, base: base?.folder };
		const rows = await measureTiers(browser, options.tiers, trees, progress);
		const stolen = readStolen();
		endProgress();
		if (options.json) {
			console.log(JSON.stringify({ base: base?.commit, stolen, rows }, null, "\t"));
		} else {
			console.log(formatReport(rows, base && name));
			console.log(`\n${seconds()}, ${formatStolenCpu(stolen)}`);
		}
		if (!options.update) return !rows.some(isFailing);
		const counts = rows.filter((row): row is BudgetRow => row.tier === "counts");
		await writeBudgets(updateBudgets(await readBudgets(), counts));
		console.error("Wrote the counts to bench/budgets.json. Review the diff.");
		return true;
	} finally {
		await browser.close();
		await base?.remove();
	}
}

try {
	process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
	endProgress();
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 2;
}
