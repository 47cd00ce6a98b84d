import { expect, it } from "vitest";
import { openSmtpSender, sampleEmail } from "./open-smtp.ts";
import { type SmtpStep, startScriptedServer } from "./scripted-server.ts";

/** Replies of RFC 5321, 4954, 7504 and 3207, and some with enhanced codes. */
const REPLIES = [
	...[421, 450, 451, 452, 454, 455, 500, 501, 502, 503, 504, 521, 523, 530, 534, 535, 538],
	...[550, 551, 552, 553, 554, 555, 556],
	...["421 4.7.0 please reconnect", "450 4.7.1", "451 mails per session limit exceeded"],
	...["452 4.3.1", "452 4.5.3", "454 4.7.0", "550 5.4.5", "550 5.7.1"],
].map((reply) => (typeof reply === "number" ? `${reply} no` : reply));

const STEPS: SmtpStep[] = ["connect", "EHLO", "MAIL", "RCPT", "DATA", "message"];

/** Whether a new connection may help after this reply. */
const helps = (step: SmtpStep, reply: string) => step === "MAIL" || reply.startsWith("421");

const codeIn = (reply: string) => /^\d{3}(?: \d\.\d\.\d)?/.exec(reply)?.[0];

const NEW = { where: "a new connection", used: false, always: true };
const USED = { where: "a used one and each one after it", used: true, always: true };
const USED_ONLY = { where: "a used one alone", used: true, always: false };

it.each(
	STEPS.flatMap((step) =>
		(step === "connect" || step === "EHLO" ? [NEW] : [NEW, USED, USED_ONLY]).flatMap((on) =>
			[false, true].map((pipelining) => ({ step, ...on, pipelining })),
		),
	),
)(
	"every 4xx and 5xx to $step on $where, pipelining $pipelining, takes at most two attempts",
	async ({ step, used, always, pipelining }) => {
		await Promise.all(
			REPLIES.map(async (reply) => {
				let isScripted = !used;
				const server = await startScriptedServer(
					(at, { taken }) => {
						if (!isScripted || !(always || taken > 0)) return undefined;
						const isAt = at === step || (step === "EHLO" && at === "HELO");
						return isAt ? reply : undefined;
					},
					{ pipelining },
				);
				const smtp = await openSmtpSender(server.url);
				if (used) await smtp.send(sampleEmail);
				isScripted = true;
				server.steps.length = 0;
				const { state, code } = await smtp.send(sampleEmail);
				const helped = used && !always && helps(step, reply);
				expect(state === "accepted", reply).toBe(helped);
				if (!helped) expect(code).toBe(codeIn(reply));
				const attempts = used && helps(step, reply) ? 2 : 1;
				for (const at of STEPS)
					expect(server.count(at), `${reply}: ${at}`).toBeLessThanOrEqual(attempts);
				// The sender reconnects, so the next email is accepted.
				isScripted = false;
				expect((await smtp.send(sampleEmail)).state, reply).toBe("accepted");
			}),
		);
	},
);
