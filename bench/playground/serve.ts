/** `npm run bench:page`: builds the playground and serves it until stopped; `-- --port 5000`. */
import { parseArgs } from "node:util";
import { servePlayground } from "./build.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "4180" } } });
if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) {
	console.error(`--port is "${values.port}"; it must be a whole number from 0 to 65535.`);
	process.exitCode = 2;
} else {
	const { url } = await servePlayground(Number(values.port));
	console.log(`The playground is at ${url}`);
}
