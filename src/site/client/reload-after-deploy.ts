/** Session storage key, set from the reload until the new page runs, to prevent a reload loop. */
const mark = "renewed";

/**
 * Handles a page whose code cannot be fetched, most likely because a deploy replaced the build.
 * Reloads once, while the visitor is not using the page. Until then, and if a reload would not help
 * (the visitor is offline, the server still has the same page), the page stays readable and its
 * form works without script.
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
	// A visitor who has touched the page may be about to type: wait until the tab is hidden.
	if (navigator.userActivation?.hasBeenActive === false) reload();
	else addEventListener("visibilitychange", () => document.hidden && reload());
}

/** Called once the page runs, so that a later deploy can reload it again. */
export function allowNextReload(): void {
	sessionStorage.removeItem(mark);
}

/** Whether an input contains text from the visitor or from autofill. */
function holdsText(): boolean {
	return [...document.querySelectorAll("input")].some(
		(input) => input.value !== input.defaultValue,
	);
}
