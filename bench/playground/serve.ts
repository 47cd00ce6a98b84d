/**
 * `npm run bench:page`: builds the bench page and serves it until stopped, where HOST and PORT say
 * (else on port 4180 of this machine alone); `-- --port 5000`.
 */
import { parseArgs } from "node:util";
import { readAddress } from "../../src/server/settings.ts";
import { serveBenchPage } from "./build.ts";

const { values } = parseArgs({ options: { port: { type: "string" } } });
const address = readAddress({ ...process.env, ...(values.port && { PORT: values.port }) }, 4180);
if ("problems" in address) {
	const name = values.port ? "--port" : "PORT";
	console.error(address.problems.map((problem) => problem.replace(/^PORT/, name)).join("\n"));
	process.exitCode = 2;
} else {
	const { url } = await serveBenchPage(address.port, address.host);
	console.log(`The bench page is at ${url}`);
}
