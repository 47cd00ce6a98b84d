import { buttonAsText, SHOWN_WORDS_FILE, type ShownWords } from "#shared/shown-words.ts";
import { linkPages, words } from "#words";
import { legalAsText } from "../legal/legal-text.ts";
import { localLaw } from "../legal/local-law.ts";
import { headlineSentence } from "../pages/headline.tsx";

async function shownWords(): Promise<ShownWords> {
	const { privacyPolicyFor } = await import("../legal/privacy.tsx");
	const { termsOfServiceFor } = await import("../legal/terms.tsx");
	const { prompt, label, button, note } = words.form;
	const { heading, words: meaning, button: confirmButton } = linkPages.confirm;
	const lines = [headlineSentence, prompt, `${label}:`, buttonAsText(button), note];
	return {
		form: lines.filter((line) => line !== "").join("\n"),
		terms: legalAsText(termsOfServiceFor(localLaw)),
		privacy: legalAsText(privacyPolicyFor(localLaw)),
		confirm: [heading, meaning, buttonAsText(confirmButton)].join("\n"),
	};
}

export async function renderShownWordsFile() {
	return { file: SHOWN_WORDS_FILE, content: JSON.stringify(await shownWords(), null, "\t") };
}
