/** Set in session storage from the reload until the newer page runs: one reload, not a loop. */
const mark = "renewed";

/**
 * Handles a page whose code cannot be fetched, most likely because a deploy replaced the build.
 * Reloads once, at a moment that costs the visitor nothing. Until then, and if a reload would not
 * help (the visitor is offline, the server has the same page), the page stays readable and its form
 * works without script.
 * @param missing URL of the file that could not be fetched
 */
export async function reloadAfterDeploy(missing: string): Promise<void> {
	if (sessionStorage.getItem(mark)) return;
	const answer = await fetch(location.href, { cache: "no-cache" });
	if (!answer.ok || (await answer.text()).includes(missing)) return;
	const reload = () => {
		if (holdsText()) return;
		sessionStorage.setItem(mark, missing);
		location.reload();
	};
	// A visitor who has touched the page may be about to type or leave: wait until they look away.
	if (navigator.userActivation?.hasBeenActive === false) reload();
	else addEventListener("visibilitychange", () => document.hidden && reload());
}

/** The page runs: a later deploy may reload it again. */
export function allowNextReload(): void {
	sessionStorage.removeItem(mark);
}

/** Whether the visitor, or their browser's autofill, has typed something. */
function holdsText(): boolean {
	return [...document.querySelectorAll("input")].some(
		(input) => input.value !== input.defaultValue,
	);
}
