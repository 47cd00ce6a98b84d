import { brand } from "#brand";
import { SOURCE } from "#shared/join.ts";
import { addressHours, backupDays, invitedDays, waitlistMonths } from "#shared/retention.ts";
import { imprint, type LegalDocument, mailLink, ofService, type Place } from "./legal-document.ts";
import { LegalPage } from "./legal-page.tsx";
import { place } from "./place.ts";

const { company, country, product } = brand;
export const privacyPolicyFor = ({ minimumAge, privacy }: Place): LegalDocument => ({
	title: "Privacy Policy",
	intro: [
		`This Privacy Policy explains what personal data ${company} (“${product},” “we,” “us,” or “our”) collects, what we do with it, and what you can ask of us. We are a company based in ${country}.`,
		"The policy covers this website and its waitlist (the “Site”). The only thing the Site keeps about you is your place on the waitlist, if you join. We do not sell personal data.",
		...ofService(({ name, product, does, needs, data, start }) => [
			`The policy also covers the ${product} we are building (the “${name}”). ${does} It is currently free, and it is not open to the public yet. ${needs} We do not use ${data} to train language models.`,
			`What we say about the ${name} describes how it will treat your data once you are invited. If any of that changes before then, we will update this policy before you ${start}.`,
		]),
	],
	sections: [
		{
			id: "information-we-collect",
			title: "Information We Collect",
			body: [
				"What we hold depends on what you do: visit the Site, join the waitlist, or write to us.",
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
								"the version of this policy and of our Terms of Service, named by its effective date, that was in force when you joined, with the version of the words of the form; and",
								"a mark, if a field of the form that people do not see was filled in, which suggests a program or an automatic form filler, or if very many people joined over the same network at the time.",
							],
						},
						"That is the whole record of your joining. We do not ask for your name, a password, or payment details, and joining again with the same address adds nothing to it.",
						"Once we write to you, we also keep a record of our letters:",
						{
							list: [
								"a random number that stands for you in the links of our letters, which contain no email address;",
								"for each letter: its kind, the version of its text, when and how often it was asked for, when we tried to send it, and the code with which the mail server answered;",
								"when you confirmed your address, in what manner, and the version of the page by which you did;",
								"when you asked for no more letters; and",
								"whether and when a letter to your address came back, with the code that says why, and whether you called one spam.",
							],
						},
						"When you write to us, we receive your email address, your message, and anything else you choose to tell us.",
						...ofService(({ provided }) => [provided]),
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
						...ofService(({ name }) => [
							`The ${name} will record the technical information needed to run it safely: IP address, type of device and browser, times of sign-in, errors, and which features are used.`,
						]),
					],
				},
				{
					title: "Information from Third Parties",
					body: [
						"Mail providers report to us when a letter to you came back, and when you called one spam, after which we write to you no more. Apart from these reports, the Site receives nothing about you from third parties. We do not buy address lists, look up the people behind addresses, or build profiles of visitors.",
						...ofService(({ fromOthers }) => [fromOthers]),
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
						"to invite you and to send you occasional news about the launch; and",
						"to answer your requests and to show that we have honored them.",
					],
				},
				"You are on the waitlist whether or not you confirm. Joining again, or asking for a new link, may bring the letter that asks you to confirm once more; we limit how often, so that nobody can use our form to bother you.",
				"Our letters do not track you. Nothing in them is fetched when you read them, and we do not record who opens a letter or follows a link. Of what you do with a letter, we record only what you decide: that you confirm, that you leave, or that you call it spam. Of your invitation, we record when it was sent, and whether and when its code was used.",
				...ofService(({ name, purpose, protection, models, readers }) => [
					`We use personal data connected with the ${name}:`,
					{
						list: [
							purpose,
							"to run your account and to help you when you ask for support;",
							protection,
							"to find and fix faults and to improve the product, using technical information and your feedback; and",
							"to meet our legal obligations.",
						],
					},
					models,
					readers,
				]),
			],
		},
		{
			id: "how-we-share-information",
			title: "How We Share Information",
			body: [
				"We do not sell personal data, and we do not share it for advertising that follows people across websites. We disclose it only in these cases:",
				{
					list: [
						"To service providers who work for us, such as the companies that host our servers and deliver our letters. They act on our instructions and may not use the data for purposes of their own.",
						...ofService(({ providers, direction }) => [providers, direction]),
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
				"When you ask for no more letters, your waitlist record stays, with a note that we must not write to you. We also keep a code of the same kind, together with the time, so that no old backup makes us write to you again, and once one spelling of an address has unsubscribed, no other one is asked to confirm.",
				"So that nobody can have us send many emails to you, we count the ones that unconfirmed addresses of one mailbox get in a day. The count is made from the records of these emails, and goes with them.",
				`An IP address held to limit abuse leaves the server’s memory within ${addressHours} hours of your last request. We keep correspondence for as long as we need it to deal with your request and to show that we did.`,
				...ofService(({ kept }) => [kept]),
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
				"Every letter to the waitlist ends with a link that always works. It leads to a page with two buttons: one stops the letters, the other deletes your record. Where your mail program offers to unsubscribe you, one click there stops the letters as well. You can delete what the Site keeps on your device in your browser’s settings.",
				...ofService(({ controls }) => [controls]),
			],
		},
		{
			id: "security",
			title: "Security",
			body: [
				"We protect personal data with measures that fit its sensitivity. Connections to our servers are encrypted. The waitlist cannot be read or searched through the Site, and only people who need it for their work have access to it. The Site asks for little, which is a protection in itself: what we do not hold cannot be lost.",
				...ofService(({ protections }) => [protections]),
				[
					"No system is perfectly secure. If a breach puts your data at risk, we will tell you and the authorities as the law requires. If you believe you have found a weakness, please write to ",
					mailLink("Security Report"),
					" before telling others, so that we can repair it.",
				],
			],
		},
		privacy.abroad,
		{
			id: "children",
			title: `Children Under ${minimumAge}`,
			body: [
				`What we offer is not meant for children under ${minimumAge}, and we do not knowingly collect personal data from them. If you are under ${minimumAge}, please do not join the waitlist or send us anything about yourself.`,
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
				"The Site sets no cookies, uses no tracking pixels, and takes no fingerprints of devices. It may write three small entries to the local storage of your own browser:",
				{
					list: [
						"“waitlistEmail” holds the email address you submitted. It is written after you have joined.",
						"“moon” is the number of the emoji that you chose to go around the sphere. It is written after you have joined, and when you choose another one.",
						"“motion” remembers whether you paused the animation. It is written when you use the pause button.",
					],
				},
				"All of them stay on your device until you clear them in your browser’s settings, and the Site does not send them to us. If your browser refuses local storage, the Site works all the same.",
				"When we have replaced the Site with a newer version while you had it open, the page may reload itself, once. So that it does not do so again and again, it notes “renewed” with the name of one of our files in the session storage of that tab, until the newer page has started or you close the tab. That note is not sent to us either.",
				"Because the Site does not track you, there is nothing for a Do Not Track or Global Privacy Control signal to switch off: everyone is treated as if the signal were on.",
				...ofService(({ name }) => [
					`The ${name} will need a way to keep you signed in, such as a cookie that serves only this purpose; we will describe it here before it is used.`,
				]),
			],
		},
		...privacy.residents,
		{
			id: "changes",
			title: "Changes to This Policy",
			body: [
				"When our practices change, we change this policy and the effective date shown with it. If a change matters to people whose data we hold, we tell them by email before it takes effect.",
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
});

export function Privacy() {
	return <LegalPage document={privacyPolicyFor(place)} path="/privacy" />;
}
