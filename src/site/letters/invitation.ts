/**
 * The script of the page /invitation, built as one file without imports. It shows the code that the
 * letter's link ends in, and takes it along to where people sign up: as a fragment, `#code=…`, so that
 * no server's log has it. Without script the page tells people to copy the code from their letter.
 */
import { readCode } from "#shared/invitation.ts";

const part = <Part extends HTMLElement>(name: string) =>
	document.querySelector<Part>(`[data-part="${name}"]`);
const code = part("code")!;
const copy = part("copy")!;

/** How long the page says what became of copying. */
const SAID_MS = 5000;
let said: ReturnType<typeof setTimeout>;

/** Says what became of copying. The button keeps its name: what changes is read out once. */
function say(words = ""): void {
	clearTimeout(said);
	part("status")!.textContent = words;
	if (words) said = setTimeout(say, SAID_MS);
}

function show(): void {
	// Mail programs take a period or a bracket after a link along.
	const [linked = ""] = /[\w-]+/.exec(location.hash) ?? [];
	const read = readCode(linked);
	for (const name of ["with-code", "without-code"]) {
		part(name)!.hidden = (read === undefined) === (name === "with-code");
	}
	code.textContent = read ?? "";
	say();
	const signUp = part<HTMLAnchorElement>("sign-up");
	if (signUp) signUp.hash = read ? `code=${read}` : "";
}

copy.addEventListener("click", async () => {
	// Where a browser refuses, the code is marked at least.
	getSelection()?.selectAllChildren(code);
	try {
		await navigator.clipboard.writeText(code.textContent ?? "");
		say(copy.dataset.copied);
	} catch {
		say(copy.dataset.marked);
	}
});

// Somebody follows the link of another letter in this tab.
addEventListener("hashchange", show);
show();
