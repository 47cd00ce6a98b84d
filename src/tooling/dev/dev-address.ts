import type { Plugin } from "vite";
import { readAddress } from "../../server/settings.ts";
import { plainError } from "../plain-error.ts";

/** `vite dev` listens where HOST and PORT say, as the product's server does; `--host` and `--port` win. */
export function devAddress(): Plugin {
	return {
		name: "dev-address",
		apply: (_, { command, mode }) => command === "serve" && mode !== "test",
		config({ server }) {
			const { host, port } = addressIn(process.env);
			// Without a PORT that somebody relies on, the next free one will do.
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
