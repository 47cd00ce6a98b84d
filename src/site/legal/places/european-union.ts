import { brand } from "#brand";
import { contactLink, ifServiceDescribed, type LocalLaw } from "../legal-document.ts";

const { company, country } = brand;

/** In years: Article 8 of the GDPR. A country may set a lower age. */
const minimumAge = 16;

/** Days to withdraw from a distance contract: Article 9 of Directive 2011/83/EU. */
const withdrawalDays = 14;

/** For a company in the European Union with consumers there. GDPR: Regulation (EU) 2016/679. */
export const europeanUnion: LocalLaw = {
	minimumAge,
	privacy: {
		abroad: {
			id: "where-data-is-processed",
			title: "Where Your Data Is Processed",
			body: [
				`We are based in ${country} and process personal data in the European Union. Where a service provider processes it elsewhere, we make sure beforehand that it is as well protected there: by a decision of the European Commission that the country’s law protects it, or by the Commission’s standard contractual clauses. Write to us for a copy of them.`,
			],
		},
		residents: [
			{
				id: "gdpr",
				title: "Legal Bases and Your Rights under the GDPR",
				body: [
					`${company} is the controller of your personal data. We process it on these legal bases of the General Data Protection Regulation (GDPR):`,
					{
						list: [
							"your consent, for the waitlist and its emails (Article 6(1)(a));",
							...ifServiceDescribed(({ name }) => [
								`our contract with you, for the ${name} (Article 6(1)(b));`,
							]),
							"our legal obligations, for keeping what the law requires (Article 6(1)(c)); and",
							"our legitimate interest in keeping what we offer safe, for limiting abuse and for security (Article 6(1)(f)).",
						],
					},
					"You have the right:",
					{
						list: [
							"of access to your data (Article 15), and to have it corrected (Article 16) or erased (Article 17);",
							"to have its processing restricted (Article 18), and to receive it in a common format (Article 20);",
							"to object to processing that rests on our legitimate interest (Article 21); and",
							"to withdraw your consent at any time, which does not affect what was done before (Article 7(3)).",
						],
					},
					["To use any of them, write to ", contactLink("GDPR Request"), "."],
					`You need not give us any data. Without your email address we cannot keep a place for you. You also have the right to complain to the data protection authority where you live or work, or to the one in ${country}.`,
				],
			},
		],
	},
	terms: {
		careful: [
			"Please read the section ",
			{ text: "Liability", href: "#liability" },
			" with particular care. Nothing in these Terms takes away the rights that the law gives you as a consumer.",
		],
		copyright: [
			"If you believe that something on the Services infringes your rights or is otherwise illegal, write to ",
			contactLink("Notice of Illegal Content"),
			". Say what it is, where it is, and why you consider it illegal, and give us your name and your email address. We look at each notice with care, decide without undue delay, and tell you what we decided and how you can contest it.",
		],
		lasting: "quality, liability, disputes, and governing law",
		severability:
			"Severability. If part of these Terms cannot be enforced, the law takes its place, and the rest remains in force.",
		sections: [
			{
				id: "quality",
				title: "What You Can Expect",
				body: [
					"We work to make the Services good and dependable. Where you pay for them, with money or with data, the law of your country says what you can expect of digital services and what you can ask for when they fall short. These Terms do not change that.",
					`Beyond that, we do not promise that the Services will be uninterrupted or free of errors, ${ifServiceDescribed(({ notWarranted }) => [`${notWarranted}, `])}or that data will never be lost. Please do not make the Services the only place where you keep something you cannot replace.`,
				],
			},
			{
				id: "withdrawal",
				title: "Right of Withdrawal",
				body: [
					[
						`If you are a consumer, you can withdraw from a contract with us within ${withdrawalDays} days of making it, without a reason. A message to `,
						contactLink("Withdrawal"),
						` is enough. We will then refund what you have paid within ${withdrawalDays} days of your message. You can leave the waitlist at any time.`,
					],
				],
			},
			{
				id: "liability",
				title: "Liability",
				body: [
					"Our liability is unlimited for intentional misconduct and gross negligence, for injury to life, body, or health, for what we have guaranteed, and wherever the law does not allow liability to be limited.",
					"If, through ordinary negligence, we breach a duty that is essential to the contract and on which you may rely, we are liable only for typical, foreseeable damage. We are not otherwise liable for ordinary negligence.",
					"The same holds for the people who work for us. You are liable to us as the law provides.",
				],
			},
			{
				id: "disputes",
				title: "Settling a Dispute",
				body: [
					[
						"Most disagreements can be settled by talking: please write to ",
						contactLink("Notice of Dispute"),
						" first. You may go to court at any time.",
					],
					"We are neither obliged nor willing to take part in a dispute resolution procedure before a consumer arbitration board.",
				],
			},
			{
				id: "governing-law",
				title: "Governing Law and Courts",
				body: [
					`The law of ${country} governs these Terms, excluding the United Nations Convention on the International Sale of Goods. If you are a consumer, the protections that the law of the country where you live gives you, and that a contract cannot take away, stay with you.`,
					"As a consumer you may bring a claim before the courts where you live or where we have our registered office, and we bring ours before the courts where you live.",
				],
			},
		],
	},
};
