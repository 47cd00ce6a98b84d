import { composeServer } from "./compose.ts";
import { readSettings } from "./settings.ts";

const page = (content: string) => `<!doctype html><title>Waitlist</title><p>${content}`;
const outcomePages = {
	registered: page("Registered."),
	duplicate: page("Already registered."),
	refused: page("{{error}} ({{email}})"),
	headers: {},
};

/** Opens only the API: in development, Vite serves the pages. */
export async function openDevApp(environment: NodeJS.ProcessEnv) {
	const settings = readSettings(environment, process.cwd());
	const { fetch, close } = await composeServer(
		{ ...settings, metricsPort: undefined },
		{ outcomePages },
	);
	return { fetch, close: () => close(0) };
}
