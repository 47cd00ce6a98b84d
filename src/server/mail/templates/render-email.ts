import { brand, inks, sky, sphere } from "#brand";
import { rgb } from "#shared/rgb.ts";
import { emails } from "#words";
import { hashWording } from "../../registrations/wordings.ts";
import { type Html, html } from "../../text/html.ts";
import type { ClaimedEmail } from "../emails/email.ts";
import type { EmailLinks } from "../links/links.ts";
import type { EmailPiece, EmailWords, TextSpans } from "./email-words.ts";
import { type EmailInputs, type EmailKind, emailWordsByKind } from "./email-words.ts";

const senderLines = [brand.company, brand.postalAddress, ...brand.imprint, brand.email].filter(
	(line) => line !== "",
);

export interface RenderContext {
	links: EmailLinks;
	codeOf(invited: Pick<ClaimedEmail, "wave" | "key">): string;
}

export type EmailToRender = Pick<
	ClaimedEmail,
	"kind" | "wave" | "key" | "recipient" | "expiresAt" | "subject" | "message"
>;

export function renderForRecipient(
	{ kind, wave, key, recipient, expiresAt, ...written }: EmailToRender,
	{ links, codeOf }: RenderContext,
	now: number,
) {
	const unsubscribeUrl = links.unsubscribeUrl(recipient);
	const message = { subject: written.subject, message: written.message };
	if (kind === "confirm") {
		return renderEmail(kind, { confirmUrl: links.confirmUrl(recipient, now), unsubscribeUrl });
	}
	if (kind === "unsubscribe") return renderEmail(kind, { unsubscribeUrl });
	if (kind === "news") return renderEmail(kind, { message, unsubscribeUrl });
	const code = codeOf({ wave, key });
	const invitation = { code, link: links.invitationUrl(code), expiresAt, unsubscribeUrl };
	return renderEmail(kind, { ...invitation, ...(message.subject !== "" && { message }) });
}

export function renderEmail<Kind extends EmailKind>(
	kind: Kind,
	about: EmailInputs[Kind] & { unsubscribeUrl: string },
) {
	const words = emailWordsByKind[kind](about);
	const { unsubscribeUrl } = about;
	const impersonal = emailWordsByKind[kind]({ ...about, ...neutral });
	const said = JSON.stringify([impersonal, emails.unsubscribeLink, senderLines], (name, value) =>
		name === "url" ? undefined : value,
	);
	return {
		unsubscribeUrl,
		subject: words.subject,
		text: textPart(words, unsubscribeUrl),
		html: htmlPart(words, unsubscribeUrl),
		/** Hash of the words: it proves what the person read. */
		version: hashWording(said),
	};
}

/** Placeholders for personal values, so that everyone's email has the same version. */
const neutral = { link: "https://a.example/", code: "0", expiresAt: "1970-01-01T00:00:00.000Z" };

/*
 * Mail programs ignore many styles:
 *
 *   - Some drop the style element, so it only adapts the email to wide and dark windows.
 *   - Gmail and Outlook darken colors but not gradients: text on a gradient would become white on white.
 *   - The picture is gradients in a table cell. Outlook on Windows lacks gradients, so it gets no picture.
 *   - Outlook ignores link padding, so the button is a colored cell.
 */

const day = {
	sky: sky.morning.colors[0]!,
	light: sky.morning.lights[0]!,
	paper: inks.paper.ground,
	ink: inks.morning.ink,
	soft: inks.paper.soft,
};
const night = {
	sky: sky.night.colors[0]!,
	light: sky.night.lights[0]!,
	paper: sky.night.colors[1]!,
	ink: inks.night.ink,
	soft: inks.night.soft,
};

const clear = (color: string, alpha: number) => `rgba(${rgb(color)},${alpha})`;

const light = (reaches: string, place: string, color: string, alpha: number) =>
	`radial-gradient(${reaches} at ${place},${clear(color, alpha)},${clear(color, alpha / 3)} 50%,${clear(color, 0)})`;

const picture = ({ sky, light: glow, paper }: typeof day) =>
	`${light("100px", "50% 50%", glow, 0.75)},linear-gradient(${sky},${paper})`;
const morning = picture(day);
const dusk = picture(night);

const [rose, peach, butter, mint, blue, lilac] = sphere.silk;

const ball = [
	`radial-gradient(circle at 44% 40%,${clear(sphere.shade, 0)} 52%,${clear(sphere.shade, 0.6)} 72%)`,
	light("36% 32%", "36% 30%", sphere.sheen, 1),
	light("64% 54%", "2% 54%", rose!, 1),
	light("52% 40%", "34% 82%", peach!, 1),
	`linear-gradient(168deg,${lilac},${blue} 16%,${mint} 30%,${butter} 48%,${rose} 72%,${lilac})`,
].join(",");

const face =
	"font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif";
/** Keeps long words from making the table wider than a phone. */
const breakable = "word-break:break-word;overflow-wrap:anywhere";
const heading = `${face};font-weight:800;letter-spacing:-0.025em;color:${day.ink}`;
const reading = `${face};font-size:17px;line-height:27px;color:${day.ink}`;
const small = `${face};font-size:14px;line-height:22px;color:${day.soft}`;

/** Invisible characters, so that inboxes do not append the body to the preview. */
const nothing: Html[] = Array(100).fill(html`&#8199;&#65279;&#847; `);

function htmlPart({ subject, preview, title, body, reason }: EmailWords, unsubscribeUrl: string) {
	return html`<!doctype html>
<html lang="${brand.language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="x-apple-disable-message-reformatting" content="">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (min-width: 480px) {
.edge { padding-left: 48px !important; padding-right: 48px !important; }
.title { font-size: 30px !important; line-height: 36px !important; }
.code { padding: 14px 24px !important; font-size: 24px !important; }
.ball { width: 136px !important; height: 136px !important; }
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
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preview} ${nothing}</div>
<div role="article" aria-roledescription="email" aria-label="${subject}" lang="${brand.language}" dir="ltr">
<table role="presentation" class="sky" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${day.sky}"><tr><td align="center" style="padding:24px 12px 40px;${breakable}">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;margin:0 auto">
<tr><td align="center" style="padding:0 0 12px"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<!--[if !mso]><!--><td style="padding:0 8px 0 0"><div style="width:20px;height:20px;border-radius:50%;background-color:${sphere.shade};background-image:${ball}"></div></td><!--<![endif]-->
<td class="ink" style="${heading};font-size:22px;line-height:28px">${brand.product}</td>
</tr></table></td></tr>
${sphereRow}
<tr><td class="edge paper" style="padding:24px 24px 20px;background-color:${day.paper};border-radius:0 0 28px 28px">
<h1 class="ink title" style="margin:0 0 16px;${heading};font-size:26px;line-height:30px;text-wrap:balance">${title}</h1>
${body.map(pieceAsHtml)}
${body.filter(isButton).map(writtenOut)}
</td></tr>
<tr><td class="edge soft" align="center" style="padding:28px 24px 0;${small}">
${reason}<br>
<a class="soft" href="${unsubscribeUrl}" style="display:inline-block;padding:11px 0;color:${day.soft};text-decoration:underline">${emails.unsubscribeLink}</a><br>
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

/** Only the cell has a background: on the row it would show as a hairline behind the rounded corners. */
const sphereRow = html`<!--[if !mso]><!--><tr><td class="morning" align="center" style="padding:28px 0 24px;background-color:${day.sky};background-image:${morning};border-radius:28px 28px 0 0">
<div class="ball" style="width:104px;height:104px;border-radius:50%;background-color:${sphere.shade};background-image:${ball}"></div>
</td></tr><!--<![endif]-->`;

type Button = Extract<EmailPiece, { url: string }>;

const isButton = (piece: EmailPiece): piece is Button =>
	typeof piece === "object" && "url" in piece;

function pieceAsHtml(piece: EmailPiece): Html {
	if (typeof piece === "string") return paragraph([piece]);
	if ("paragraph" in piece) return paragraph(piece.paragraph);
	if ("list" in piece) return list(piece);
	return "code" in piece ? codeLine(piece) : button(piece);
}

const paragraph = (spans: TextSpans) =>
	html`<p class="ink" style="margin:0 0 16px;${reading}">${spansAsHtml(spans)}</p>\n`;

function list({ list, numbered }: Extract<EmailPiece, { list: unknown }>): Html {
	const items = list.map((item) => html`<li style="margin:0 0 8px">${spansAsHtml(item)}</li>\n`);
	const style = `margin:0 0 16px;padding:0 0 0 24px;${reading}`;
	return numbered
		? html`<ol class="ink" style="${style}">\n${items}</ol>\n`
		: html`<ul class="ink" style="${style}">\n${items}</ul>\n`;
}

const spansAsHtml = (spans: TextSpans): Html[] =>
	spans.map((span) => {
		if (span === "\n") return html`<br>\n`;
		if (typeof span === "string") return html`${span}`;
		if ("strong" in span) return html`<strong>${spansAsHtml(span.strong)}</strong>`;
		return html`<a class="ink" href="${span.url}" style="color:${day.ink};text-decoration:underline">${spansAsHtml(span.linked)}</a>`;
	});

/** Looks like the ticket on the invitation page. Fits on a 320 px wide phone. */
const codeLine = ({ code }: { code: string }) =>
	html`
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 20px"><tr><td class="ink code" align="center" style="padding:14px;border:2px solid ${lilac!};border-radius:32px;${face};font-size:16px;line-height:28px;font-weight:700;letter-spacing:0.06em;font-variant-numeric:tabular-nums;white-space:nowrap;color:${day.ink};-webkit-user-select:all;user-select:all">${code}</td></tr></table>
`;

const button = ({ button, url }: Button): Html => html`
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0 24px"><tr><td class="button" align="center" bgcolor="${inks.morning.button}" style="background-color:${inks.morning.button};border-radius:28px;mso-padding-alt:15px 32px">
<a href="${url}" style="display:inline-block;padding:15px 32px;${face};font-size:17px;line-height:24px;font-weight:600;color:${inks.morning.buttonInk};text-decoration:none;border-radius:28px">${button}</a>
</td></tr></table>
`;

/** Some people cannot press the button, or want to check its URL first. */
const writtenOut = ({ url }: Button): Html => html`
<p class="soft" style="margin:24px 0 0;${small};font-size:13px">${emails.copy}<br>
<a class="soft" href="${url}" style="color:${day.soft};text-decoration:underline;word-break:break-all">${url}</a></p>
`;

function textPart({ title, body, reason }: EmailWords, unsubscribeUrl: string): string {
	const pieces = [
		brand.product,
		title,
		...body.map(pieceAsText),
		"-".repeat(40),
		reason,
		`${emails.unsubscribeLink}:\n${unsubscribeUrl}`,
		senderLines.join("\n"),
	];
	return `${pieces.join("\n\n")}\n`;
}

function pieceAsText(piece: EmailPiece): string {
	if (typeof piece === "string") return piece;
	if ("paragraph" in piece) return spansAsText(piece.paragraph);
	if ("list" in piece) {
		const mark = (n: number) => (piece.numbered ? `${n + 1}. ` : "- ");
		return piece.list.map((item, n) => mark(n) + spansAsText(item)).join("\n");
	}
	return "code" in piece ? piece.code : `${piece.button}:\n${piece.url}`;
}

/** Angle brackets separate a URL from surrounding text (RFC 3986, appendix C). */
const spansAsText = (spans: TextSpans): string =>
	spans
		.map((span) => {
			if (typeof span === "string") return span;
			if ("strong" in span) return spansAsText(span.strong);
			const words = spansAsText(span.linked);
			return [span.url, span.url.replace(/^mailto:/, "")].includes(words)
				? words
				: `${words} <${span.url}>`;
		})
		.join("");
