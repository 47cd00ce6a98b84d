import { expect, it } from "vitest";
import { brand } from "#brand";
import { type KeptLetter, readLetter } from "../../../bench/harness/mail-server.ts";
import type { LetterCounts } from "../../../src/server/letters/wave/wave-counts.ts";
import { change, emailsOf, everythingIn } from "../../given/given.ts";
import { kind } from "../../given/kind.ts";
import { metricsOf, postEmail } from "../../server-process.ts";
import { each } from "../each.ts";
import { startCopies } from "../kills.ts";
import { usePostgres } from "../waitlist/databases.ts";
import { openMailDesk } from "./mail-desk.ts";

const cluster = usePostgres();

/** How many people: a launch, and a tenth of it. */
const people = { join: 100, confirm: 90, invited: 50, redeemed: 48 };
const expired = people.invited - people.redeemed;
const told = people.confirm - people.invited;

const patience = { interval: 100 };
const emailOf = (n: number) => `Person-${n}@example.com`;

/** To whom a letter went, and what it says. */
async function readAll(letters: readonly KeptLetter[]) {
	return Promise.all(
		letters.map(async (letter) => {
			const { subject = "", text = "" } = await readLetter(letter);
			return { to: letter.to, subject, text };
		}),
	);
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

it(`a launch on ${kind}: join, confirm, invite, redeem, expire and tell the others; all numbers agree`, async () => {
	const desk = await openMailDesk(kind, cluster());
	const { json, kept, redeem } = desk;
	const { running } = await startCopies(desk.start, kind === "SQLite" ? 1 : 2);
	const serverOf = (n: number) => running[n % running.length]!.url;

	// They join, and most of them press the button in their letter.
	await each(Array.from({ length: people.join }), async (_, n) => {
		expect((await postEmail(serverOf(n), emailOf(n))).status).toBe(201);
	});
	await expect.poll(() => kept.length, patience).toBe(people.join);
	const asked = await readAll(kept.slice(0, people.confirm));
	await each(asked, async ({ text }, n) => {
		const [, path = ""] = /https:\/\/orbit\.example(\/confirm\/\S+)/.exec(text)!;
		expect((await fetch(new URL(path, serverOf(n)), { method: "POST" })).status).toBe(200);
	});

	// Some are invited, and each letter has a code of its own.
	await json(`invite ${people.invited} --wave beta-1 --yes`);
	await expect.poll(() => kept.length, patience).toBe(people.join + people.invited);
	const invitations = (await readAll(kept.slice(people.join))).map(({ to, subject, text }) => {
		const [, code = ""] = /^https:\/\/orbit\.example\/invitation#(\S+)$/m.exec(text)!;
		expect(subject).toBe(`Your invitation to ${brand.product}`);
		expect(text.split("\n")).toContain(code);
		return { to, code };
	});
	expect(new Set(invitations.map(({ code }) => code)).size).toBe(people.invited);

	// All but a few redeem, by hand or by the link.
	await each(invitations.slice(expired), async ({ to, code }, n) => {
		const typed = n % 2 ? code : code.toLowerCase().replaceAll("-", " ");
		const asked = [to.toUpperCase(), typed] as const;
		const answer = await redeem(serverOf(n), asked);
		expect(answer).toMatchObject({ status: "redeemed", email: to, wave: "beta-1" });
		expect(answer).not.toMatchObject({ confirmedAt: null });
		expect(await redeem(serverOf(n + 1), asked)).toMatchObject({ status: "used" });
	});
	// Two weeks go by.
	const expires = new Date(Date.now() - 1000);
	await change(desk, "emails", { expires }, { wave: "beta-1", redeemed: "" });
	await each(invitations.slice(0, expired), async ({ to, code }, n) => {
		const gone = { status: "gone", reason: "expired" };
		expect(await redeem(serverOf(n), [to, code])).toEqual(gone);
	});

	// The others hear how it goes.
	const news = await desk.message(
		"Subject: We are nearly there\n\nYours is one of the next invitations.\n",
	);
	await json(`write --wave news-1 --uninvited --message ${news} --yes`);
	await expect.poll(() => kept.length, patience).toBe(people.join + people.invited + told);
	const heard = (await readAll(kept.slice(-told))).map(({ to, text }) => {
		expect(text).toMatch(/one of the next invitations\.[\s\S]*https:\/\/orbit\.example\/leave\//);
		return to;
	});
	// Everybody who confirmed got one of the two, once.
	const written = [...heard, ...invitations.map(({ to }) => to)];
	expect(written.length).toBe(people.confirm);
	expect(new Set(written)).toEqual(new Set(asked.map(({ to }) => to)));
	// The sender has written down what became of the last ones.
	const states = async () => new Set((await emailsOf(desk)).map(({ state }) => state));
	await expect.poll(states, patience).toEqual(new Set(["accepted"]));

	// Every number says the same.
	const { waves } = (await json("waves")) as {
		waves: { name: string; letters: LetterCounts }[];
	};
	const none = { waiting: 0, accepted: 0, redeemed: 0, expired: 0 };
	const nobody = { ...none, bounced: 0, refused: 0, unknown: 0, cancelled: 0 };
	const counts = Object.fromEntries(waves.map(({ name, letters }) => [name, letters]));
	expect(counts).toEqual({
		"beta-1": { ...nobody, redeemed: people.redeemed, expired },
		"news-1": { ...nobody, accepted: told },
	});
	expect(await json("stats")).toMatchObject({
		total: people.join,
		people: { confirmed: people.confirm, left: 0, bounced: 0 },
		invitations: { invited: people.invited, redeemed: people.redeemed, expired },
	});
	const { stdout } = await desk.run("export --format jsonl");
	const rows = stdout
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line) as Record<string, string>);
	const now = new Date().toISOString();
	const withTime = (name: string) => rows.filter((row) => row[name] !== "").length;
	expect({
		joined: rows.length,
		confirmed: withTime("confirmedAt"),
		invited: withTime("invitedAt"),
		inWave: rows.filter(({ wave }) => wave === "beta-1").length,
		redeemed: withTime("redeemedAt"),
		expired: rows.filter((row) => row.expiresAt! < now && row.wave && !row.redeemedAt).length,
	}).toEqual({
		joined: people.join,
		confirmed: people.confirm,
		invited: people.invited,
		inWave: people.invited,
		redeemed: people.redeemed,
		expired,
	});
	const texts = await Promise.all(running.map(metricsOf));
	const shown = (name: string) => {
		const of = texts.map((text) => text.split("\n").find((line) => line.startsWith(name)));
		return of.map((line) => Number(line?.split(" ").at(-1) ?? 0));
	};
	const gauge = (wave: string, state: string) =>
		shown(`waitlist_wave_letters{wave="${wave}",state="${state}"}`);
	for (const [wave, letters] of Object.entries(counts)) {
		for (const [state, count] of Object.entries(letters)) {
			for (const copy of gauge(wave, state)) expect(copy, `${wave} ${state}`).toBe(count);
		}
	}
	const total = (name: string) => sum(shown(name));
	expect(total('waitlist_registrations_total{outcome="registered"}')).toBe(people.join);
	for (const [outcome, count] of [
		...([["redeemed", people.redeemed]] as const),
		...([["used", people.redeemed]] as const),
		...([["gone", expired]] as const),
	]) {
		expect(total(`waitlist_redeem_total{outcome="${outcome}"}`), outcome).toBe(count);
	}

	// Whoever reads the whole database or all logs finds no code.
	const dump =
		JSON.stringify(await everythingIn(desk)) + running.map(({ output }) => output()).join();
	expect(dump).toContain("beta-1");
	const signs = dump.replaceAll("-", "").toLowerCase();
	for (const { code } of invitations) {
		expect(signs).not.toContain(code.replaceAll("-", "").toLowerCase());
	}
	for (const server of running) expect(server.output()).not.toMatch(/@example/i);
});
