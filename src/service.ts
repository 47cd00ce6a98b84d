/**
 * Legal sentences about the future product and its users' data. Separate from brand.ts, so that
 * only the legal pages load them.
 */
import { brand } from "#brand";

/**
 * The product described here. If `brand.product` differs, the legal texts cover the waitlist only.
 */
const describes = "Orbit";

const texts = {
	/** As in “the Email Service will …”. */
	name: "Email Service",
	/** As in “the email product we are building”. */
	product: "email product",
	/** One sentence each: what the product does, and why it needs data. */
	does: "It summarizes and categorizes mail, suggests actions, and helps with search, filtering, and security.",
	needs: "Because it works with your mail, it will need more data than the Site does.",
	/** Features, as in “the product we are preparing to open, with features …”. */
	features:
		"with features that summarize and categorize mail, suggest actions, and help with search, filtering, and security",
	/** User data, as in “We do not use email data to train language models”. */
	data: "email data",
	/** User data in the sentence about sensitive personal information. */
	contents: "the contents of your mail",
	/** The step that provides user data, as in “before you connect a mailbox”. */
	start: "connect a mailbox",
	/** Data from the users themselves, and data from others. */
	provided:
		"When you use the Email Service, you will give us account details such as your name, your email address, and your settings. When you connect a mailbox, you will allow us to process what is in it: messages, attachments, labels, and the names and addresses of the people you correspond with. We call all of this email data. You will also give us your searches, filters, corrections, and feedback.",
	fromOthers:
		"When you connect a mailbox to the Email Service, the company that hosts it will send us the email data you have allowed it to send. If you sign in through another company’s account, that company will confirm your name and email address to us. Your mail also contains personal data of the people who write to you, and we process it only to provide the Email Service to you. Where a mailbox provider sets stricter rules for data received from it, we follow those rules.",
	/** Items in the list of purposes for which data is used. */
	purpose:
		"to provide what you ask for: summarizing, categorizing, suggested actions, search, filtering, and security;",
	protection: "to detect spam, phishing, fraud, and misuse;",
	/** How language models use the data, and who can read it. */
	models:
		"We do not use email data to train language models, whether our own or anyone else’s. When a feature summarizes or categorizes a message, a model reads the message to produce a result for you; it does not learn from it.",
	readers:
		"We do not use email data for advertising. Nobody on our staff reads your mail unless you ask us to look at a particular message, or unless this is needed to stop abuse, repair a security problem, or comply with the law. We make no decisions about you by automated means alone that have legal or similarly serious effects.",
	/** Items in the list of companies and people who receive data. */
	providers:
		"To the companies that run language models for the Email Service. They act on our instructions and may not use the data for purposes of their own, including the training of language models.",
	direction: "At your direction, for example when you send a message or connect another service.",
	kept: "The Email Service will keep account details and email data while your account is open. When you delete a message, disconnect a mailbox, or close your account, we will remove the data concerned from our systems, and from backups as they are replaced. Where the law obliges us to keep something longer, we keep that and nothing more.",
	controls:
		"In the Email Service, you will be able to disconnect a mailbox, download your data, and close your account.",
	protections:
		"The Email Service will add protections suited to the contents of a mailbox, including access that you can revoke at any time.",
	/** A section of the terms: what to know before relying on the product. */
	cautions: {
		title: "Features That Use Artificial Intelligence",
		body: [
			"The Email Service uses language models. Their summaries, categories, and suggestions can be incomplete or wrong, and a filter can put a message you wanted in the wrong place. Check the original message before you rely on a result for anything that matters. You decide which suggested actions to carry out, and you are responsible for the messages you send.",
			"What these features produce is not legal, medical, financial, or other professional advice.",
		],
	},
	/** Rules for mailboxes that people connect, and for their content. */
	access:
		"You may connect only mailboxes that you are entitled to use. If a mailbox belongs to your employer, your school, or another person, obtain permission first. You allow us to access a connected mailbox in order to provide the Email Service, and you can take that permission back at any time by disconnecting it.",
	userContent:
		"your messages, attachments, contacts, labels, instructions, and the results that the features produce for you",
	/** Items in the list of prohibited uses. */
	misuse: "send spam, phishing, malware, or messages that deceive people about who sent them;",
	intrusion:
		"gain or try to gain access to accounts, mailboxes, or systems that you have no permission to enter;",
	/** As in “services that we do not run, such as …”. */
	partner: "the company that hosts your mailbox",
	/** As in “we are not responsible for …”. */
	links: "links in the messages you receive",
	/** As in “we do not warrant that …”. */
	notWarranted:
		"that results produced by language models will be accurate or complete, that every unwanted or harmful message will be recognized, that no wanted message will be filtered",
};

export const service = brand.product === describes ? texts : undefined;
