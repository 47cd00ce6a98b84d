import { brand } from "#brand";
import { contactLink, ifServiceDescribed, type Link, type LocalLaw } from "../legal-document.ts";

const { country, product } = brand;

const minimumAge = 13;

/** The cap is the greater of this amount and the fees paid in `liabilityCapMonths`. */
const liabilityCap = inDollars(100);
const liabilityCapMonths = 12;

/** From the notice of a dispute to the first day of arbitration. */
const informalResolutionDays = 30;
/** Counted from the first acceptance of the terms. */
const arbitrationOptOutDays = 30;
/** Claims up to this amount may go to a small-claims court, or have arbitration fees paid back. */
const smallClaims = inDollars(10_000);

const governingLaw = "Delaware";
const venue = "California";

/** Time to answer a Californian's request: Cal. Civ. Code § 1798.130(a)(2)(A). */
const californiaAnswerDays = 45;

const informalResolutionLink: Link = {
	text: "Informal Dispute Resolution",
	href: "#informal-dispute-resolution",
};
const arbitrationLink: Link = { text: "Arbitration Agreement", href: "#arbitration" };

/**
 * For a company in the United States that settles disputes by arbitration and has visitors
 * in California.
 */
export const unitedStates: LocalLaw = {
	minimumAge,
	privacy: {
		abroad: {
			id: "international-users",
			title: "International Users",
			body: [
				`We are based in ${country} and process personal data there. Data protection law in ${country} may differ from that of your country. When we receive personal data from countries that restrict such transfers, we rely on the safeguards their laws provide, such as standard contractual clauses.`,
				`If you are in the European Economic Area, the United Kingdom, or Switzerland, our legal bases are these: your consent, for the waitlist and its messages; ${ifServiceDescribed(({ name }) => [`our contract with you, for the ${name}; `])}our legitimate interest in keeping what we offer safe, for limiting abuse and for security; and our legal obligations, for keeping what the law requires. You can withdraw your consent at any time, which does not affect what was done before. You also have the right to complain to the data protection authority where you live or work.`,
			],
		},
		residents: [
			{
				id: "california-privacy-rights",
				title: "California Privacy Rights (CCPA/CPRA)",
				body: [
					"This section is for residents of California. It uses the terms of the California Consumer Privacy Act as amended by the California Privacy Rights Act. “Personal information” means what we call personal data elsewhere.",
					"Through the Site, we collect identifiers (your email address and, in memory only, your IP address), the source and time of your joining, the version of our legal texts then in force, the flag described above, and the record of our emails. The sections above describe where this information comes from, why we use it, to whom we disclose it, and how long we keep it.",
					...ifServiceDescribed(({ name, contents }) => [
						`Through the ${name}, we will also collect account details, technical and usage information, and ${contents}, which the law treats as sensitive personal information. We use that only to provide and protect the ${name}, so there is no further use for you to limit.`,
					]),
					"We do not sell personal information and do not share it for cross-context behavioral advertising. We have never done so, for people of any age.",
					"You have the right:",
					{
						list: [
							"to know what personal information we have collected about you, and to receive a copy;",
							"to have it deleted;",
							"to have it corrected;",
							"to opt out of its sale or sharing, and to limit the use of sensitive personal information, should we ever begin either; and",
							"not to be treated worse for using any of these rights.",
						],
					},
					[
						"To make a request, write with the subject “CCPA Request” to ",
						contactLink("CCPA Request"),
						". You may also have an authorized agent write for you; we will ask for proof of your permission. We verify a request by asking you to reply from the address it concerns, and we use what you send for nothing else.",
					],
					`We answer within ${californiaAnswerDays} days. If a request needs more time, we tell you why within those days and may take up to ${californiaAnswerDays} days more.`,
					"California’s “Shine the Light” law lets residents ask which third parties received their personal information for direct marketing. We disclose none for that purpose.",
				],
			},
		],
	},
	terms: {
		careful: [
			"Please read two sections with particular care. The ",
			arbitrationLink,
			` says that most disputes between us are decided by an arbitrator, one person’s claim at a time, and not by a judge or jury. You can opt out within ${arbitrationOptOutDays} days of first accepting these Terms. `,
			{ text: "Limitation of Liability", href: "#liability" },
			" limits what we owe each other if something goes wrong.",
		],
		copyright: [
			"If you believe that something on the Services infringes your copyright, write to ",
			contactLink("Copyright Notice"),
			". Identify the work and the location of the infringing material, and give us your contact details, a statement that you believe in good faith that the use is not authorized, a statement under penalty of perjury that your notice is accurate and that you may act for the owner, and your signature. We remove infringing material and end the access of people who infringe repeatedly.",
		],
		lasting: "disclaimers, liability, indemnification, disputes, and governing law",
		severability:
			"Severability. If part of these Terms cannot be enforced, that part applies as far as it can be, and the rest remains in force. The Arbitration Agreement has a rule of its own for claims that cannot be limited to one person.",
		sections: [
			{
				id: "disclaimers",
				title: "Disclaimers",
				body: [
					"We work to make the Services good and dependable, but we cannot promise that they will be perfect. The Services are provided “as is” and “as available.” To the fullest extent the law allows, we give no warranties of any kind, whether express, implied, or statutory. This includes the implied warranties of merchantability, fitness for a particular purpose, title, and non-infringement.",
					`In particular, we do not warrant that the Services will be uninterrupted, secure, or free of errors, ${ifServiceDescribed(({ notWarranted }) => [`${notWarranted}, `])}or that data will never be lost. Please do not make the Services the only place where you keep something you cannot replace.`,
					"Some places do not allow certain warranties to be excluded. Where that is so, these exclusions apply only as far as the law permits, and your statutory rights are not affected.",
				],
			},
			{
				id: "liability",
				title: "Limitation of Liability",
				body: [
					`To the fullest extent the law allows, neither you nor ${product} is liable to the other for indirect, incidental, special, consequential, exemplary, or punitive damages, or for lost profits, revenue, goodwill, or data, that arise from these Terms or the Services, even if they could have been foreseen.`,
					`To the fullest extent the law allows, our total liability for all claims that arise from these Terms or the Services is limited to the greater of ${liabilityCap} or the amount you paid us for the Services in the last ${liabilityCapMonths} months before the event that gave rise to the claim.`,
					"These limits apply to every kind of claim, whether it rests on contract, tort (including negligence), statute, or anything else, and even if a remedy fails of its essential purpose. They do not apply to liability that the law does not allow to be limited, such as liability for fraud, for willful misconduct, or for death or personal injury caused by negligence. They do not reduce your duties under Indemnification or your obligation to respect our intellectual property.",
					"We could not offer the Services for free without these limits, and they are part of the agreement between us.",
				],
			},
			{
				id: "indemnification",
				title: "Indemnification",
				body: [
					`If a third party makes a claim against ${product}, or against the people who work for us, because you broke these Terms, broke the law, or infringed someone’s rights through your use of the Services, you will indemnify us for the losses, damages, and reasonable costs (including attorneys’ fees) that result, as far as the law allows.`,
					"We will tell you of such a claim promptly, let you take part in the defense, and do what we reasonably can to keep the loss small. Neither of us will settle a claim in a way that binds the other or admits the other’s fault without the other’s consent, which may not be withheld unreasonably. You owe nothing for the part of a loss that we caused ourselves.",
				],
			},
			{
				id: "informal-dispute-resolution",
				title: "Informal Dispute Resolution",
				body: [
					"Most disagreements can be settled by talking. Before either of us begins an arbitration or a lawsuit, the one with the complaint must therefore send the other a written notice of dispute.",
					[
						"Send yours to ",
						contactLink("Notice of Dispute"),
						" with your name, the email address you use with us, a description of what happened, and what you would like us to do. We will send ours to the email address we have for you.",
					],
					`We will then both try in good faith to settle the matter within ${informalResolutionDays} days after the notice was received. If either of us asks for it, we will meet once by telephone or video during that time. If the matter is still open after the ${informalResolutionDays} days, either of us may go on to arbitration or, where these Terms allow it, to court.`,
					"Time limits for bringing a claim are paused from the day the notice was received until that period has ended. This section does not stop either of us from asking a court for urgent relief that cannot wait.",
				],
			},
			{
				id: "arbitration",
				title: "Arbitration Agreement",
				body: ["Please read this section carefully: it affects how claims between us are decided."],
				parts: [
					{
						title: "Agreement to Arbitrate",
						body: [
							[
								"If we cannot settle a dispute as described under ",
								informalResolutionLink,
								", you and we agree that it will be decided by binding arbitration and not in court, except as stated below. This covers every claim that arises from these Terms or the Services, whatever its legal theory, including claims that arose before you accepted these Terms. You and we each give up the right to a trial before a judge or jury for these claims.",
							],
							"The Federal Arbitration Act governs this section. The arbitrator decides all questions except whether this section can be enforced and what it covers, which a court decides.",
						],
					},
					{
						title: "How It Works",
						body: [
							"The American Arbitration Association (“AAA”) administers the arbitration under its Consumer Arbitration Rules, which are available on its website, with a single neutral arbitrator. Hearings take place by telephone or video, or on the papers alone, unless the arbitrator finds that a hearing in person is needed; it is then held in the county where you live or at another place we both agree on.",
							"The arbitrator may award the same remedies to one person as a court could, must follow these Terms, and gives reasons in writing. A court with jurisdiction may enter judgment on the award.",
						],
					},
					{
						title: "Small Claims and Urgent Relief",
						body: [
							`Either of us may take an individual claim of ${smallClaims} or less to a small-claims court that has jurisdiction over it, at any time before an arbitrator is appointed. Either of us may also ask a court to stop infringement or misuse of intellectual property, or unauthorized access to the Services.`,
						],
					},
					{
						title: "Fees",
						body: [
							`The rules of the AAA determine who pays its fees at the start. If your claim is for ${smallClaims} or less, we will reimburse the filing, administration, and arbitrator fees you have paid, unless the arbitrator finds that your claim was frivolous or brought in bad faith. For larger claims, the rules of the AAA apply. We will not ask you to pay our attorneys’ fees for an arbitration brought in good faith.`,
						],
					},
					{
						title: "One Claim at a Time",
						body: [
							"You and we may bring claims against each other only in our own name and for ourselves, and not as a plaintiff or member in a class, collective, or representative action. The arbitrator may not combine the claims of several people without the consent of all of them, and may grant relief only to the person who asks for it and only as far as that person’s claim requires.",
							"If a court finds that this part cannot be enforced for a particular claim or remedy, that claim or remedy alone goes to court after the rest has been arbitrated.",
						],
					},
					{
						title: "How to Opt Out",
						body: [
							[
								`You may decline this Arbitration Agreement. Within ${arbitrationOptOutDays} days of first accepting these Terms, write to `,
								contactLink("Arbitration Opt-Out"),
								" from the email address you use with us, give your name, and say that you opt out of arbitration. Nothing else changes: you can use the Services as before, and all other parts of these Terms still apply.",
							],
						],
					},
					{
						title: "Later Changes",
						body: [
							`If we change this section in a way that matters, you may reject the change by writing to us within ${arbitrationOptOutDays} days of being told of it, and the earlier version will continue to apply between us. A change never affects a dispute for which a notice was sent before the change took effect.`,
						],
					},
				],
			},
			{
				id: "governing-law",
				title: "Governing Law and Venue",
				body: [
					`The laws of the State of ${governingLaw} govern these Terms and any dispute between us, without regard to rules that would lead to the law of another place. The Federal Arbitration Act governs the Arbitration Agreement.`,
					`Disputes that are not subject to arbitration or small-claims court are decided only by the state and federal courts located in ${venue}. You and we accept the jurisdiction of those courts.`,
					"If you are a consumer and the law of the country where you live gives you protections that a contract cannot take away, including the right to bring a claim before your local courts, you keep those protections.",
				],
			},
		],
	},
};

function inDollars(amount: number): string {
	return `$${amount.toLocaleString("en-US")}`;
}
