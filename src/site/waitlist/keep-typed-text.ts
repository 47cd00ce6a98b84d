import { type RefObject, useLayoutEffect, useState } from "react";

/**
 * Keeps what was typed before React came, where React does not take the field over but puts a new one
 * in its place. It does so with all of a page that somebody else has changed meanwhile: a translator,
 * or an extension that puts its sign beside fields for an e-mail address.
 */
export function useTypedBefore(field: RefObject<HTMLInputElement | null>, id: string): void {
	// Found while rendering, when the field of the static page still stands.
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
