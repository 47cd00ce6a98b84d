import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
	plugins: [react()],
	test: {
		projects: [
			{ extends: true, test: { name: "engine", include: ["tests/engine/**/*.test.ts"] } },
			{
				extends: true,
				test: { name: "server", include: ["tests/{server,shared}/**/*.test.ts"] },
			},
			{
				extends: true,
				test: {
					name: "site",
					include: ["tests/site/**/*.test.{ts,tsx}"],
					environment: "happy-dom",
				},
			},
			{ extends: true, test: { name: "browser", include: ["tests/browser/**/*.test.ts"] } },
		],
	},
});
