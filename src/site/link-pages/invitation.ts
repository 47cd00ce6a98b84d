/**
 * The script of /invitation. Passes the code from the URL fragment to the sign-up page as
 * `#code=…`, so no server logs it. Without script, people copy the code from their email.
 */
import { parseCode } from "#shared/invitation.ts";

const part = <Part extends HTMLElement>(name: string) =>
	document.querySelector<Part>(`[data-part="${name}"]`);
const code = part("code")!;
const copy = part("copy")!;

const SAID_MS = 5000;
let said: ReturnType<typeof setTimeout>;

/** Shows a status. The copy button keeps its label, so screen readers announce only the status. */
function say(words = ""): void {
	clearTimeout(said);
	part("status")!.textContent = words;
	if (words) said = setTimeout(say, SAID_MS);
}

function show(): void {
	// Mail programs include a period or bracket that follows a link.
	const [linked = ""] = /[\w-]+/.exec(location.hash) ?? [];
	const read = parseCode(linked);
	for (const name of ["with-code", "without-code"]) {
		part(name)!.hidden = (read === undefined) === (name === "with-code");
	}
	code.textContent = read ?? "";
	say();
	const signUp = part<HTMLAnchorElement>("sign-up");
	if (signUp) signUp.hash = read ? `code=${read}` : "";
}

copy.addEventListener("click", async () => {
	// Selects the code first: if clipboard access is denied, people copy it by hand.
	getSelection()?.selectAllChildren(code);
	try {
		await navigator.clipboard.writeText(code.textContent ?? "");
		say(copy.dataset.copied);
	} catch {
		say(copy.dataset.marked);
	}
});

// A link from another email may open in this tab and change only the fragment.
addEventListener("hashchange", show);
show();
