import { brand } from "#brand";
import { legalConstants } from "./legal-constants.ts";
import { imprint, type LegalDocument, type Link, mailLink } from "./legal-document.ts";
import { LegalPage } from "./legal-page.tsx";

const { company, country, product } = brand;
const {
	minimumAge,
	liabilityCapMonths,
	informalResolutionDays,
	arbitrationOptOutDays,
	governingLaw,
	venue,
} = legalConstants;
const liabilityCap = inDollars(legalConstants.liabilityCapDollars);
const smallClaims = inDollars(legalConstants.smallClaimsDollars);

const privacyPolicyLink: Link = { text: "Privacy Policy", href: "/privacy" };
const informalResolutionLink: Link = {
	text: "Informal Dispute Resolution",
	href: "#informal-dispute-resolution",
};
const arbitrationLink: Link = { text: "Arbitration Agreement", href: "#arbitration" };

/**
 * The Terms of Service, with the eighteen sections of promise 38. Informal Dispute Resolution stands
 * before the arbitration that it must precede.
 */
export const termsOfService: LegalDocument = {
	title: "Terms of Service",
	intro: [
		`These Terms of Service (“Terms”) are an agreement between you and ${company} (“${product},” “we,” “us,” or “our”), a company based in ${country}. They apply when you visit this website, join its waitlist, or use our email product.`,
		"By doing any of these things, you accept these Terms. If you do not accept them, please do not use the Services.",
		[
			"Please read two sections with particular care. The ",
			arbitrationLink,
			` says that most disputes between us are decided by an arbitrator, one person’s claim at a time, and not by a judge or jury. You can opt out within ${arbitrationOptOutDays} days of first accepting these Terms. `,
			{ text: "Limitation of Liability", href: "#liability" },
			" limits what we owe each other if something goes wrong.",
		],
	],
	sections: [
		{
			id: "eligibility",
			title: "Eligibility",
			body: [
				`You must be at least ${minimumAge} years old to use the Services. If the law where you live asks for a higher age before you can agree to a service like ours on your own, you must have reached that age, or your parent or guardian must agree to these Terms for you.`,
				"If you are not yet an adult where you live, you may use the Services only with the permission of a parent or guardian, who accepts these Terms together with you.",
				"If you use the Services for an organization, you confirm that you may accept these Terms on its behalf, and “you” then means the organization as well.",
				`You may not use the Services if we have closed your account for breaking these Terms, or if the laws of ${country} or of the country you are in forbid it.`,
			],
		},
		{
			id: "services",
			title: "The Services",
			body: [
				"The “Services” are two things. The “Site” is this website and its waitlist, open to everyone today. The “Email Service” is the email product we are preparing to open, with features that summarize and categorize mail, suggest actions, and help with search, filtering, and security.",
			],
			parts: [
				{
					title: "The Waitlist",
					body: [
						"Joining the waitlist tells us that you would like an invitation. It costs nothing and commits you to nothing, and you may leave at any time. It does not promise you access by a certain day, or at all. A waitlist number shown on the Site is an illustration: it is not worked out for you and does not decide when you are invited.",
						"Please join only with an address that is yours, or whose owner has asked you to. We write to it about the launch of the Email Service, and every such message says how to stop.",
					],
				},
				{
					title: "Features That Use Artificial Intelligence",
					body: [
						"The Email Service uses language models. Their summaries, categories, and suggestions can be incomplete or wrong, and a filter can put a message you wanted in the wrong place. Check the original message before you rely on a result for anything that matters. You decide which suggested actions to carry out, and you are responsible for the messages you send.",
						"What these features produce is not legal, medical, financial, or other professional advice.",
					],
				},
				{
					title: "Price and Changes",
					body: [
						"The Services are currently free. If we offer paid plans one day, we will tell you the price beforehand and charge you only if you agree.",
						"We are at the beginning, and the Services will change. We may add, alter, or remove features. If we remove something that you depend on, we will give you reasonable notice and time to take out your data, unless a legal or security reason makes that impossible.",
					],
				},
			],
		},
		{
			id: "accounts",
			title: "Accounts",
			body: [
				"You need no account to visit the Site or to join the waitlist. You will need one for the Email Service.",
				"When you open an account, give us correct details and keep them current. Keep your password and your devices safe, and do not let others use your account. You are responsible for what happens under your account, except for what happens through our fault.",
				[
					"If you think that someone else has entered your account, write to ",
					mailLink(),
					" at once.",
				],
				"You may connect only mailboxes that you are entitled to use. If a mailbox belongs to your employer, your school, or another person, obtain permission first. You allow us to access a connected mailbox in order to provide the Email Service, and you can take that permission back at any time by disconnecting it.",
			],
		},
		{
			id: "user-content",
			title: "User Content",
			body: [
				"“User Content” is what you bring to the Services or create with them: your messages, attachments, contacts, labels, instructions, and the results that the features produce for you. User Content is yours. We claim no ownership of it.",
				"To provide the Email Service we must be able to store, copy, transmit, display, and process your User Content. You give us, and the providers who work for us, a worldwide and royalty-free permission to do so, only as far as is needed to provide, protect, and maintain the Services for you. The permission ends when the content has been deleted from our systems, including backups.",
				[
					"We do not use email data to train language models, and we do not sell personal data. The permission above does not extend to either. The ",
					privacyPolicyLink,
					" says more.",
				],
				"You confirm that you have the rights needed to bring your User Content to the Services, and that using it as these Terms describe breaks no law and no one else’s rights. We do not review User Content as a rule. We may remove or block content that breaks the law or these Terms, and where we can we will tell you that we did and why.",
			],
		},
		{
			id: "acceptable-use",
			title: "Acceptable Use",
			body: [
				"Use the Services lawfully and with consideration for others. In particular, do not:",
				{
					list: [
						"send spam, phishing, malware, or messages that deceive people about who sent them;",
						"harass, threaten, exploit, or defraud anyone, or help others to do so;",
						"break the law, or infringe someone’s copyright, trademark, privacy, or other rights;",
						"join the waitlist with addresses that are not yours, by automated means, or in bulk;",
						"gain or try to gain access to accounts, mailboxes, or systems that you have no permission to enter;",
						"disturb or overload the Services, or go around their limits and protections;",
						"collect data from the Services by automated means, other than through an interface that we offer for this purpose;",
						"copy, resell, or rent out the Services, or use them or their results to build a competing product; or",
						"take the software apart to obtain its source code, except where the law or an open-source license gives you the right.",
					],
				},
				[
					"Careful, good-faith security research is welcome. Test only against your own data, do not harm anyone or degrade the Services, and report what you find to ",
					mailLink("Security Report"),
					", giving us a reasonable time to repair it before you publish. We will not take legal action against research that keeps to this paragraph.",
				],
			],
		},
		{
			id: "intellectual-property",
			title: "Intellectual Property",
			body: [
				`The Services, including their software, design, texts, and the ${product} name and marks, belong to us or to those who license them to us, and are protected by law. Apart from the rights these Terms give you, we keep all rights in them.`,
				"As long as you keep to these Terms, you may use the Services for your own personal or internal business purposes. This permission is not exclusive, cannot be passed on, and can be withdrawn as these Terms describe. Software that carries an open-source license is governed by that license.",
				"If you send us ideas or suggestions, we may use them freely and without payment. You are not obliged to send any, and we will not name you as their author without asking.",
				[
					"If you believe that something on the Services infringes your copyright, write to ",
					mailLink("Copyright Notice"),
					". Say which work is concerned and where the infringing material is, and give us your contact details, a statement that you believe in good faith that the use is not authorized, a statement under penalty of perjury that your notice is accurate and that you may act for the owner, and your signature. We remove infringing material and close the accounts of people who infringe repeatedly.",
				],
			],
		},
		{
			id: "privacy",
			title: "Privacy",
			body: [
				[
					"Our ",
					privacyPolicyLink,
					" explains what we collect, why, for how long, and what you can ask of us. It describes separately what the Site and its waitlist do today and what the Email Service will do. Please read it before you join the waitlist.",
				],
			],
		},
		{
			id: "third-parties",
			title: "Third-Party Services",
			body: [
				"The Email Service works together with services that we do not run, such as the company that hosts your mailbox. Your use of those services is governed by your agreements with the companies that run them, and they may charge you, change, or stop.",
				"When you connect a third-party service, you instruct us to exchange with it the data that the connection needs. We are not responsible for what third parties do with data they hold, for links in the messages you receive, or for anything you buy from or agree with others. You can end a connection at any time.",
			],
		},
		{
			id: "termination",
			title: "Termination",
			body: [
				[
					"You may stop using the Services at any time. To leave the waitlist or to close an account, write to ",
					mailLink(),
					"; the Email Service will also let you close your account yourself.",
				],
				"We may suspend or close your access if you break these Terms in a serious way or repeatedly, if your use puts others or the Services at risk, if the law requires it, or if we stop offering the Services. Unless the matter is urgent or the law forbids it, we will tell you beforehand, say why, and give you the chance to put things right and to take out your data.",
				[
					"When your access ends, your permission to use the Services ends too, and we delete your data as the ",
					privacyPolicyLink,
					" describes. Those parts of these Terms that are meant to last remain in force, namely those on intellectual property, disclaimers, liability, indemnification, disputes, and governing law.",
				],
			],
		},
		{
			id: "disclaimers",
			title: "Disclaimers",
			body: [
				"We work to make the Services good and dependable, but we cannot promise that they will be perfect. The Services are provided “as is” and “as available.” To the fullest extent the law allows, we give no warranties of any kind, whether express, implied, or statutory. This includes the implied warranties of merchantability, fitness for a particular purpose, title, and non-infringement.",
				"In particular, we do not warrant that the Services will be uninterrupted, secure, or free of errors, that results produced by language models will be accurate or complete, that every unwanted or harmful message will be recognized, that no wanted message will be filtered, or that data will never be lost. Please do not make the Services the only place where you keep something you cannot replace.",
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
				`If a third party makes a claim against ${product}, or against the people who work for us, because you broke these Terms, broke the law, or infringed someone’s rights through your User Content or your use of the Services, you will indemnify us for the losses, damages, and reasonable costs (including attorneys’ fees) that result, as far as the law allows.`,
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
					mailLink("Notice of Dispute"),
					" with your name, the email address you use with us, a description of what happened, and what you would like us to do. We will send ours to the email address we have for you.",
				],
				`We will then both try in good faith to settle the matter within ${informalResolutionDays} days after the notice was received. If either of us asks for it, we will meet once by telephone or video during that time. If the matter is still open after the ${informalResolutionDays} days, either of us may go on to arbitration or, where these Terms allow it, to court.`,
				"Time limits for bringing a claim stand still from the day the notice was received until that period has ended. This section does not stop either of us from asking a court for urgent relief that cannot wait.",
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
							mailLink("Arbitration Opt-Out"),
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
		{
			id: "changes",
			title: "Changes to These Terms",
			body: [
				"We may change these Terms when the Services, the law, or our business changes. We will show the new effective date on this page. If a change matters, we will tell the people affected by email, or by a clear notice in the Services, before it takes effect.",
				"Changes apply only from their effective date onward. By continuing to use the Services after that date, you accept the changed Terms. If you do not agree with them, please stop using the Services and, if you wish, leave the waitlist or close your account.",
			],
		},
		{
			id: "miscellaneous",
			title: "Miscellaneous",
			body: [
				{
					list: [
						[
							"Whole agreement. These Terms and the ",
							privacyPolicyLink,
							" are the whole agreement between you and us about the Services and replace earlier ones.",
						],
						"Severability. If part of these Terms cannot be enforced, that part applies as far as it can be, and the rest remains in force. The Arbitration Agreement has a rule of its own for claims that cannot be limited to one person.",
						"No waiver. If one of us does not insist on a right at once, that right is not lost.",
						"Transfer. You may not transfer these Terms without our consent. We may transfer them to a company that takes over the Services and keeps the promises made here; we will tell you if that happens.",
						"Events beyond control. Neither of us is responsible for a failure caused by something beyond reasonable control, such as a natural disaster, war, or a failure of public networks.",
						"Export. You must comply with the export and sanctions laws that apply to your use of the Services.",
						"Notices. We may send notices to the email address you gave us or show them in the Services. Electronic notices count as written ones.",
						"Relationship. These Terms create no partnership, employment, or agency, and give no rights to anyone other than you and us.",
						"Language. Headings are there for convenience, and “including” means “including without limitation.” If these Terms are translated, the English text prevails where the law allows.",
					],
				},
			],
		},
		{
			id: "contact",
			title: "Contact Us",
			body: [
				[
					`If you have a question about these Terms, write to ${company} at `,
					mailLink(),
					". We are glad to explain what we mean.",
				],
				...imprint,
			],
		},
	],
};

export function Terms() {
	return <LegalPage document={termsOfService} path="/terms" />;
}

/** Whole US dollars as they are written in the United States: 10000 is "$10,000". */
function inDollars(amount: number): string {
	return `$${amount.toLocaleString("en-US")}`;
}
