/**
 * Providers at whose domains everybody may have a mailbox, so that nobody owns many addresses there
 * but by tags. A provider that is missing here counts as one owner: the throttle is slower then.
 */
const PROVIDERS = new Set(
	(
		"gmail.com googlemail.com outlook.com hotmail.com live.com msn.com " +
		"hotmail.co.uk hotmail.de hotmail.es hotmail.fr hotmail.it live.co.uk live.fr live.nl outlook.de outlook.es outlook.fr " +
		"yahoo.com ymail.com yahoo.co.uk yahoo.co.in yahoo.co.jp yahoo.com.br yahoo.de yahoo.es yahoo.fr yahoo.it aol.com " +
		"icloud.com me.com mac.com proton.me protonmail.com pm.me fastmail.com zoho.com hey.com " +
		"gmx.de gmx.net gmx.at gmx.ch gmx.com web.de t-online.de freenet.de posteo.de mailbox.org " +
		"orange.fr wanadoo.fr free.fr laposte.net sfr.fr libero.it virgilio.it tiscali.it " +
		"wp.pl o2.pl onet.pl interia.pl op.pl gazeta.pl seznam.cz centrum.cz abv.bg ukr.net " +
		"mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com rambler.ru " +
		"btinternet.com sky.com comcast.net verizon.net att.net sbcglobal.net cox.net charter.net " +
		"uol.com.br bol.com.br terra.com.br qq.com 163.com 126.com sina.com naver.com hanmail.net daum.net docomo.ne.jp rediffmail.com"
	).split(" "),
);

/** Names below a country under which many people register, as in `co.uk`. */
const SHARED = new Set(["ac", "co", "com", "edu", "gov", "ne", "net", "or", "org"]);

/**
 * Names who can make an address refuse emails: at a large provider the person with the mailbox, with
 * or without tags and dots, and elsewhere the owner of the domain and all of its subdomains.
 *
 * @param key a canonical address
 */
export function ownerOf(key: string): string {
	const at = key.lastIndexOf("@");
	const domain = key.slice(at + 1);
	if (!PROVIDERS.has(domain)) return ownedDomain(domain);
	const mailbox = key.slice(0, at).replace(/[+-].*$/, "");
	return `${mailbox.replaceAll(".", "")}@${domain}`;
}

/**
 * A domain as its owner registers it, roughly: its last two labels, or three as in
 * `shop.co.uk`. The owner of a domain can have any number of subdomains.
 */
function ownedDomain(domain: string): string {
	const labels = domain.split(".");
	const isShared = labels.at(-1)?.length === 2 && SHARED.has(labels.at(-2) ?? "");
	return labels.slice(isShared ? -3 : -2).join(".");
}
