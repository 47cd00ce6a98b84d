import { type RefObject, useLayoutEffect, useState } from "react";

/**
 * Keeps text typed before React hydrated. React replaces the field if a translator or an extension
 * has changed the HTML.
 */
export function useKeepTypedText(field: RefObject<HTMLInputElement | null>, id: string): void {
	// Looked up during render, while the static page's field is still in the document.
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
