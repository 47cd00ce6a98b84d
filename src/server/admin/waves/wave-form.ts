import { randomBytes } from "node:crypto";
import { isWaveName, WAVE_NAME_INVALID, type WaveKind } from "../../mail/wave/wave.ts";
import { isSourceLabel, SOURCE_INVALID } from "../../registrations/source.ts";
import { parseTime } from "../../time.ts";
import type { AskedWave } from "../../waves/add-wave.ts";
import { problemOf } from "../../waves/message.ts";
import { DOMAIN_INVALID, readDomain, type Selection } from "../../waves/selection.ts";

/** The fields of a new wave, in their order. */
export const FIELDS = [
	...(["name", "kind", "size", "order", "days", "source", "domain", "at"] as const),
	...(["unconfirmed", "uninvited", "subject", "message"] as const),
] as const;

export type Field = (typeof FIELDS)[number];

/** A wave as its form describes it. The form goes along from page to page, until it is confirmed. */
export interface WrittenWave {
	asked: AskedWave;
	selection: Selection;
	/** Of the random order; by time without it. */
	seed?: string;
	fields: Readonly<Record<Field, string>>;
}

/** What is wrong, by its field. */
export type Problems = Partial<Record<Field, string>>;

/** Reads the form of a new wave: what `invite` and `write` take as arguments. */
export function readWaveForm(
	form: URLSearchParams,
): { wave: WrittenWave } | { problems: Problems } {
	const fields = Object.fromEntries(
		FIELDS.map((field) => [field, (form.get(field) ?? "").replace(/\r\n?/g, "\n").trim()]),
	) as Record<Field, string>;
	const { name, order, source, domain, at, subject, message } = fields;
	const problems: Problems = {};
	const kind: WaveKind = fields.kind === "news" ? "news" : "invitation";
	const isNews = kind === "news";
	if (!isWaveName(name)) problems.name = WAVE_NAME_INVALID;
	if (source !== "" && !isSourceLabel(source)) problems.source = SOURCE_INVALID;
	const canonical = domain === "" ? undefined : readDomain(domain);
	if (domain !== "" && canonical === undefined) problems.domain = DOMAIN_INVALID;
	const startsAt = at === "" ? undefined : parseTime(at);
	if (at !== "" && startsAt === undefined) {
		problems.at = "It must be a day or a time in UTC, as in 2026-11-21 or 2026-11-21T09:30Z.";
	}
	if (!isNews && !/^[1-9]\d{0,7}$/.test(fields.size)) {
		problems.size = "It must be a whole number from 1 to 99999999.";
	}
	if (!isNews && fields.days !== "" && !/^[1-9]\d{0,3}$/.test(fields.days)) {
		problems.days = "It must be a number of days from 1 to 9999.";
	}
	const isWritten = subject !== "" || message !== "";
	if (isNews || isWritten) {
		if (subject === "") problems.subject = "It must not be empty.";
		else if (message === "") problems.message = "It must not be empty.";
		else {
			const problem = problemOf({ subject, message }, kind);
			if (problem !== undefined) {
				problems[problem.includes("subject") ? "subject" : "message"] =
					`It cannot be sent: ${problem}.`;
			}
		}
	}
	if (Object.keys(problems).length > 0) return { problems };
	return {
		wave: {
			asked: {
				name,
				kind,
				size: isNews ? 0 : Number(fields.size),
				...(startsAt === undefined ? {} : { startsAt }),
				...(isNews || fields.days === "" ? {} : { validDays: Number(fields.days) }),
				...(isWritten ? { message: { subject, message } } : {}),
			},
			selection: {
				unconfirmed: fields.unconfirmed !== "",
				uninvited: !isNews || fields.uninvited !== "",
				...(source === "" ? {} : { source }),
				...(canonical === undefined ? {} : { domain: canonical }),
			},
			...(order === "chance" && !isNews ? { seed: readSeed(form) } : {}),
			fields,
		},
	};
}

/** The seed of the order that was shown, or a new one. */
function readSeed(form: URLSearchParams): string {
	const seed = form.get("seed") ?? "";
	return /^[\da-f]{8}$/.test(seed) ? seed : randomBytes(4).toString("hex");
}
