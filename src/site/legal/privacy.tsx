import { brand } from "#brand";
import { SOURCE } from "#shared/join.ts";
import { legalConstants } from "./legal-constants.ts";
import { imprint, type LegalDocument, mailLink } from "./legal-document.ts";
import { LegalPage } from "./legal-page.tsx";

const { company, country, product } = brand;
const { minimumAge, waitlistMonths, invitedDays, backupDays, addressHours, californiaAnswerDays } =
	legalConstants;

/** The Privacy Policy, with the twelve sections of promise 36. */
export const privacyPolicy: LegalDocument = {
	title: "Privacy Policy",
	intro: [
		`This Privacy Policy explains what personal data ${company} (“${product},” “we,” “us,” or “our”) collects, what we do with it, and what you can ask of us. We are a company based in ${country}.`,
		"The policy covers two things that are at very different stages:",
		{
			list: [
				"The Site is this website and its waitlist. It is open to everyone today, and the only thing it keeps about you is your place on the waitlist, if you join.",
				"The Email Service is the email product we are building. It summarizes and categorizes mail, suggests actions, and helps with search, filtering, and security. It is currently free, and it is not open to the public yet. Because it works with your mail, it will need more data than the Site does.",
			],
		},
		"Two promises hold for both. We do not use email data to train language models. We do not sell personal data.",
		"What we say about the Email Service describes how it will treat your data once you are invited. If any of that changes before then, we will update this policy before you connect a mailbox.",
	],
	sections: [
		{
			id: "information-we-collect",
			title: "Information We Collect",
			body: [
				"What we hold depends on what you do: visit the Site, join the waitlist, write to us, or, later, use the Email Service.",
			],
			parts: [
				{
					title: "Information You Provide",
					body: [
						"When you join the waitlist, we store:",
						{
							list: [
								"your email address as you typed it;",
								"a second form of the same address, evened out (in lower case, for example) so that we can tell whether it is already on the list;",
								`a source label: “${SOURCE}”, or, if you came by a link that names its origin (such as a newsletter) in its address, that name;`,
								"the time at which you joined;",
								"the version of this policy and of our Terms of Service, named by its effective date, that was in force when you joined; and",
								"a mark, if a field of the form that people do not see was filled in, which suggests a program or an automatic form filler.",
							],
						},
						"That is the whole record of your joining. We do not ask for your name, a password, or payment details, and joining again with the same address adds nothing to it.",
						"Once we write to you, we also keep a record of our letters:",
						{
							list: [
								"a random number that stands for you in the links of our letters, which contain no email address;",
								"for each letter: its kind, the version of its text, when and how often it was asked for, when we tried to send it, and the code with which the mail server answered;",
								"when you confirmed your address, and in what manner;",
								"when you asked for no more letters; and",
								"whether and when a letter to your address came back, with the code that says why.",
							],
						},
						"When you write to us, we receive your email address, your message, and anything else you choose to tell us.",
						"When you use the Email Service, you will give us account details such as your name, your email address, and your settings. When you connect a mailbox, you will allow us to process what is in it: messages, attachments, labels, and the names and addresses of the people you correspond with. We call all of this email data. You will also give us your searches, filters, corrections, and feedback.",
					],
				},
				{
					title: "Information Collected Automatically",
					body: [
						"The Site collects very little. Your browser shows our server your IP address, because no page could reach you otherwise. Our server holds that address in memory for a short while to limit abuse, such as a program that tries to join thousands of times. It never stores the IP address with your waitlist record and never writes it to its logs. The logs note that a request arrived, how it was answered, and how long that took; they contain no email addresses and none of the links in our letters.",
						"Our server counts how often the first page of the Site is opened. All it keeps of that is one number for each day. Nothing about you or your device is part of it, and nobody can be recognized by it.",
						[
							"The Site sets no cookies, runs no analytics of visitors, and loads nothing from third parties. What it keeps on your own device is described under ",
							{ text: "Cookies and Local Storage", href: "#cookies" },
							".",
						],
						"The Email Service will record the technical information needed to run it safely: IP address, type of device and browser, times of sign-in, errors, and which features are used.",
					],
				},
				{
					title: "Information from Third Parties",
					body: [
						"The Site receives nothing about you from third parties. We do not buy address lists, look up the people behind addresses, or build profiles of visitors.",
						"When you connect a mailbox to the Email Service, the company that hosts it will send us the email data you have allowed it to send. If you sign in through another company’s account, that company will confirm your name and email address to us. Your mail also contains personal data of the people who write to you, and we process it only to provide the Email Service to you. Where a mailbox provider sets stricter rules for data received from it, we follow those rules.",
					],
				},
			],
		},
		{
			id: "how-we-use-information",
			title: "How We Use Information",
			body: [
				"We use waitlist records for these purposes only:",
				{
					list: [
						"to keep your place and to recognize an address that has already joined;",
						"to ask you by letter to confirm your address, so that your invitation reaches you;",
						"to invite you to the Email Service and to send you occasional news about its launch; and",
						"to answer your requests and to show that we have honored them.",
					],
				},
				"You are on the waitlist whether or not you confirm. Joining again, or asking for a new link, may bring the letter that asks you to confirm once more; we limit how often, so that nobody can use our form to bother you.",
				"Our letters do not track you. Nothing in them is fetched when you read them, and we do not record who opens a letter or follows a link. Of what you do with a letter, we record only what you decide with a button: that you confirm, or that you leave. Of your invitation, we record when it was sent, and whether and when its code was used.",
				"We use personal data connected with the Email Service:",
				{
					list: [
						"to provide what you ask for: summarizing, categorizing, suggested actions, search, filtering, and security;",
						"to run your account and to help you when you ask for support;",
						"to detect spam, phishing, fraud, and misuse;",
						"to find and fix faults and to improve the product, using technical information and your feedback; and",
						"to meet our legal obligations.",
					],
				},
				"We do not use email data to train language models, whether our own or anyone else’s. When a feature summarizes or categorizes a message, a model reads the message to produce a result for you; it does not learn from it.",
				"We do not use email data for advertising. Nobody on our staff reads your mail unless you ask us to look at a particular message, or unless this is needed to stop abuse, repair a security problem, or comply with the law. We make no decisions about you by automated means alone that have legal or similarly serious effects.",
			],
		},
		{
			id: "how-we-share-information",
			title: "How We Share Information",
			body: [
				"We do not sell personal data, and we do not share it for advertising that follows people across websites. We disclose it only in these cases:",
				{
					list: [
						"To service providers who work for us, such as the companies that host our servers, deliver our messages, or run language models for the Email Service. They act on our instructions and may not use the data for purposes of their own, including the training of language models.",
						"At your direction, for example when you send a message or connect another service.",
						"When the law requires it, or when it is necessary to protect someone’s safety, rights, or property. We disclose no more than is required and tell you beforehand where we are allowed to.",
						"To a successor, if our business or part of it is sold, merged, or reorganized. The successor must keep the promises of this policy, and we will tell you before your data comes under a different policy.",
					],
				},
				"Our letters travel through a mail provider that works for us, and through the provider of your own mailbox. Both handle your address and the letter in order to deliver it.",
				"The waitlist is not published. The form does tell whoever submits an address whether that address had already joined.",
			],
		},
		{
			id: "how-long-we-keep-information",
			title: "How Long We Keep Information",
			body: [
				`We keep a waitlist record until the launch invitations have gone out, and at most ${waitlistMonths} months after you joined. Once your own invitation has gone out, we keep it for at most ${invitedDays} days more. If you ask us to delete it, we delete it sooner. The record of our letters is kept as long as the waitlist record, and deleted with it.`,
				`A deletion takes effect in the waitlist itself at once. Backups made earlier, and files in which our database software keeps deleted content until it reuses the space, may still contain the record; they are replaced in turn, and the last copy is gone within ${backupDays} days.`,
				"After an erasure we keep a one-way code made from the address with a secret key (a keyed hash), together with the time of the erasure and the reason for it. The code lets us prove that an address was erased, and keep an old backup from bringing it back, without keeping the address.",
				"When you ask for no more letters, your waitlist record stays, with a note that we must not write to you. We also keep a code of the same kind, together with the time, so that no old backup makes us write to you again.",
				`An IP address held to limit abuse leaves the server’s memory within ${addressHours} hours of your last request. We keep correspondence for as long as we need it to deal with your request and to show that we did.`,
				"The Email Service will keep account details and email data while your account is open. When you delete a message, disconnect a mailbox, or close your account, we will remove the data concerned from our systems, and from backups as they are replaced. Where the law obliges us to keep something longer, we keep that and nothing more.",
			],
		},
		{
			id: "rights-and-choices",
			title: "Your Rights and Choices",
			body: [
				"Wherever you live, you may ask us:",
				{
					list: [
						"whether we hold personal data about you, and for a copy of it in a common format;",
						"to correct data that is wrong;",
						"to delete your data;",
						"to stop or restrict a use you object to; and",
						"to act on your change of mind, where we rely on your consent.",
					],
				},
				[
					"To leave the waitlist and have your record deleted, write to ",
					mailLink("Waitlist Deletion Request"),
					" from the address you joined with. You need not give a reason. For any other request, write to ",
					mailLink(),
					".",
				],
				"We answer within one month and charge nothing. We may need to confirm that an address is yours, usually by asking you to reply from it. If we cannot do what you ask, we tell you why, and you may ask us to look at it again. Using your rights never leads to worse treatment.",
				"Every letter to the waitlist ends with a link that always works. It leads to a page with two buttons: one stops the letters, the other deletes your record. Where your mail program offers to unsubscribe you, one click there stops the letters as well. You can delete what the Site keeps on your device in your browser’s settings. In the Email Service, you will be able to disconnect a mailbox, download your data, and close your account.",
			],
		},
		{
			id: "security",
			title: "Security",
			body: [
				"We protect personal data with measures that fit its sensitivity. Connections to our servers are encrypted. The waitlist cannot be read or searched through the Site, and only people who need it for their work have access to it. The Site asks for little, which is a protection in itself: what we do not hold cannot be lost.",
				"The Email Service will add protections suited to the contents of a mailbox, including access that you can revoke at any time.",
				[
					"No system is perfectly secure. If a breach puts your data at risk, we will tell you and the authorities as the law requires. If you believe you have found a weakness, please write to ",
					mailLink("Security Report"),
					" before telling others, so that we can repair it.",
				],
			],
		},
		{
			id: "international-users",
			title: "International Users",
			body: [
				`We are based in ${country} and process personal data there. Data protection law in ${country} may differ from that of your country. When we receive personal data from countries that restrict such transfers, we rely on the safeguards their laws provide, such as standard contractual clauses.`,
				"If you are in the European Economic Area, the United Kingdom, or Switzerland, our legal bases are these: your consent, for the waitlist and its messages; our contract with you, for the Email Service; our legitimate interest in keeping the Site and the Email Service safe, for limiting abuse and for security; and our legal obligations, for keeping what the law requires. You can withdraw your consent at any time, which does not affect what was done before. You also have the right to complain to the data protection authority where you live or work.",
			],
		},
		{
			id: "children",
			title: `Children Under ${minimumAge}`,
			body: [
				`The Site and the Email Service are not meant for children under ${minimumAge}, and we do not knowingly collect personal data from them. If you are under ${minimumAge}, please do not join the waitlist or send us anything about yourself.`,
				[
					`If you are a parent or guardian and believe that a child under ${minimumAge} has given us personal data, write to `,
					mailLink(),
					" and we will delete it.",
				],
			],
		},
		{
			id: "cookies",
			title: "Cookies and Local Storage",
			body: [
				"The Site sets no cookies, uses no tracking pixels, and takes no fingerprints of devices. It may write two small entries to the local storage of your own browser:",
				{
					list: [
						"“waitlistEmail” holds the email address you submitted. It is written after you have joined.",
						"“motion” remembers whether you paused the animation. It is written when you use the pause button.",
					],
				},
				"Both entries stay on your device until you clear them in your browser’s settings, and the Site does not send them to us. If your browser refuses local storage, the Site works all the same.",
				"When we have replaced the Site with a newer version while you had it open, the page may reload itself, once. So that it does not do so again and again, it notes “renewed” with the name of one of our files in the session storage of that tab, until the newer page has started or you close the tab. That note is not sent to us either.",
				"Because the Site does not track you, there is nothing for a Do Not Track or Global Privacy Control signal to switch off: everyone is treated as if the signal were on. The Email Service will need a way to keep you signed in, such as a cookie that serves only this purpose; we will describe it here before it is used.",
			],
		},
		{
			id: "california-privacy-rights",
			title: "California Privacy Rights (CCPA/CPRA)",
			body: [
				"This section is for residents of California. It uses the terms of the California Consumer Privacy Act as amended by the California Privacy Rights Act. “Personal information” means what we call personal data elsewhere.",
				"Through the Site, we collect identifiers (your email address and, in memory only, your IP address), the source and time of your joining, the version of our legal texts then in force, the mark described above, and the record of our letters. Through the Email Service, we will also collect account details, technical and usage information, and the contents of your mail, which the law treats as sensitive personal information. The sections above describe where this information comes from, why we use it, to whom we disclose it, and how long we keep it.",
				"We do not sell personal information and do not share it for cross-context behavioral advertising. We have never done so, for people of any age. We use sensitive personal information only to provide and protect the Email Service, so there is no further use for you to limit.",
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
					mailLink("CCPA Request"),
					". You may also have an authorized agent write for you; we will ask for proof of your permission. We verify a request by asking you to reply from the address it concerns, and we use what you send for nothing else.",
				],
				`We answer within ${californiaAnswerDays} days. If a request needs more time, we tell you why within those days and may take up to ${californiaAnswerDays} days more.`,
				"California’s “Shine the Light” law lets residents ask which third parties received their personal information for direct marketing. We disclose none for that purpose.",
			],
		},
		{
			id: "changes",
			title: "Changes to This Policy",
			body: [
				"When our practices change, we change this policy and the effective date shown with it. If a change matters to people who are on the waitlist or use the Email Service, we tell them by email before it takes effect.",
				"We will not use data we already hold in a way that is materially different from what we said when we collected it unless you agree.",
			],
		},
		{
			id: "contact",
			title: "Contact Us",
			body: [
				[
					`If you have a question, a request, or a complaint about your privacy, write to ${company} at `,
					mailLink(),
					". A person will read it.",
				],
				...imprint,
			],
		},
	],
};

export function Privacy() {
	return <LegalPage document={privacyPolicy} path="/privacy" />;
}
