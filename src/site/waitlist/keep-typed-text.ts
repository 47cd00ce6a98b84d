import { type RefObject, useLayoutEffect, useState } from "react";

/**
 * Keeps what the visitor typed before React came (promise 9). React usually takes the field over. It
 * replaces the field where the HTML was changed meanwhile: by a translator, or by an extension that
 * puts its button beside e-mail fields.
 */
export function useKeepTypedText(field: RefObject<HTMLInputElement | null>, id: string): void {
	// Looked up while rendering: the field of the static page is still in the document.
	const [before] = useState(() => findField(id));
	const [hadFocus] = useState(() => before !== undefined && before === document.activeElement);

	useLayoutEffect(() => {
		if (!before || !field.current || before === field.current) return;
		field.current.value = before.value;
		if (hadFocus) field.current.focus();
	}, [before, hadFocus, field]);
}

function findField(id: string): HTMLInputElement | undefined {
	if (typeof document === "undefined") return undefined;
	return document.querySelector<HTMLInputElement>(`input#${id}`) ?? undefined;
}
