/** Session storage key, set from the reload until the new page runs, to prevent a reload loop. */
const mark = "renewed";

/**
 * Reloads once when code cannot be fetched, most likely because a deploy replaced the build. If the
 * visitor may be using the page, waits until the tab is hidden: text and form work without script.
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
	if (navigator.userActivation?.hasBeenActive === false) reload();
	else addEventListener("visibilitychange", () => document.hidden && reload());
}

export function allowNextReload(): void {
	sessionStorage.removeItem(mark);
}

/** Whether a field has text from the visitor or from autofill. */
function holdsText(): boolean {
	return [...document.querySelectorAll("input")].some(
		(input) => input.value !== input.defaultValue,
	);
}
