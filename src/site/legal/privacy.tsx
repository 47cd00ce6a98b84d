import { brand } from "#brand";
import { DEFAULT_SOURCE } from "#shared/join.ts";
import {
	backupRetentionDays,
	invitedRetentionDays,
	ipAddressRetentionHours,
	waitlistRetentionMonths,
} from "#shared/retention.ts";
import {
	contactLink,
	ifServiceDescribed,
	imprint,
	type LegalDocument,
	type LocalLaw,
} from "./legal-document.ts";
import { LegalPage } from "./legal-page.tsx";
import { localLaw } from "./local-law.ts";

const { company, country, product } = brand;
export const privacyPolicyFor = ({ minimumAge, privacy }: LocalLaw): LegalDocument => ({
	title: "Privacy Policy",
	intro: [
		`This Privacy Policy explains what personal data ${company} (“${product},” “we,” “us,” or “our”) collects, what we do with it, and what you can ask of us. We are a company based in ${country}.`,
		"The policy covers this website and its waitlist (the “Site”). The Site stores personal data about you only if you join the waitlist. We do not sell personal data.",
		...ifServiceDescribed(({ name, product, does, needs, data, start }) => [
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
								"normalized copies of your address (in lowercase or without a “+” tag, for example), which tell us whether it is already on the list and which addresses share a mailbox;",
								"a random identifier, used in the links of our emails instead of your address;",
								`a source label: “${DEFAULT_SOURCE}”, or the name in the link you followed (such as a newsletter), if it had one;`,
								"when you joined;",
								"the version of this policy and of our Terms of Service in force when you joined, and the version of the form’s wording; and",
								"a flag, if a hidden field of the form was filled in, which suggests a program, or if very many people joined from the same network at the time.",
							],
						},
						"We keep nothing else about your joining. We do not ask for your name, a password, or payment details, and joining again with the same address adds nothing to it.",
						"Once we email you, we also keep a record of our emails:",
						{
							list: [
								"for each email: its kind, its identifier and the group of emails it belongs to, the version of its text, when and how often it was requested, when we tried to send it, and the mail server’s reply code;",
								"when and how you confirmed your address, and the version of the page you used;",
								"when and how you unsubscribed, and whether we stopped emailing you ourselves; and",
								"whether and when an email to you bounced, with the code that says why, and whether you marked one as spam.",
							],
						},
						"When you write to us, we receive your email address, your message, and anything else you choose to tell us.",
						...ifServiceDescribed(({ provided }) => [provided]),
					],
				},
				{
					title: "Information Collected Automatically",
					body: [
						"The Site collects very little. Your browser sends us your IP address, as every web request does. Our server holds it in memory for a short time to limit abuse, such as a program that tries to join thousands of times. It never stores the IP address with your waitlist record and never writes it to its logs. The logs note that a request arrived, how it was answered, and how long that took. They contain no email addresses and none of the links in our emails.",
						"Our server counts how often the home page is opened, and keeps one number per day. That number says nothing about you or your device.",
						[
							"The Site sets no cookies, runs no visitor analytics, and loads nothing from third parties. What it stores on your device is described under ",
							{ text: "Cookies and Local Storage", href: "#cookies" },
							".",
						],
						...ifServiceDescribed(({ name }) => [
							`The ${name} will record the technical information needed to run it safely: IP address, type of device and browser, times of sign-in, errors, and which features are used.`,
						]),
					],
				},
				{
					title: "Information from Third Parties",
					body: [
						"Email providers tell us when an email to you bounced or when you marked one as spam, after which we stop emailing you. Apart from these reports, the Site receives nothing about you from third parties. We do not buy address lists, look up the people behind addresses, or build profiles of visitors.",
						...ifServiceDescribed(({ fromOthers }) => [fromOthers]),
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
						"to ask you by email to confirm your address, so that your invitation reaches you;",
						"to invite you and to send you occasional news about the launch; and",
						"to answer your requests and to show that we have honored them.",
					],
				},
				"You are on the waitlist whether or not you confirm. If you join again or request a new link, we may resend the confirmation email. We limit how often, so that nobody can use our form to bother you.",
				"Our emails do not track you. They load nothing when you read them, and we do not record who opens an email or follows a link. We record only what you decide: that you confirm, unsubscribe, or mark an email as spam. For your invitation, we record when it was sent, and whether and when its code was used.",
				...ifServiceDescribed(({ name, purpose, protection, models, readers }) => [
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
						"To service providers who work for us, such as the companies that host our servers and deliver our emails. They act on our instructions and may not use the data for other purposes.",
						...ifServiceDescribed(({ providers, direction }) => [providers, direction]),
						"When the law requires it, or when it is necessary to protect someone’s safety, rights, or property. We disclose no more than is required and tell you beforehand where we are allowed to.",
						"To a successor, if our business or part of it is sold, merged, or reorganized. The successor must keep the promises of this policy, and we will tell you before your data comes under a different policy.",
					],
				},
				"Our emails pass through an email provider that works for us and through your own email provider. Both handle your address and the email to deliver it.",
				"The waitlist is not published. The form does tell anyone who submits an address whether it had already joined.",
			],
		},
		{
			id: "how-long-we-keep-information",
			title: "How Long We Keep Information",
			body: [
				`We keep a waitlist record for at most ${waitlistRetentionMonths} months after you joined. Once your invitation has gone out, we keep the record for at most ${invitedRetentionDays} days after that. If you ask us to delete it, we delete it sooner. The record of our emails is kept as long as the waitlist record, and deleted with it.`,
				`A deletion takes effect in the waitlist immediately. Earlier backups may still contain the record; the last of them is gone within ${backupRetentionDays} days. Our database software may also keep traces of deleted content in its files until it reuses the space.`,
				"After a deletion we keep a one-way code made from the address with a secret key (a keyed hash), with the time of and reason for the deletion. The code lets us prove that an address was deleted, and keeps an old backup from bringing it back, without storing the address.",
				"When you unsubscribe, your waitlist record stays, with a note that we must not email you. We also keep a code of the same kind, with the time, so that no old backup makes us email you again. We also stop sending confirmation emails to other versions of that address, such as one with a “+” tag.",
				"So that nobody can make us send you many emails, we count those sent in a day to unconfirmed addresses of one mailbox. The count comes from the records of these emails and is deleted with them.",
				`An IP address held to limit abuse leaves the server’s memory within ${ipAddressRetentionHours} hours of your last request. We keep correspondence for as long as we need it to deal with your request and to show that we did.`,
				...ifServiceDescribed(({ kept }) => [kept]),
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
						"to stop any use that relies on your consent, if you withdraw it.",
					],
				},
				[
					"To leave the waitlist and have your data deleted, write to ",
					contactLink("Waitlist Deletion Request"),
					" from the address you joined with. You need not give a reason. For any other request, write to ",
					contactLink(),
					".",
				],
				"We answer within one month and charge nothing. We may need to confirm that an address is yours, usually by asking you to reply from it. If we cannot do what you ask, we tell you why, and you may ask us to look at it again. Using your rights never leads to worse treatment.",
				"Every email to the waitlist ends with a link that opens a page with two buttons: one unsubscribes you, the other lets you delete your data. If your email program offers to unsubscribe you, one click there does it as well. You can delete what the Site stores on your device in your browser’s settings.",
				...ifServiceDescribed(({ controls }) => [controls]),
			],
		},
		{
			id: "security",
			title: "Security",
			body: [
				"We protect personal data with measures that fit its sensitivity. Connections to our servers are encrypted. The waitlist cannot be read or searched through the Site, and only people who need it for their work have access to it. The Site asks for little, which is a protection in itself: what we do not hold cannot be lost.",
				...ifServiceDescribed(({ protections }) => [protections]),
				[
					"No system is perfectly secure. If a breach puts your data at risk, we will tell you and the authorities as the law requires. If you believe you have found a weakness, please write to ",
					contactLink("Security Report"),
					" before telling others, so that we can repair it.",
				],
			],
		},
		privacy.abroad,
		{
			id: "children",
			title: `Children Under ${minimumAge}`,
			body: [
				`The Site is not meant for children under ${minimumAge}, and we do not knowingly collect personal data from them. If you are under ${minimumAge}, please do not join the waitlist or send us anything about yourself.`,
				[
					`If you are a parent or guardian and believe that a child under ${minimumAge} has given us personal data, write to `,
					contactLink(),
					" and we will delete it.",
				],
			],
		},
		{
			id: "cookies",
			title: "Cookies and Local Storage",
			body: [
				"The Site sets no cookies, uses no tracking pixels, and does not fingerprint devices. It may write three small entries to your browser’s local storage:",
				{
					list: [
						"“waitlistEmail” holds the email address you submitted. It is written after you have joined.",
						"“moon” is the number of the emoji you chose to circle the sphere. It is written after you have joined, and when you choose another one.",
						"“motion” remembers whether you paused the animation. It is written when you use the pause button.",
					],
				},
				"All of them stay on your device until you clear them in your browser’s settings, and the Site does not send them to us. If your browser blocks local storage, the Site still works.",
				"If we update the Site while you have it open, the page may reload once. To avoid reloading again, it stores “renewed” with the name of one of our files in that tab’s session storage, until the new page has started or you close the tab. That entry is not sent to us either.",
				"Because the Site does not track you, there is nothing for a Do Not Track or Global Privacy Control signal to switch off: everyone is treated as if the signal were on.",
				...ifServiceDescribed(({ name }) => [
					`The ${name} will need a way to keep you signed in, such as a cookie used only for this purpose. We will describe it here before we use it.`,
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
					contactLink(),
					". A person will read it.",
				],
				...imprint,
			],
		},
	],
});

export function Privacy() {
	return <LegalPage document={privacyPolicyFor(localLaw)} path="/privacy" />;
}
