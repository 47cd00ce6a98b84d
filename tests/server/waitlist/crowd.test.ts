import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { joinAndAsk } from "../../../src/server/letters/asking.ts";
import { kind } from "../../given/kind.ts";
import { openOtherKind } from "../operator/letter-desk.ts";
import { openWaveDesk } from "../waves/wave-desk.ts";
import { type DatabaseKind, usePostgres } from "./databases.ts";
import { registrationOf } from "./waitlist-contract.ts";

const cluster = usePostgres();

/** A desk on whose list are Ada, who was first, Bob and Eve of a crowd, and Tim, whom the trap marked. */
async function open(kind: DatabaseKind) {
	const desk = await openWaveDesk(kind, cluster());
	const joined = (name: string, flags: string, day: number) => ({
		...registrationOf(`${name}@example.com`),
		createdAt: `2026-01-0${day}T00:00:00.000Z`,
		flags,
	});
	const joining = [
		joined("ada", "", 1),
		joined("bob", "crowd", 2),
		joined("eve", "crowd", 3),
		joined("tim", "trap", 4),
	];
	await desk.inDatabase((database) => database.run(joinAndAsk(database.dialect)(joining)));
	return {
		...desk,
		marks: () => marksIn(desk.read),
		confirm: (name: string) =>
			desk.json(
				"import - --format jsonl",
				JSON.stringify({
					email: `${name}@example.com`,
					confirmedAt: "2026-01-09",
				}),
			),
	};
}

/** Each mark, with the name before the at sign. */
async function marksIn(read: Awaited<ReturnType<typeof openWaveDesk>>["read"]) {
	const rows = await read<{ key: string; flags: string }>(
		`SELECT email_key AS "key", flags FROM registration WHERE flags <> '' ORDER BY email_key`,
	);
	return rows.map(({ key, flags }) => `${key.slice(0, 3)} ${flags}`);
}

describe(`a crowd on ${kind}`, () => {
	it("is released by its own option, or by name, and whom the trap marked is not", {
		tags: "slow",
	}, async () => {
		const desk = await open(kind);
		expect(await desk.json("release --since 2026-01-01 --dry-run")).toMatchObject({ asked: 0 });
		expect(await desk.json("release --held")).toMatchObject({ letGo: 0, asked: 0 });
		const others = ["--since 2026-01-04", "--until 2026-01-02", "--source other"];
		for (const which of others) {
			expect(await desk.json(`release --crowd ${which}`)).toMatchObject({ asked: 0 });
		}
		for (const other of ["--held", "--flagged"]) {
			expect(await desk.run(`release --crowd ${other}`)).toMatchObject({ code: 2 });
		}
		expect(await desk.marks()).toEqual(["bob crowd", "eve crowd", "tim trap"]);
		expect(await desk.json("release BOB@example.com")).toMatchObject({ asked: 1 });
		expect(await desk.marks()).toEqual(["eve crowd", "tim trap"]);
		expect(await desk.json("release --flagged")).toMatchObject({ asked: 1 });
		expect(await desk.json("release --crowd")).toMatchObject({ asked: 1 });
		expect(await desk.marks()).toEqual(["tim trap"]);
		const everybody = ["ada", "bob", "eve", "tim"].map((name) => `${name}@example.com`);
		expect(await desk.send()).toEqual(everybody);
	});

	it("is shown by find, export and stats", async () => {
		const desk = await open(kind);
		expect((await desk.run("find eve@example.com")).stdout).toContain("\nflags: crowd\n");
		const exported = async (options: string) =>
			(await desk.run(`export --json ${options}`)).stdout
				.match(/"email":"\w+/g)
				?.map((email) => email.slice(9));
		expect(await exported("--crowd")).toEqual(["bob", "eve"]);
		expect(await exported("--flagged")).toEqual(["bob", "eve", "tim"]);
		expect(await exported("--no-flagged")).toEqual(["ada"]);
		expect(await desk.json("stats")).toMatchObject({ total: 4, crowd: 2, flagged: 1 });
	});

	it("gets no letter of a wave before it is released, and then like anybody", async () => {
		const desk = await open(kind);
		await desk.confirm("ada");
		await desk.confirm("bob");
		const dryRun = "invite 9 --wave beta-1 --dry-run";
		expect(await desk.json(dryRun)).toMatchObject({
			flagged: 1,
			crowd: 2,
			unconfirmed: 0,
			eligible: 1,
		});
		expect(await desk.json(`${dryRun} --unconfirmed`)).toMatchObject({ crowd: 2, eligible: 1 });
		expect((await desk.run(dryRun)).stdout).toContain(
			"1 flagged, 2 in a crowd that was not released, 0 left",
		);
		expect(await desk.json("release --crowd")).toMatchObject({ asked: 1 });
		expect(await desk.json(dryRun)).toMatchObject({
			flagged: 1,
			crowd: 0,
			unconfirmed: 1,
			eligible: 2,
		});
	});

	it("that was released stays so in every copy, whichever side released it", {
		tags: "slow",
	}, async () => {
		const desk = await open(kind);
		const backup = join(desk.folder, "before.db");
		await desk.json(`backup ${backup}`);
		const other = await openOtherKind(desk, kind, cluster());
		const same = { comparison: { same: true, different: 0, onlyInTarget: 0 } };
		expect(await desk.json(`migrate --to ${other.to}`)).toMatchObject(same);
		expect(await marksIn(other.read)).toEqual(["bob crowd", "eve crowd", "tim trap"]);
		await desk.json("release --crowd");
		expect(await desk.json(`migrate --to ${other.to}`)).toMatchObject(same);
		expect(await marksIn(other.read)).toEqual(["tim trap"]);
		const restored = await desk.json(`restore ${backup} --without-proofs`);
		expect(restored).toMatchObject({ comparison: { different: 0 } });
		expect(await desk.marks()).toEqual(["tim trap"]);
	});

	it("is another one where the same person was erased and came again", {
		tags: "slow",
	}, async () => {
		const desk = await open(kind);
		const other = await openOtherKind(desk, kind, cluster());
		await desk.json(`migrate --to ${other.to}`);
		await desk.json("release --crowd");
		await other.read("UPDATE registration SET created_at = '2026-02-01T00:00:00.000Z'");
		await desk.run(`migrate --to ${other.to}`);
		expect(await marksIn(other.read)).toEqual(["bob crowd", "eve crowd", "tim trap"]);
	});
});
