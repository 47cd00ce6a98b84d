/** In the tab's session storage from a reload until the newer page runs: one reload, not a loop. */
const mark = "renewed";

/**
 * For a page whose code cannot be fetched. Most likely a deploy has replaced the build, and the newer
 * page would work: it is loaded once, at a moment that costs the visitor nothing (promise 10). Until
 * then, and where a reload would not help (the visitor is offline, the server has no other page), the
 * page stays readable and its form is sent without script.
 * @param missing address of the file that could not be fetched
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
	// A visitor who has touched the page may be about to type, or to leave: wait until they look away.
	if (navigator.userActivation?.hasBeenActive === false) reload();
	else addEventListener("visibilitychange", () => document.hidden && reload());
}

/** The page runs: a later deploy may reload it again. */
export function allowNextReload(): void {
	sessionStorage.removeItem(mark);
}

/** Whether the visitor, or their browser for them, has filled something in. */
function holdsText(): boolean {
	return [...document.querySelectorAll("input")].some(
		(input) => input.value !== input.defaultValue,
	);
}
