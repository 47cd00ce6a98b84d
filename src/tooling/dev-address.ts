import type { Plugin } from "vite";
import { readAddress } from "../server/settings.ts";

/** `vite dev` listens where HOST and PORT say, as the product's server does; `--host` and `--port` win. */
export function devAddress(): Plugin {
	return {
		name: "dev-address",
		apply: (_, { command, mode }) => command === "serve" && mode !== "test",
		config({ server }) {
			const address = readAddress(process.env, 5173);
			if ("problems" in address) {
				const message = address.problems.join("\n");
				// Vite prints the stack, which leads nowhere here.
				throw Object.assign(new Error(message), { stack: message });
			}
			// Without a PORT that somebody relies on, the next free one will do.
			return { server: { ...address, strictPort: Boolean(process.env.PORT), ...server } };
		},
	};
}
