/** `npm run bench:page`: builds and serves the playground on HOST and PORT (127.0.0.1:4180). */
import { readListenAddress } from "../../src/server/settings.ts";
import { servePlayground } from "./build.ts";

const { host, port } = readListenAddress(process.env, 4180);
const { url } = await servePlayground(port, host);
console.log(`The playground is at ${url}`);
