import { brand } from "#brand";
import { type Html, html } from "../html.ts";
import {
	type Button,
	type Code,
	copyWords,
	type LetterWords,
	leaveWords,
	senderLines,
} from "./words.ts";

/*
 * The one frame of all letters. Mail programs are older than browsers, and each one ignores something
 * else. So nothing is needed that may be ignored:
 *
 *   - Styles stand on the elements. Some programs drop the style element, which only adds what wide
 *     and dark windows want.
 *   - Words stand on plain colours. Gmail and Outlook darken colours by themselves, but no gradients:
 *     words on a gradient would become white on white.
 *   - The picture is gradients in a table cell, without a word. Programs that know no gradients show
 *     plain colours; Outlook on Windows, which knows no round corners either, gets no picture.
 *   - The button is a cell with a colour, because Outlook ignores the padding of links.
 */

/** The site's morning and night, as in `src/site/styles/tokens.css`. */
const day = { sky: "#efe5fd", paper: "#fcfaff", ink: "#14101f", soft: "#564d6b" };
const night = { sky: "#0a0618", paper: "#170b31", ink: "#ffffff", soft: "#cbc0e0" };

/** From the sky behind the letter to the letter's paper, with a glow around the sphere: no edge. */
const picture = (glow: string, { sky, paper }: typeof day) =>
	`radial-gradient(42% 50% at 50% 50%,rgba(${glow},.75),rgba(${glow},0)),linear-gradient(${sky},${paper})`;
const morning = picture("255,197,226", day);
const dusk = picture("150,52,168", night);

/**
 * The site's sphere without its finest lights: colours around the middle and around the edge, as in
 * `src/site/styles/stage.css`. Each is the place of a colour in percent, its reach, and its red,
 * green and blue, in the syntax of older browsers.
 */
const sphere = [
	["38% 30%", 15, "255,252,255"],
	["60% 62%", 22, "179,203,255"],
	["89% 58%", 34, "246,163,175"],
	["75% 81%", 34, "168,160,255"],
	["49% 90%", 34, "205,155,238"],
	["24% 80%", 34, "255,153,204"],
	["10% 56%", 34, "219,160,255"],
	["16% 29%", 34, "255,189,219"],
	["37% 12%", 34, "255,250,235"],
	["65% 13%", 34, "255,199,167"],
	["85% 31%", 34, "255,171,173"],
	["70% 50%", 33, "255,153,255"],
	["60% 67%", 33, "146,210,255"],
	["40% 67%", 33, "229,171,255"],
	["30% 50%", 33, "172,255,255"],
	["40% 33%", 33, "255,202,189"],
	["60% 33%", 33, "255,209,110"],
]
	.map(
		([place, reach, colour]) =>
			`radial-gradient(${reach}% ${reach}% at ${place},rgba(${colour},.92),rgba(${colour},0))`,
	)
	.join(",");

const face =
	"font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif";
const heading = `${face};font-weight:800;letter-spacing:-0.025em;color:${day.ink}`;
const reading = `${face};font-size:17px;line-height:27px;color:${day.ink}`;
const small = `${face};font-size:14px;line-height:22px;color:${day.soft}`;

type Piece = LetterWords["body"][number];

/** The HTML part of a letter: a whole document. */
export function htmlPart({ subject, preview, title, body, reason }: LetterWords, leaveUrl: string) {
	return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="x-apple-disable-message-reformatting">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (min-width: 480px) {
.edge { padding-left: 48px !important; padding-right: 48px !important; }
.title { font-size: 30px !important; line-height: 36px !important; }
}
@media (prefers-color-scheme: dark) {
.sky { background-color: ${night.sky} !important; }
.paper { background-color: ${night.paper} !important; }
.morning { background-image: ${dusk} !important; }
.ink { color: ${night.ink} !important; }
.soft { color: ${night.soft} !important; }
.button { background-color: ${night.ink} !important; }
.button a { color: ${day.ink} !important; }
}
</style>
</head>
<body class="sky" style="margin:0;padding:0;background-color:${day.sky}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preview}</div>
<div role="article" aria-roledescription="email" aria-label="${subject}" lang="en" dir="ltr">
<table role="presentation" class="sky" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${day.sky}"><tr><td align="center" style="padding:28px 12px 40px">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;margin:0 auto">
<tr><td class="ink" align="center" style="padding:0 0 20px;${heading};font-size:22px;line-height:28px">${brand.product}</td></tr>
${sphereRow}
<tr><td class="edge paper" style="padding:24px 24px 20px;background-color:${day.paper};border-radius:0 0 28px 28px">
<h1 class="ink title" style="margin:0 0 16px;${heading};font-size:26px;line-height:30px;text-wrap:balance">${title}</h1>
${body.map(pieceAsHtml)}
</td></tr>
<tr><td class="edge soft" align="center" style="padding:28px 24px 0;${small}">
${reason}<br>
<a class="soft" href="${leaveUrl}" style="display:inline-block;padding:11px 0;color:${day.soft};text-decoration:underline">${leaveWords}</a><br>
${senderLines.map((line) => html`${line}<br>`)}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</div>
</body>
</html>
`.markup;
}

/** A row of its own: paper behind its round corners would show as a hairline. */
const sphereRow = html`<!--[if !mso]><!--><tr><td class="morning" align="center" style="padding:28px 0 20px;background-color:${day.sky};background-image:${morning};border-radius:28px 28px 0 0">
<div style="width:136px;height:136px;border-radius:50%;background-color:#e9c3ec;background-image:${sphere}"></div>
</td></tr><!--<![endif]-->`;

function pieceAsHtml(piece: Piece): Html {
	if (typeof piece === "string") return paragraph(piece);
	return "code" in piece ? codeLine(piece) : button(piece);
}

/** A web address, without the signs that end a sentence. */
const WEB_ADDRESS = /(https:\/\/[^\s<>"]*[^\s<>".,:;!?)])/;

const paragraph = (words: string) =>
	html`<p class="ink" style="margin:0 0 16px;${reading}">${words
		.split(WEB_ADDRESS)
		.map((part, n) => (n % 2 === 1 ? link(part) : html`${part}`))}</p>\n`;

const link = (url: string) =>
	html`<a class="ink" href="${url}" style="color:${day.ink};text-decoration:underline;word-break:break-all">${url}</a>`;

/** In one line on a phone of 320 px, and selected by one click where a mail program can. */
const codeLine = ({ code }: Code) =>
	html`<p class="ink" style="margin:0 0 16px;padding:4px 0;font-family:Menlo,Consolas,monospace;font-size:20px;line-height:28px;font-weight:700;white-space:nowrap;color:${day.ink};-webkit-user-select:all;user-select:all">${code}</p>\n`;

/** A button, and its address in words: for who cannot press it, or reads before they press. */
const button = ({ button, url }: Button): Html => html`
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0 24px"><tr><td class="button" align="center" bgcolor="${day.ink}" style="background-color:${day.ink};border-radius:28px;mso-padding-alt:15px 32px">
<a href="${url}" style="display:inline-block;padding:15px 32px;${face};font-size:17px;line-height:24px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:28px">${button}</a>
</td></tr></table>
<p class="soft" style="margin:0 0 24px;${small}">${copyWords}<br>
<a class="soft" href="${url}" style="color:${day.soft};text-decoration:underline;word-break:break-all">${url}</a></p>
`;

/** Characters in a line of the plain part. RFC 5322, 2.1.1 asks for at most 78. */
const LINE = 76;

/** The plain part of a letter. Each address has a line of its own, which is as long as it is. */
export function textPart({ title, body, reason }: LetterWords, leaveUrl: string): string {
	const heading = filled(title);
	const pieces = [
		brand.product,
		`${heading}\n${"=".repeat(Math.max(...heading.split("\n").map(({ length }) => length)))}`,
		...body.map(pieceAsText),
		"-".repeat(LINE),
		filled(reason),
		`${filled(`${leaveWords}:`)}\n${leaveUrl}`,
		senderLines.map(filled).join("\n"),
	];
	return `${pieces.join("\n\n")}\n`;
}

function pieceAsText(piece: Piece): string {
	if (typeof piece === "string") return filled(piece);
	return "code" in piece ? piece.code : `${filled(`${piece.button}:`)}\n${piece.url}`;
}

/** Words in as few lines as they take. A word that is longer than a line gets one of its own. */
function filled(words: string): string {
	const lines: string[] = [];
	for (const word of words.split(/\s+/)) {
		const longer = `${lines.at(-1) ?? ""} ${word}`;
		if (lines.length > 0 && [...longer].length <= LINE) lines[lines.length - 1] = longer;
		else lines.push(word);
	}
	return lines.join("\n");
}
