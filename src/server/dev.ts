import { createApp } from "./app.ts";
import { admission } from "./join/admission.ts";
import { registration } from "./join/join.ts";
import { reportToStdout as report } from "./log.ts";
import { readSettings } from "./settings.ts";
import { timestamp } from "./timestamp.ts";
import { openWaitlist } from "./waitlist/open-waitlist.ts";

/** Stands in for the prerendered pages, which only a build has. */
const page = (content: string) => `<!doctype html><title>Waitlist</title><p>${content}`;
const outcomePages = {
	registered: page("Registered."),
	duplicate: page("Already registered."),
	refused: page("{{error}} ({{email}})"),
	headers: {},
};

/** The API alone, for the development server, which shows the pages itself. */
export async function openDevApp(environment: NodeJS.ProcessEnv) {
	const read = readSettings(environment, process.cwd());
	if ("problems" in read) throw new Error(read.problems.join("\n"));
	const waitlist = await openWaitlist(read.settings.database, report);
	const { fetch } = createApp({
		register: registration({
			waitlist,
			outcomePages,
			now: timestamp,
			admit: admission(read.settings, report),
			report,
		}),
		isReady: () => waitlist.isReady(),
		report,
	});
	return { fetch, close: () => waitlist.close() };
}
