/* A src/service.ts for tests: a product without email or language models. */
export const service = {
	name: "Sailing Log",
	product: "logbook",
	does: "It keeps the log of a voyage, draws its course, and shares it with the crew.",
	needs: "Because it knows where a boat is, it will need more data than the Site does.",
	features: "with a log of each voyage, its course, and a page for the crew",
	data: "voyage data",
	contents: "the places where you have been",
	start: "begin a voyage",
	provided:
		"When you use the Sailing Log, you will give us your name, your email address, and the name of your boat. On a voyage it takes down positions, times, and what you write. We call all of this voyage data.",
	fromOthers:
		"The members of your crew may add to the log of a voyage, and weather services send us the weather along your course.",
	purpose: "to keep your logs, and to show them to the people you choose;",
	protection: "to detect fraud and misuse;",
	models: "We do not use voyage data to train language models, whether our own or anyone else’s.",
	readers:
		"Nobody on our staff reads your logs unless you ask us to, or unless the law requires it. We make no decisions about you by automated means alone.",
	providers: "To weather services, which learn where a boat is, but not whose it is.",
	direction: "At your direction, for example when you show a voyage to your crew.",
	kept: "The Sailing Log will keep voyage data while your account is open. When you delete a voyage or close your account, we will remove it.",
	controls: "In the Sailing Log, you will be able to download your logs and to close your account.",
	protections: "The Sailing Log will show a position to nobody but the people you choose.",
	cautions: {
		title: "No Aid to Navigation",
		body: [
			"The Sailing Log takes down where you have been. It does not tell you where to go: steer by charts and by what you see.",
		],
	},
	access: "You may keep the log of boats only on which you are allowed to sail.",
	userContent: "your logs, courses, pictures, and notes",
	misuse: "follow people against their will;",
	intrusion: "gain or try to gain access to accounts or logs that you have no permission to read;",
	partner: "the weather services along your course",
	links: "links in the notes of others",
	notWarranted: "that every position will be right",
};
