/**
 * `npm run bench:page`: builds the playground and serves it until stopped, on HOST and PORT (else
 * on port 4180 of this machine alone); `-- --port 5000`.
 */
import { parseArgs } from "node:util";
import { readAddress } from "../../src/server/settings.ts";
import { servePlayground } from "./build.ts";

const { values } = parseArgs({ options: { port: { type: "string" } } });
try {
	const asked = { ...process.env, ...(values.port && { PORT: values.port }) };
	const { host, port } = readAddress(asked, 4180);
	const { url } = await servePlayground(port, host);
	console.log(`The playground is at ${url}`);
} catch (error) {
	const { message } = error as Error;
	console.error(values.port ? message.replace(/^PORT/m, "--port") : message);
	process.exitCode = 2;
}
