import { html } from "../../html.ts";
import { releaseEmails } from "../../mail/rate/pauses.ts";
import { noteInAudit } from "../../registrations/audit.ts";
import { latestRegistrations } from "../../registrations/registrations.ts";
import type { Settings } from "../../settings.ts";
import type { OfficeRoute } from "../page.ts";
import { findForm } from "../person/find-form.ts";
import { timeAsHtml } from "../time.ts";
import { firstNumbers } from "../today/first-numbers.ts";
import { readHealth } from "../today/health.ts";
import { type Counts, readCounts, readOutgoing } from "../today/numbers.ts";
import type { Refusals } from "../today/refusals.ts";
import {
	funnelSection,
	GO_ON_PATH,
	healthSection,
	LETTERS_PATH,
	latestSection,
	lettersSection,
	limitsSection,
	sourcesSection,
} from "../today/sections.ts";
import { shareCounts } from "../today/shared.ts";
import { doneAsHtml, saying } from "../waves/done.ts";

/** What the first screen is made of, besides the database. */
export interface TodayParts {
	settings: Pick<Settings, "database" | "mail">;
	refusals: Pick<Refusals, "read">;
}

/** How many of those who joined last are shown. */
const LATEST = 20;

/** The first screen. */
export function todayRoutes({ settings, refusals }: TodayParts): readonly OfficeRoute[] {
	const counts = shareCounts<Counts>();
	return [
		{
			method: "GET",
			path: "/",
			async respond({ database, now, search }) {
				const outgoing = await readOutgoing(database, settings, now);
				const counted = await counts(() => readCounts(database, now));
				const numbers = { ...counted, ...outgoing };
				const findings = await readHealth({
					settings,
					query: database.query,
					now,
					letters: numbers,
				});
				const people = await latestRegistrations(database.query, LATEST);
				return {
					title: "Today",
					main: html`<div class="fresh"><p>As of ${timeAsHtml(numbers.asOf)}. Days and hours are in UTC.</p>${findForm({ brief: true })}
<a class="act" href="/">Refresh</a></div>
${doneAsHtml(search)}
${firstNumbers(numbers)}
${funnelSection(numbers.funnel)}
<div class="cards">
${sourcesSection(numbers)}
<div>${lettersSection(numbers, settings.mail !== undefined)}
${limitsSection(refusals.read(), numbers.marks)}</div>
${healthSection(findings)}
</div>
${latestSection(people)}`,
				};
			},
		},
		{
			method: "POST",
			path: GO_ON_PATH,
			async respond({ database, form, now, session }) {
				const note = noteInAudit({ session: session.id, action: "pause of letters ended" }, now);
				await database.transact(releaseEmails, { now, also: [note] });
				return { seeOther: saying("go-on", form.get("at") === LETTERS_PATH ? LETTERS_PATH : "/") };
			},
		},
	];
}
