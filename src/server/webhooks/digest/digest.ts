import { brand } from "#brand";
import type { PauseCause } from "../../mail/rate/outbox-row.ts";
import { DAY_MS } from "../../time.ts";

/** The waitlist at the end of a window of time, in numbers. */
export interface Seen {
	/** Of the window, in ms. */
	ms: number;
	/** Joins in the window, and how many of them came from the largest source. */
	joined: number;
	fromLargest: number;
	/** People on the list. */
	total: number;
	/** Why no letter is sent; "" where letters go out. */
	pause: PauseCause | "";
	/** When the last backup was made, ISO 8601; "" where none was. */
	backup: string;
	/** Joins that limits refused since that was told, and from how many networks at most. */
	refused: number;
	networks: number;
}

/** What the team was told before: none of it is told again. */
export interface Told {
	/** The largest milestone; 0 is none. */
	milestone: number;
	/** Why letters were paused; "" where they were not. */
	pause: string;
	/** The backup that was told to be old; "" is none, and {@link NEVER} that there is none. */
	backup: string;
}

/** Stands for the time of a backup that was never made. */
const NEVER = "never";

/** A nightly backup is a day old when the next one begins, which takes its time. */
const OLD_BACKUP_MS = DAY_MS + 3_600_000;

/** A share of fewer says nothing. */
const LEAST_TO_SHARE = 10;

const PAUSED: Record<PauseCause, string> = {
	unreachable: "Letters are paused: the mail server cannot be reached.",
	refused: "Letters are paused: the mail server refuses to take any from us.",
	quota: "Letters are paused: the mail server takes no more for now.",
	operator: "Letters are stopped, until `waitlist release`.",
};

/**
 * Puts into words what is new since the team was told. The words are ours and the rest are numbers: no
 * address, and no text that a visitor wrote, because a source may say `@everyone`.
 *
 * @returns no text where there is nothing to say
 */
export function digestOf(seen: Seen, told: Told, now: number): { text: string; told: Told } {
	const milestone = Math.max(told.milestone, milestoneOf(seen.total));
	const backup = oldBackup(seen, now);
	const lines = [
		...(seen.joined > 0 ? [joinedAsText(seen)] : []),
		...(milestone > told.milestone ? [`${figure(milestone)} people are on the waitlist.`] : []),
		...(seen.pause !== told.pause ? [pauseAsText(seen.pause)] : []),
		...(backup !== "" && backup !== told.backup ? [backupAsText(backup)] : []),
		...(seen.refused > 0 ? [refusedAsText(seen)] : []),
	];
	return {
		text: lines.length > 0 ? [`${brand.product} waitlist`, ...lines].join("\n") : "",
		told: { milestone, pause: seen.pause, backup: backup || told.backup },
	};
}

/** 100, 1,000, 10,000 and so on; 0 below. */
export function milestoneOf(total: number): number {
	let milestone = 0;
	for (let next = 100; next <= total; next *= 10) milestone = next;
	return milestone;
}

function joinedAsText({ joined, fromLargest, total, ms }: Seen): string {
	// Both are counted one after the other, while people join.
	const percent = Math.min(100, Math.round((100 * fromLargest) / joined));
	const share = joined < LEAST_TO_SHARE ? "" : `, ${percent} % from one source`;
	return `+${figure(joined)} in ${spanAsText(ms)}, ${figure(total)} in all${share}.`;
}

function spanAsText(ms: number): string {
	const minutes = Math.round(ms / 60_000);
	if (minutes <= 10) return "ten minutes";
	if (minutes < 120) return `${minutes} minutes`;
	return `${figure(Math.round(minutes / 60))} hours`;
}

function pauseAsText(pause: Seen["pause"]): string {
	return pause === "" ? "Letters go out again." : PAUSED[pause];
}

/** The backup that is too old; "" where it is not. */
function oldBackup({ backup, total }: Seen, now: number): string {
	if (total === 0) return "";
	if (backup === "") return NEVER;
	return now - Date.parse(backup) > OLD_BACKUP_MS ? backup : "";
}

function backupAsText(backup: string): string {
	return backup === NEVER ? "No backup was ever made." : "The last backup is older than a day.";
}

function refusedAsText({ refused, networks }: Seen): string {
	const from = networks === 1 ? "all from one network" : `from ${figure(networks)} networks`;
	const joins = refused === 1 ? "1 join" : `${figure(refused)} joins`;
	return `A limit refused ${joins}${networks > 0 ? `, ${from}` : ""}.`;
}

const figure = (n: number) => n.toLocaleString("en");
