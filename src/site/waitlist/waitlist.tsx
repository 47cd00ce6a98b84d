import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { checkEmail } from "#shared/email.ts";
import {
	DUPLICATE_MESSAGE,
	REGISTER_PATH,
	REGISTERED_MESSAGE,
	SOURCE,
	TRAP_FIELD,
} from "#shared/waitlist.ts";
import { salute } from "../stage/scene.ts";
import { join, type Outcome } from "./join.ts";
import { useTypedBefore } from "./keep-typed-text.ts";

/** Where the form stands (SPEC section 4). */
export type FormState = { status: "idle" } | { status: "submitting" } | Outcome;

const idle: FormState = { status: "idle" };

interface WaitlistProps {
	/** What the server's answer to a form without script starts from. */
	initial?: FormState;
	/** The address to start with, for the same case. */
	email?: string;
}

/** The prompt and the form, or the message that takes their place. */
export function Waitlist({ initial = idle, email = "" }: WaitlistProps) {
	const [state, setState] = useState<FormState>(initial);
	const input = useRef<HTMLInputElement>(null);
	const trap = useRef<HTMLInputElement>(null);
	const mistake = useRef<HTMLParagraphElement>(null);
	const message = useRef<HTMLParagraphElement>(null);
	const place = useRef<HTMLDivElement>(null);
	const joining = useRef(false);
	useTypedBefore(input, "email");

	// Disabling the input while joining drops the focus to the body: give it back where it helps. A
	// visitor who has gone on to something else meanwhile stays there; the message is announced.
	useLayoutEffect(() => {
		if (state === initial) return;
		const { activeElement } = document;
		if (activeElement !== document.body && !place.current?.contains(activeElement)) return;
		if (state.status === "refused") {
			input.current?.focus();
			// A phone's keyboard or a great zoom leaves little of the page to be seen.
			mistake.current?.scrollIntoView({ block: "nearest" });
		}
		if (state.status === "registered" || state.status === "duplicate") message.current?.focus();
	}, [state, initial]);

	async function submit(event: FormEvent) {
		event.preventDefault();
		if (joining.current) return;
		const checked = checkEmail(input.current?.value ?? "");
		if ("error" in checked) return setState({ status: "refused", error: checked.error });
		joining.current = true;
		setState({ status: "submitting" });
		const outcome = await join(checked.email, trap.current?.value ?? "");
		joining.current = false;
		if (outcome.status === "registered") {
			remember(checked.email);
			salute();
		}
		setState(outcome);
	}

	const submitting = state.status === "submitting";
	const error = state.status === "refused" ? state.error : undefined;
	const isDone = state.status === "registered" || state.status === "duplicate";
	return (
		<div className="waitlist" data-quiet ref={place}>
			{!isDone && (
				<>
					<p className="prompt lit">Join the waitlist now</p>
					<form
						className="form"
						action={REGISTER_PATH}
						method="post"
						noValidate
						aria-busy={submitting}
						onSubmit={(event) => void submit(event)}
					>
						<label className="visually-hidden" htmlFor="email">
							Email address
						</label>
						<input
							ref={input}
							id="email"
							className="email"
							type="email"
							name="email"
							autoComplete="email"
							inputMode="email"
							autoCapitalize="off"
							spellCheck={false}
							enterKeyHint="go"
							placeholder="you@example.com"
							{...(email && { defaultValue: email })}
							disabled={submitting}
							aria-invalid={error !== undefined}
							aria-describedby="email-error"
							onInput={() => error !== undefined && setState(idle)}
						/>
						<input type="hidden" name="source" value={SOURCE} />
						{/* Out of sight rather than undisplayed: programs skip what is not displayed. */}
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
						<button className="join" type="submit" disabled={submitting}>
							{submitting ? "Joining..." : "Join waitlist"}
						</button>
						<p className="error" id="email-error" role="alert" ref={mistake}>
							{error}
						</p>
					</form>
				</>
			)}
			{/* There from the start: screen readers announce what comes into a status that they know. */}
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

/** What a screen reader is told of the form, and what is seen in its place in the end. */
function statusOf({ status }: FormState): string | undefined {
	switch (status) {
		case "submitting":
			return "Joining...";
		case "registered":
			return REGISTERED_MESSAGE;
		case "duplicate":
			return DUPLICATE_MESSAGE;
		case "idle":
		case "refused":
			return undefined;
	}
}

/** Keeps the address in the browser after joining (SPEC section 3). */
function remember(email: string): void {
	try {
		localStorage.setItem("waitlistEmail", email);
	} catch {
		// Storage may be refused or full; the visitor is on the list all the same.
	}
}
