import type { Plugin } from "vite";
import { readAddress } from "../../server/settings.ts";
import { plainError } from "../plain-error.ts";

/** Makes `vite dev` listen on HOST and PORT, like the product's server; `--host` and `--port` win. */
export function devAddress(): Plugin {
	return {
		name: "dev-address",
		apply: (_, { command, mode }) => command === "serve" && mode !== "test",
		config({ server }) {
			const { host, port } = addressIn(process.env);
			// Without an explicit PORT, the next free one will do.
			return { server: { host, port, strictPort: Boolean(process.env.PORT), ...server } };
		},
	};
}

function addressIn(environment: NodeJS.ProcessEnv) {
	try {
		return readAddress(environment, 5173);
	} catch (error) {
		throw plainError((error as Error).message);
	}
}
