/** In the tab's storage while a renewed page has not started yet: it is renewed once, not for ever. */
const mark = "renewed";

/**
 * For a page whose code cannot be fetched. Most likely a newer build has taken the server over, and
 * the newer page would work: it is loaded once, and at a moment that costs the visitor nothing.
 * Until then, and wherever a reload would not help (she is offline, the server has no other page),
 * the page stays readable and its form is sent the plain way.
 * @param missing address of the file that the page asked for
 */
export async function renewPage(missing: string): Promise<void> {
	if (sessionStorage.getItem(mark)) return;
	const answer = await fetch(location.href, { cache: "no-cache" });
	if (!answer.ok || (await answer.text()).includes(missing)) return;
	const renew = () => {
		if (holdsText()) return;
		sessionStorage.setItem(mark, missing);
		location.reload();
	};
	// Whoever has touched the page may be about to type, or on her way to another one.
	if (navigator.userActivation?.hasBeenActive === false) renew();
	else addEventListener("visibilitychange", () => document.hidden && renew());
}

/** The page runs: should a later one find its code gone, it may be renewed again. */
export function keepPage(): void {
	sessionStorage.removeItem(mark);
}

/** Whether the visitor, or her browser on her behalf, has filled something in. */
function holdsText(): boolean {
	return [...document.querySelectorAll("input")].some(
		(input) => input.value !== input.defaultValue,
	);
}
