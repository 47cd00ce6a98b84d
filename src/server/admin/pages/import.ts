import { Readable } from "node:stream";
import { type Problems, requireValid } from "../../refusal.ts";
import { isSourceLabel, SOURCE_INVALID } from "../../registrations/registrations.ts";
import { formatCount, formatNumber } from "../../text/format-number.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import {
	type ImportPreview,
	importNextStep,
	importRegistrations,
	previewImport,
} from "../../transfer/import.ts";
import { importFormatOf } from "../../transfer/import-formats.ts";
import type { RefusedCell } from "../../transfer/import-lines.ts";
import {
	card,
	createFieldRenderer,
	factList,
	hiddenFields,
	PEOPLE_PATH,
	pageOrRefusal,
	responsiveTable,
	sentenceAsHtml,
	timeAsHtml,
} from "../parts.ts";
import { getRoute, type Page, postRoute, type Route } from "../responses.ts";

export const IMPORT_PATH = `${PEOPLE_PATH}/import`;

const MOST_BYTES = 1_000_000;

const TOO_LARGE = "The file is larger than 1 MB. Use the command waitlist import instead.";

const MOST_REFUSED = 20;

/** Upload form, preview and import. The preview's form contains the file, which is stored nowhere else. */
export const importRoutes: readonly Route[] = [
	getRoute(IMPORT_PATH, () => uploadPage(html``)),
	postRoute(
		IMPORT_PATH,
		(request) =>
			pageOrRefusal(async () => {
				const text = (name: string) => request.form.get(name) ?? "";
				const [file, name, source] = [text("file"), text("name"), text("source")];
				const isConfirmed = text("step") === "import";
				const isLarge = !isConfirmed && Buffer.byteLength(file) > MOST_BYTES;
				requireValid({
					file: (file === "" && "Choose a file.") || (isLarge && TOO_LARGE),
					source: !isSourceLabel(source) && SOURCE_INVALID,
				});
				const settings = { format: importFormatOf(name), source };
				const input = () => Readable.from([Buffer.from(file)]);
				const preview = await previewImport(request, input(), settings);
				if (!isConfirmed) return previewPage(preview, { file, name, source }, request.now);
				const { added, duplicates, lines } = await importRegistrations(request, input(), settings);
				const next = importNextStep(added, request.settings);
				return {
					title: "Imported",
					main: html`${card("imported", "Result", outcomeAsHtml("Added", added, duplicates, lines))}
${refusedLines(lines)}
${next.map((step) => html`<p>${sentenceAsHtml(step)}</p>`)}
<p class="actions"><a class="act" href="${PEOPLE_PATH}">People</a></p>`,
				};
			}, uploadPage),
		// Browsers send line breaks as CRLF, which may double the size of the preview's hidden field.
		2 * MOST_BYTES,
	),
];

const outcomeAsHtml = (
	name: string,
	added: number,
	there: number,
	refused: readonly RefusedCell[],
) =>
	factList([
		[name, formatNumber(added)],
		["Already on the list", formatNumber(there)],
		["Rejected", formatNumber(refused.length)],
	]);

const uploadPage = (said: Html, problems?: Problems): Page => ({
	title: "Import",
	main: html`${said}<p class="lead">No one has been added yet. The next page shows a preview.</p>
<form class="card" method="post" enctype="multipart/form-data" novalidate>
<div class="fields">${createFieldRenderer(problems)(
		"file",
		"File",
		html`CSV with a header, JSON lines, or one address per line; UTF-8, at most 1 MB. Larger files: <code>waitlist import</code>.`,
		(its) => html`<input ${its} type="file" accept=".csv,.jsonl,.txt" required>`,
	)}
${createFieldRenderer(problems)(
	"source",
	"Source",
	"For people without one in the file.",
	(its) => html`<input ${its} value="import" required autocomplete="off">`,
)}</div>
<p class="actions"><button class="act strong" type="submit">Preview</button> <a class="act" href="${PEOPLE_PATH}">Back</a></p>
</form>`,
});

function previewPage(
	{ people, there, first, refused, unread }: ImportPreview,
	fields: { file: string; name: string; source: string },
	now: Date,
): Page {
	const at = (time: string | undefined) => (time ? timeAsHtml(time, now) : "");
	const rows = first.map(({ registration: { email, joinedAt, source }, facts: known }) => [
		printableLine(email),
		at(joinedAt),
		printableLine(source),
		at(known?.confirmedAt),
		at(known?.unsubscribedAt || known?.bouncedAt),
	]);
	const columns = ["Address", "Joined", "Source", "Confirmed", "Unsubscribed or bounced"];
	const fresh = people - there;
	return {
		title: "Import",
		main: html`${card(
			"read",
			printableLine(fields.name),
			html`${outcomeAsHtml("New", fresh, there, refused)}
${unread.length > 0 ? html`<p>Ignored columns: ${printableLine(unread.join(", "))}.</p>` : html``}
<p>People already on the list keep their entry; newer confirmations, unsubscribes and bounces are added to it. No emails are sent.</p>`,
		)}
${rows.length > 0 ? html`<h2>First rows</h2>${responsiveTable(columns, rows, { wide: "Source" })}` : html``}
${refusedLines(refused)}
<form class="actions" method="post" enctype="multipart/form-data">${hiddenFields(fields)}
${people > 0 ? html`<button class="act strong" type="submit" name="step" value="import">${fresh > 0 ? `Add ${formatCount(fresh, "person", "people")}` : "Update"}</button>` : html``} <a class="act" href="${IMPORT_PATH}">Choose another file</a></form>`,
	};
}

function refusedLines(refused: readonly RefusedCell[]): Html {
	if (refused.length === 0) return html``;
	const rows = refused
		.slice(0, MOST_REFUSED)
		.map(({ line, column, value, error }) => [
			`Line ${line}`,
			...[column, value, error].map(printableLine),
		]);
	const more = refused.length - rows.length;
	return html`<h2>Rejected lines</h2>${responsiveTable(["Line", "Column", "Value", "Problem"], rows, { wide: "Value" })}
${more > 0 ? html`<p>And ${formatNumber(more)} more.</p>` : html``}`;
}
