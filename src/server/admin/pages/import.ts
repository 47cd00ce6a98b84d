import { Readable } from "node:stream";
import { isSourceLabel, SOURCE_INVALID } from "../../registrations/source.ts";
import { type Html, html } from "../../text/html.ts";
import { printableLine } from "../../text/printable.ts";
import { importRegistrations } from "../../transfer/import.ts";
import { formatOf } from "../../transfer/import-formats.ts";
import type { Refused } from "../../transfer/import-lines.ts";
import { type ImportPreview, previewImport } from "../../transfer/import-preview.ts";
import type { Page, Route } from "../page.ts";
import { attempt, card, counted, facts, figure, refusal, sheet, timeAsHtml } from "../parts.ts";
import { PEOPLE_PATH } from "./people-filter.ts";

export const IMPORT_PATH = `${PEOPLE_PATH}/import`;

/** Larger files are for the command. */
const MOST_BYTES = 1_000_000;

/** Refused lines that are shown. */
const MOST_REFUSED = 20;

/** A file from its form, by a preview, to the list. The file goes along in the form: nothing is stored before. */
export const importRoutes: readonly Route[] = [
	{ method: "GET", path: IMPORT_PATH, respond: () => uploadPage() },
	{
		method: "POST",
		path: IMPORT_PATH,
		// Browsers send the hidden field of the second step with CRLF.
		mostBytes: 2 * MOST_BYTES,
		async respond(request) {
			const { form } = request;
			const [text = "", name = "", source = ""] = ["file", "name", "source"].map(
				(field) => form.get(field) ?? undefined,
			);
			if (text === "") return uploadPage(refusal("Choose a file."));
			if (form.get("step") !== "import" && Buffer.byteLength(text) > MOST_BYTES) {
				return uploadPage(refusal("The file has more than 1 MB: use `waitlist import`."));
			}
			if (!isSourceLabel(source)) return uploadPage(refusal(`Source: ${SOURCE_INVALID}`));
			const settings = { format: formatOf(name), source, terms: "" };
			const input = () => Readable.from([Buffer.from(text)]);
			const read = await attempt(() => previewImport(request, input(), settings));
			if ("refused" in read) return uploadPage(refusal(read.refused));
			if (form.get("step") !== "import") return previewPage(read.done, { text, name, source });
			const outcome = await attempt(() => importRegistrations(request, input(), settings));
			if ("refused" in outcome) return uploadPage(refusal(outcome.refused));
			const { added, duplicates, lines } = outcome.done;
			return {
				title: "Imported",
				main: html`${card(
					"imported",
					"Result",
					facts([
						["Added", figure(added)],
						["Already there", figure(duplicates)],
						["Refused", figure(lines.length)],
					]),
				)}
${refusedLines(lines)}
<p class="actions"><a class="act" href="${PEOPLE_PATH}">People</a></p>`,
			};
		},
	},
];

const uploadPage = (said: Html = html``): Page => ({
	title: "Import",
	status: said.markup === "" ? 200 : 400,
	main: html`${said}<p class="lead">Nobody is added yet. The next page shows how the file is read.</p>
<form class="card" method="post" enctype="multipart/form-data">
<div class="fields"><div class="field"><label for="file">File</label>
<input id="file" name="file" type="file" accept=".csv,.jsonl,.txt" required aria-describedby="file-hint">
<p class="hint" id="file-hint">CSV with a header, JSON lines, or one address a line; UTF-8, at most 1 MB. Larger files: <code>waitlist import</code>.</p></div>
<div class="field"><label for="source">Source</label>
<input id="source" name="source" value="import" required autocomplete="off" aria-describedby="source-hint">
<p class="hint" id="source-hint">Of people without one in the file.</p></div></div>
<p class="actions"><button class="act strong" type="submit">Preview</button> <a class="act" href="${PEOPLE_PATH}">Back</a></p>
</form>`,
});

function previewPage(
	{ people, there, first, refused, unread }: ImportPreview,
	file: { text: string; name: string; source: string },
): Page {
	const rows = first.map(({ registration, known }) => {
		const { email, joinedAt, source } = registration;
		const at = (time: string | undefined) => (time ? timeAsHtml(time) : html``);
		return html`<tr><th scope="row">${printableLine(email)}</th><td data-name="Joined">${timeAsHtml(joinedAt)}</td>
<td data-name="Source" class="wide">${printableLine(source)}</td><td data-name="Confirmed">${at(known?.confirmedAt)}</td>
<td data-name="Unsubscribed or bounced">${at(known?.unsubscribedAt || known?.bouncedAt)}</td></tr>`;
	});
	const columns = ["Address", "Joined", "Source", "Confirmed", "Unsubscribed or bounced"];
	const fresh = people - there;
	return {
		title: "Import",
		main: html`${card(
			"read",
			printableLine(file.name),
			html`${facts([
				["New", figure(fresh)],
				["Already there", figure(there)],
				["Refused", figure(refused.length)],
			])}
${unread.length > 0 ? html`<p>Columns that are not read: ${printableLine(unread.join(", "))}.</p>` : html``}
<p>People who are there already keep their row; newer confirmations, unsubscribes and bounces are added to it. Nobody gets an email by this.</p>`,
		)}
${rows.length > 0 ? html`<h2>The first people</h2>${sheet("", columns, rows)}` : html``}
${refusedLines(refused)}
<form class="actions" method="post" enctype="multipart/form-data">
<input type="hidden" name="file" value="${file.text}"><input type="hidden" name="name" value="${file.name}"><input type="hidden" name="source" value="${file.source}">
${fresh > 0 ? html`<button class="act strong" type="submit" name="step" value="import">Add ${counted(fresh, "person", "people")}</button>` : html``} <a class="act" href="${IMPORT_PATH}">Choose another file</a></form>`,
	};
}

function refusedLines(refused: readonly Refused[]): Html {
	if (refused.length === 0) return html``;
	const rows = refused.slice(0, MOST_REFUSED).map(
		({ line, column, value, error }) => html`<tr><th scope="row">Line ${String(line)}</th>
<td data-name="Column">${printableLine(column)}</td><td data-name="Value" class="wide">${printableLine(value)}</td><td data-name="Problem">${printableLine(error)}</td></tr>`,
	);
	const more = refused.length - rows.length;
	return html`<h2>Refused lines</h2>${sheet("", ["Line", "Column", "Value", "Problem"], rows)}
${more > 0 ? html`<p>And ${figure(more)} more.</p>` : html``}`;
}
