/*
 * A src/brand.ts for tests, with everything changed that a founder can change. Ż, ł and ń need font
 * files that the default brand lacks.
 */
const product = "Żagiel";

export const brand = {
	product,
	company: "Żagiel & Łódź sp. z o.o.",
	country: "Poland",
	email: "ahoj@zagiel.example",
	postalAddress: "ul. Długa 9, 80-827 Gdańsk",
	imprint: ["KRS 0000999999, Sąd Rejonowy Gdańsk-Północ"],
	origin: "https://zagiel.example",
	signUp: "https://start.zagiel.example/aboard",
	legalEffectiveDate: "2027-03-14",
	language: "en-GB",
};

export const emoji: readonly string[] = [
	...["⚓", "🐟", "🦀", "🌊", "🛩️", "🐚", "⛵", "🐙", "🦞", "🐳"],
	...["🐬", "🪸", "🦑", "🐡", "🌞", "🏖️", "🧭", "🍋", "🥨", "🐠"],
];

export const fonts = {
	display: {
		files: [
			"@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2",
			"@fontsource-variable/figtree/files/figtree-latin-ext-wght-normal.woff2",
		],
		// Figtree has no `opsz` axis, so the build must ignore it.
		axes: { opsz: 48 } as Record<string, number>,
	},
	text: {
		files: [
			"@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-opsz-normal.woff2",
			"@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-ext-opsz-normal.woff2",
		],
		axes: { opsz: 14 } as Record<string, number>,
	},
};

export const sky = {
	morning: {
		colors: ["#dff3f5", "#e6f3ee", "#eef4e3", "#f6efd2"],
		lights: ["#c4f0e2", "#fbe3a8", "#cfe6ff"],
	},
	between: ["#8fb4ea", "#a5dccb", "#f5d79a"],
	night: { colors: ["#04121c", "#082433", "#0e3d4a", "#125257"], lights: ["#18605f", "#1d5f7a"] },
};

export const sphere = {
	silk: ["#7fe3c4", "#a5e89a", "#f5e98e", "#7cc9f0", "#8fa8f5", "#a4b8f0"],
	shade: "#7cc4c9",
	sheen: "#fbfffc",
	halo: ["#edfff8", "#c4fff0"],
};

export const inks = {
	morning: {
		ink: "#0c1a1c",
		card: "#fafffd",
		word: ["#004032", "#0b2f7a"],
		field: "#fdfffe",
		fieldInk: "#0c1a1c",
		fieldHint: "#4f6468",
		fieldError: "#73170e",
		button: "#0b3a44",
		buttonInk: "#f4fffd",
		buttonHover: "#14566a",
		focus: "#0a5bd0",
		shadow: "#24546e",
		selection: "#7fe3c4",
	},
	night: {
		ink: "#f8ffff",
		soft: "#b9d4d8",
		card: "#04141c",
		focus: "#ffe08a",
		number: ["#ffe08a", "#9fe8c0", "#7fd8ff", "#b9c8ff"],
		word: ["#fff3cb", "#c8ffe6"],
		fieldError: "#fff0f2",
	},
	paper: {
		ground: "#fafdfb",
		ink: "#122022",
		soft: "#4a5f63",
		rule: "#dcebe8",
		marker: "#2f9c9a",
	},
	darkPaper: {
		ground: "#06161b",
		ink: "#ecf8f7",
		soft: "#afc8cb",
		rule: "#1b3a42",
		marker: "#3fa9b5",
	},
	more: {
		ink: "#000000",
		word: ["#00463a", "#0a3070"],
		fieldHint: "#3a4c50",
		fieldError: "#701408",
		focus: "#0a3d94",
		soft: "#203033",
	},
};
