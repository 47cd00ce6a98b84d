import { html } from "../../html.ts";
import { endPause } from "../../letters/sending/outbox.ts";
import type { Settings } from "../../settings.ts";
import { noteInAudit } from "../../waitlist/audit.ts";
import { latestRegistrations } from "../../waitlist/registrations.ts";
import { findForm } from "../person/find-form.ts";
import type { OfficeRoute } from "../routes.ts";
import { timeAsHtml } from "../time.ts";
import type { Certificate } from "../today/certificate.ts";
import { readHealth } from "../today/health.ts";
import { liveNumbers } from "../today/live.ts";
import {
	type Counts,
	readCounts,
	readOutgoing,
	readTallies,
	type Tallies,
} from "../today/numbers.ts";
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
	/** What is known of the certificate of the site; undefined where nothing is yet. */
	certificate: () => Certificate | undefined;
}

/** Where the numbers are in a frame of their own. */
const LIVE_PATH = "/live";

/** How often Live renews them. */
const LIVE_SECONDS = 30;

/** How many of those who joined last are shown. */
const LATEST = 20;

/** The first screen. */
export function todayRoutes({
	settings,
	refusals,
	certificate,
}: TodayParts): readonly OfficeRoute[] {
	const [counts, tallies] = [shareCounts<Counts>(), shareCounts<Tallies>()];
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
					certificate: certificate(),
				});
				const people = await latestRegistrations(database.query, LATEST);
				const live = search.has("live");
				const turn = live
					? html`<a class="act" href="/">Stop</a>`
					: html`<a class="act" href="/?live" title="Renews the first numbers every ${String(LIVE_SECONDS)} seconds">Live</a>`;
				// Its own time stands in the frame of Live, and a second one would grow old beside it.
				const asOf = live
					? html`The first numbers renew themselves every ${String(LIVE_SECONDS)} s.`
					: html`As of ${timeAsHtml(numbers.asOf)}.`;
				const first = live
					? html`<iframe class="live" src="${LIVE_PATH}" title="Numbers, renewed every ${String(LIVE_SECONDS)} seconds"></iframe>`
					: liveNumbers(numbers);
				return {
					title: "Today",
					frames: live,
					main: html`<div class="fresh"><p>${asOf} Days and hours are in UTC.</p>${findForm({ brief: true })}
<a class="act" href="${live ? "/?live" : "/"}">Refresh</a>${turn}</div>
${doneAsHtml(search)}
${first}
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
			method: "GET",
			path: LIVE_PATH,
			async respond({ database, now }) {
				const numbers = await tallies(() => readTallies(database, now));
				return {
					title: "Live numbers",
					refreshSeconds: LIVE_SECONDS,
					frame: html`${liveNumbers(numbers)}<p class="fine">As of ${timeAsHtml(numbers.asOf)}</p>`,
				};
			},
		},
		{
			method: "POST",
			path: GO_ON_PATH,
			async respond({ database, form, now, session }) {
				const note = noteInAudit({ session: session.id, action: "pause of letters ended" }, now);
				await endPause(database, now, [note]);
				return { seeOther: saying("go-on", form.get("at") === LETTERS_PATH ? LETTERS_PATH : "/") };
			},
		},
	];
}
