// Runs a TypeScript file through Vite, because Node 20 cannot:
// `node src/tooling/run.js bench/replay/replay.ts …`
import { runnerImport } from "vite";

const [entry, ...args] = process.argv.slice(2);
process.argv.splice(1, process.argv.length - 1, entry, ...args);
await runnerImport(entry, { configFile: false, logLevel: "error" });
