import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../bundle-probe.ts";
import { bundle } from "../harness/bundle.ts";
import type { Report } from "./report.ts";

/** The report as one page that needs nothing else: script, styles and numbers are in it. */
export async function writeHtml(report: Report): Promise<string> {
	const uplotStyles = createRequire(import.meta.url).resolve("uplot/dist/uPlot.min.css");
	const [script, plots, page] = await Promise.all([
		bundle("bench/report/page.ts"),
		readFile(uplotStyles, "utf8"),
		readFile(join(ROOT, "bench/report/page.css"), "utf8"),
	]);
	// "<" would end the element early where a text in it says so.
	const numbers = JSON.stringify(report).replaceAll("<", "\\u003c");
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Bench of ${report.subject.slice(0, 12)}</title>
<style>${plots}
${page}</style>
</head>
<body>
<main></main>
<script type="application/json" id="report">${numbers}</script>
<script>${script.replaceAll("</script", "<\\/script")}</script>
</body>
</html>
`;
}
