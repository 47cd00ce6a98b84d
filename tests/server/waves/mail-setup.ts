import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import {
	type MailServer,
	type MailServerOptions,
	parseEmail,
	type ReceivedEmail,
	startMailServer,
} from "../../../bench/harness/mail-server.ts";
import { postJoin, startServer } from "../../server-process.ts";
import { TEST_SECRET } from "../commands/command-setup.ts";
import { createPostgresDatabase, type DatabaseKind } from "../registrations/databases.ts";
import { API_KEYS, redeem } from "./invited.ts";
import { MAIL_SETTINGS, openWaveSetup } from "./wave-setup.ts";

export const mailSettingsFor = ({ url }: Pick<MailServer, "url">) => ({
	...MAIL_SETTINGS,
	SMTP_URL: url,
	WAITLIST_SEND_RATE: "0",
});

export async function readEmailLinks(email: ReceivedEmail) {
	const { text = "", messageId } = await parseEmail(email);
	const path = (part: string) =>
		new RegExp(`https://orbit.example(/${part}/\\S+)`).exec(text)?.[1] ?? "";
	return { confirm: path("confirm"), unsubscribe: path("unsubscribe"), messageId };
}

export async function openMailSetup(
	kind: DatabaseKind,
	{ rate = "0", ...mail }: { rate?: string } & MailServerOptions = {},
) {
	const setup = await openWaveSetup(kind);
	const mailServer = await startMailServer(mail);
	onTestFinished(() => mailServer.stop());
	Object.assign(setup.env, {
		...mailSettingsFor(mailServer),
		WAITLIST_SEND_RATE: rate,
		WAITLIST_API_KEY: API_KEYS[0],
		WAITLIST_SECRET: TEST_SECRET,
		WAITLIST_SUPPRESSION_FILE: join(setup.folder, "erasures"),
		WAITLIST_METRICS_PORT: "0",
	});
	const file = join(setup.folder, "data/waitlist.db");
	return {
		...setup,
		file,
		kept: mailServer.kept,
		start: () => startServer(setup),
		async joinAndRead(url: string, email: string) {
			const before = mailServer.kept.length;
			expect((await postJoin(url, email)).status).toBe(201);
			await expect.poll(() => mailServer.kept.length, { interval: 20 }).toBe(before + 1);
			return readEmailLinks(mailServer.kept.at(-1)!);
		},
		async lose() {
			await setup.close();
			if (kind === "PostgreSQL") setup.env.DATABASE_URL = await createPostgresDatabase();
			else for (const end of ["", "-wal", "-shm"]) await rm(file + end, { force: true });
		},
		arrived() {
			const to = mailServer.kept.map((letter) => letter.to);
			expect(new Set(to).size).toBe(to.length);
			return to.length;
		},
		async log() {
			const to = mailServer.kept.map((letter) => letter.to);
			await writeFile(join(setup.folder, "log.txt"), to.join("\n"));
			return "log.txt";
		},
		async codes() {
			const codes = new Map<string, string>();
			for (const letter of mailServer.kept) {
				const { text = "" } = await parseEmail(letter);
				codes.set(letter.to, /^https:\/\/orbit\.example\/invitation#(\S+)$/m.exec(text)![1]!);
			}
			return codes;
		},
		redeem: (url: string, [email, code]: readonly [string, string]) => redeem(url, code, email),
	};
}
