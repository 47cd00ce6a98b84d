import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { words } from "#brand";
import { checkEmail } from "#shared/email.ts";
import {
	DUPLICATE_MESSAGE,
	JOIN_PATH,
	JOINED_MESSAGE,
	REF_FIELD,
	TRAP_FIELD,
} from "#shared/join.ts";
import { withViewTransition } from "../client/view-transition.ts";
import { salute } from "../stage/scene.ts";
import { EmailField } from "./email-field.tsx";
import { type JoinResult, join } from "./join.ts";
import { useKeepTypedText } from "./keep-typed-text.ts";

/** The states of the form (promises 14 to 18). */
export type FormState = { status: "idle" } | { status: "joining" } | JoinResult;

const idle: FormState = { status: "idle" };

interface WaitlistProps {
	/** The state to start in. The page that answers a form without script starts with a result. */
	initial?: FormState;
	/** The address to start with, for the same page. */
	email?: string;
	/** Where the visitor came from, for the same page: its address no longer says so. */
	cameFrom?: string;
}

/** The prompt and the form, or the message that takes their place. */
export function Waitlist({ initial = idle, email = "", cameFrom }: WaitlistProps) {
	const [state, setState] = useState<FormState>(initial);
	const input = useRef<HTMLInputElement>(null);
	const trap = useRef<HTMLInputElement>(null);
	const mistake = useRef<HTMLParagraphElement>(null);
	const message = useRef<HTMLParagraphElement>(null);
	const place = useRef<HTMLDivElement>(null);
	const isJoining = useRef(false);
	useKeepTypedText(input, "email");

	// Disabling the input while joining drops the focus to the body: give it back where it helps. Leave
	// it alone where the visitor has moved it elsewhere meanwhile: the message is announced anyway.
	useLayoutEffect(() => {
		if (state === initial) return;
		const { activeElement } = document;
		if (activeElement !== document.body && !place.current?.contains(activeElement)) return;
		if (state.status === "refused") {
			input.current?.focus();
			// A phone's keyboard, or a high zoom, leaves little of the page visible.
			mistake.current?.scrollIntoView({ block: "nearest" });
		}
		if (state.status === "registered" || state.status === "duplicate") message.current?.focus();
	}, [state, initial]);

	async function submit(event: FormEvent) {
		event.preventDefault();
		if (isJoining.current) return;
		const checked = checkEmail(input.current?.value ?? "");
		if ("error" in checked) return setState({ status: "refused", error: checked.error });
		isJoining.current = true;
		setState({ status: "joining" });
		const result = await join(checked.email, trap.current?.value ?? "");
		isJoining.current = false;
		if (result.status === "registered") {
			remember(checked.email);
			salute();
		}
		// The form stays where it is and becomes the message.
		if (result.status === "refused") setState(result);
		else withViewTransition("form", () => setState(result));
	}

	const joining = state.status === "joining";
	const error = state.status === "refused" ? state.error : undefined;
	const isDone = state.status === "registered" || state.status === "duplicate";
	return (
		<div className="waitlist" data-quiet ref={place}>
			{isDone ? (
				// Nobody reads it any more. It keeps the place of its words, so that nothing moves up.
				<p className="prompt" data-words={words.form.prompt} aria-hidden="true" />
			) : (
				<>
					<p className="prompt">{words.form.prompt}</p>
					<form
						className="form"
						action={JOIN_PATH}
						method="post"
						noValidate
						aria-busy={joining}
						onSubmit={(event) => void submit(event)}
					>
						<EmailField
							ref={input}
							enterKeyHint="go"
							{...(email && { defaultValue: email })}
							disabled={joining}
							aria-required
							aria-invalid={error !== undefined}
							aria-describedby="email-error"
							onInput={() => error !== undefined && setState(idle)}
						/>
						{cameFrom && <input type="hidden" name={REF_FIELD} value={cameFrom} />}
						{/* Hidden by position, not by display: programs skip fields with display none. */}
						<div className="visually-hidden" aria-hidden="true">
							<label htmlFor={TRAP_FIELD}>Leave this field empty</label>
							<input
								ref={trap}
								id={TRAP_FIELD}
								type="text"
								name={TRAP_FIELD}
								tabIndex={-1}
								autoComplete="off"
							/>
						</div>
						<button
							className="join"
							type="submit"
							disabled={joining}
							data-other={joining ? words.form.button : words.form.joining}
						>
							{joining ? words.form.joining : words.form.button}
						</button>
						<p className="error" id="email-error" role="alert" ref={mistake}>
							{error}
						</p>
						{words.form.note && error === undefined && <p className="note">{words.form.note}</p>}
					</form>
				</>
			)}
			{/* In the page from the start: screen readers announce changes of a status that they know. */}
			<p
				className={isDone ? "outcome" : "visually-hidden"}
				role="status"
				tabIndex={-1}
				ref={message}
			>
				{statusOf(state)}
			</p>
		</div>
	);
}

/** What a screen reader hears of the form. A result is visible as well, in place of the form. */
function statusOf({ status }: FormState): string | undefined {
	switch (status) {
		case "joining":
			return words.form.joining;
		case "registered":
			return JOINED_MESSAGE;
		case "duplicate":
			return DUPLICATE_MESSAGE;
		case "idle":
		case "refused":
			return undefined;
	}
}

/** Keeps the address in the browser after a join (promise 35). */
function remember(email: string): void {
	try {
		localStorage.setItem("waitlistEmail", email);
	} catch {
		// Storage may be refused or full. The visitor is on the list all the same.
	}
}
