import { Window } from "happy-dom";
import { expect } from "vitest";
import { sharedSite } from "../../shared.ts";

/** The built product's server, with parsers for its responses. */
export async function openSite() {
	const { url } = await sharedSite();
	const ask = (path: string) => fetch(new URL(path, url));
	return {
		ask,
		text: async (path: string) => (await ask(path)).text(),
		head: async (path: string) => readHead(await (await ask(path)).text()),
		image: async (path: string) => {
			const answer = await ask(path);
			return readImage(Buffer.from(await answer.arrayBuffer()));
		},
	};
}

function readHead(html: string) {
	const { document } = new Window({ settings: { disableJavaScriptEvaluation: true } });
	document.documentElement.innerHTML = /<html[^>]*>(.*)<\/html>/s.exec(html)![1]!;
	const { head } = document;
	const one = (selector: string, attribute: string) => {
		const found = [...head.querySelectorAll(selector)];
		expect(found.length, selector).toBeLessThanOrEqual(1);
		return found[0]?.getAttribute(attribute) ?? undefined;
	};
	return {
		title: head.querySelector("title")?.textContent,
		meta: (name: string) => one(`meta[name="${name}"]`, "content"),
		og: (name: string) => one(`meta[property="og:${name}"]`, "content"),
		canonical: one('link[rel="canonical"]', "href"),
		links: (rel: string) =>
			[...head.querySelectorAll(`link[rel="${rel}"]`)].map((link) => ({
				href: link.getAttribute("href") ?? "",
				sizes: link.getAttribute("sizes") ?? undefined,
			})),
		data: [...head.querySelectorAll('script[type="application/ld+json"]')].map(
			(script) => JSON.parse(script.textContent) as Record<string, unknown>,
		),
	};
}

interface ImageFile {
	width: number;
	height: number;
	bytes: number;
}

/** Parses the header of a PNG, a JPEG or a Windows icon that contains a PNG. */
function readImage(file: Buffer): ImageFile {
	const bytes = file.length;
	if (file.readUInt32BE(0) === 0x89504e47) {
		return { bytes, width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
	}
	if (file.readUInt32BE(0) === 0x00000100) {
		const { width, height } = readImage(file.subarray(file.readUInt32LE(18)));
		// Some programs read the size in the icon's directory, others that of the image: both must agree.
		if (file[6] !== width || file[7] !== height) {
			throw new Error(
				`The icon is ${file[6]} px wide and ${file[7]} px high, its image ${width} x ${height} px`,
			);
		}
		return { bytes, width, height };
	}
	if (file.readUInt16BE(0) !== 0xffd8) {
		throw new Error("The file is neither PNG nor JPEG nor a Windows icon");
	}
	for (let at = 2; at < bytes; at += 2 + file.readUInt16BE(at + 2)) {
		const marker = file.readUInt16BE(at);
		// Start of frame: precision, then height, then width.
		if (marker >= 0xffc0 && marker <= 0xffc2) {
			return { bytes, width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
		}
	}
	throw new Error("The JPEG has no frame");
}
