import { brand } from "#brand";
import {
	contactLink,
	ifServiceDescribed,
	imprint,
	type LegalDocument,
	type Link,
	type LocalLaw,
} from "./legal-document.ts";
import { LegalPage } from "./legal-page.tsx";
import { localLaw } from "./local-law.ts";

const { company, country, product } = brand;
const privacyPolicyLink: Link = { text: "Privacy Policy", href: "/privacy" };
export const termsOfServiceFor = ({ minimumAge, terms }: LocalLaw): LegalDocument => ({
	title: "Terms of Service",
	intro: [
		`These Terms of Service (“Terms”) are an agreement between you and ${company} (“${product},” “we,” “us,” or “our”), a company based in ${country}. They apply when you visit this website or join its waitlist${ifServiceDescribed(({ product }) => [`, and when you use our ${product}`]).join("")}.`,
		"By doing any of these things, you accept these Terms. If you do not accept them, please do not use the Services.",
		terms.careful,
	],
	sections: [
		{
			id: "eligibility",
			title: "Eligibility",
			body: [
				`You must be at least ${minimumAge} years old to use the Services. If the law where you live requires a higher age before you can agree to a service like ours on your own, you must have reached that age, or your parent or guardian must agree to these Terms for you.`,
				"If you are not yet an adult where you live, you may use the Services only with the permission of a parent or guardian, who accepts these Terms together with you.",
				"If you use the Services for an organization, you confirm that you may accept these Terms on its behalf, and “you” then means the organization as well.",
				`You may not use the Services if we have ended your access for breaking these Terms, or if the laws of ${country} or of the country you are in forbid it.`,
			],
		},
		{
			id: "services",
			title: "The Services",
			body: [
				"The “Services” are this website and its waitlist (the “Site”), open to the public today.",
				...ifServiceDescribed(({ name, product, features }) => [
					`The “${name}” is also part of the Services: it is the ${product} we are preparing to open, ${features}.`,
				]),
			],
			parts: [
				{
					title: "The Waitlist",
					body: [
						"Joining the waitlist tells us that you would like an invitation. It costs nothing and commits you to nothing, and you may leave at any time. It does not promise you access by a certain day, or at all. A waitlist number shown on the Site is an illustration: it is not calculated for you and does not decide when you are invited.",
						"Please join only with an address that is yours, or whose owner has asked you to. We write to it about the launch, and each of those emails has an unsubscribe link.",
					],
				},
				...ifServiceDescribed(({ cautions }) => [cautions]),
				{
					title: "Price and Changes",
					body: [
						"The Services are currently free. If we offer paid plans one day, we will tell you the price beforehand and charge you only if you agree.",
						"The Services are new and will change. We may add, alter, or remove features. If we remove something that you depend on, we will give you reasonable notice and time to export your data, unless a legal or security reason makes that impossible.",
					],
				},
			],
		},
		...ifServiceDescribed(({ name, access, userContent, data }) => [
			{
				id: "accounts",
				title: "Accounts",
				body: [
					`You need no account to visit the Site or to join the waitlist. You will need one for the ${name}.`,
					"When you open an account, give us correct details and keep them current. Keep your password and your devices safe, and do not let others use your account. You are responsible for what happens under your account, except for what happens through our fault.",
					[
						"If you think someone else has access to your account, write to ",
						contactLink(),
						" right away.",
					],
					access,
				],
			},
			{
				id: "user-content",
				title: "User Content",
				body: [
					`“User Content” is what you bring to the Services or create with them: ${userContent}. User Content is yours. We claim no ownership of it.`,
					`To provide the ${name} we must be able to store, copy, transmit, display, and process your User Content. You give us, and the providers who work for us, a worldwide and royalty-free permission to do so, only as far as is needed to provide, protect, and maintain the Services for you. The permission ends when the content has been deleted from our systems, including backups.`,
					[
						`We do not use ${data} to train language models, and we do not sell personal data. The permission above does not extend to either. The `,
						privacyPolicyLink,
						" says more.",
					],
					"You confirm that you have the rights needed to bring your User Content to the Services, and that using it as these Terms describe breaks no law and no one else’s rights. We do not review User Content as a rule. We may remove or block content that breaks the law or these Terms, and where we can we will tell you that we did and why.",
				],
			},
		]),
		{
			id: "acceptable-use",
			title: "Acceptable Use",
			body: [
				"Use the Services lawfully and with consideration for others. In particular, do not:",
				{
					list: [
						...ifServiceDescribed(({ misuse }) => [misuse]),
						"harass, threaten, exploit, or defraud anyone, or help others to do so;",
						"break the law, or infringe someone’s copyright, trademark, privacy, or other rights;",
						"join the waitlist with addresses you have no permission to use, by automated means, or in bulk;",
						...ifServiceDescribed(({ intrusion }) => [intrusion]),
						"disrupt or overload the Services, or circumvent their limits and protections;",
						"collect data from the Services by automated means, other than through an interface that we offer for this purpose;",
						"copy, resell, or rent out the Services, or use them or their results to build a competing product; or",
						"reverse engineer the software, except where the law or an open-source license allows it.",
					],
				},
				[
					"Careful, good-faith security research is welcome. Test only against your own data, do not harm anyone or degrade the Services, and report what you find to ",
					contactLink("Security Report"),
					", giving us reasonable time to fix it before you publish. We will not take legal action against research that follows this paragraph.",
				],
			],
		},
		{
			id: "intellectual-property",
			title: "Intellectual Property",
			body: [
				`The Services, including their software, design, texts, and the ${product} name and marks, belong to us or to those who license them to us, and are protected by law. Apart from the rights these Terms give you, we keep all rights in them.`,
				"As long as you follow these Terms, you may use the Services for your own personal or internal business purposes. This permission is not exclusive, cannot be passed on, and can be withdrawn as these Terms describe. Software that carries an open-source license is governed by that license.",
				"If you send us ideas or suggestions, we may use them freely and without payment. You are not obliged to send any, and we will not name you as their author without asking.",
				terms.copyright,
			],
		},
		{
			id: "privacy",
			title: "Privacy",
			body: [
				[
					"Our ",
					privacyPolicyLink,
					" explains what we collect, why, for how long, and what you can ask of us. Please read it before you join the waitlist.",
				],
			],
		},
		...ifServiceDescribed(({ name, partner, links }) => [
			{
				id: "third-parties",
				title: "Third-Party Services",
				body: [
					`The ${name} works together with services that we do not run, such as ${partner}. Your use of those services is governed by your agreements with the companies that run them, and they may charge you, change, or stop.`,
					`When you connect a third-party service, you instruct us to exchange with it the data that the connection needs. We are not responsible for what third parties do with data they hold, for ${links}, or for anything you buy from or agree with others. You can end a connection at any time.`,
				],
			},
		]),
		{
			id: "termination",
			title: "Termination",
			body: [
				[
					"You may stop using the Services at any time. To leave the waitlist, choose “Delete my data” on the page behind the unsubscribe link in any of our emails, or write to ",
					contactLink(),
					".",
				],
				"We may suspend or close your access if you break these Terms seriously or repeatedly, if your use puts others or the Services at risk, if the law requires it, or if we stop offering the Services. Unless the matter is urgent or the law forbids it, we will tell you beforehand, say why, and give you the chance to fix the problem and export your data.",
				[
					"When your access ends, your permission to use the Services ends too, and we delete your data as the ",
					privacyPolicyLink,
					` describes. Those parts of these Terms that are meant to last remain in force, namely those on intellectual property, ${terms.lasting}.`,
				],
			],
		},
		...terms.sections,
		{
			id: "changes",
			title: "Changes to These Terms",
			body: [
				"We may change these Terms when the Services, the law, or our business changes. We will show the new effective date on this page. If a change matters, we will tell the people affected by email, or by a clear notice in the Services, before it takes effect.",
				"Changes apply only from their effective date onward. By continuing to use the Services after that date, you accept the changed Terms. If you do not agree with them, please stop using the Services and, if you wish, leave the waitlist.",
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
						terms.severability,
						"No waiver. If one of us does not enforce a right immediately, that right is not lost.",
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
					contactLink(),
					". We are glad to explain what we mean.",
				],
				...imprint,
			],
		},
	],
});

export function Terms() {
	return <LegalPage document={termsOfServiceFor(localLaw)} path="/terms" />;
}
