import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { checkEmail } from "#shared/email.ts";
import { HONEYPOT_FIELD, JOIN_PATH, REF_FIELD } from "#shared/join.ts";
import { words } from "#words";
import { ShowAFriend } from "../moon/show-a-friend.tsx";
import { isMoving, scene, swellSphere } from "../stage/scene.ts";
import { supportsLateStyles } from "../styles/late-styles.ts";
import { EmailField } from "./email-field.tsx";
import { type JoinResult, join } from "./join.ts";
import { useKeepTypedText } from "./keep-typed-text.ts";
import { Launch, type LaunchLayout, measureLaunchLayout, startCelebration } from "./launch.tsx";
import { Sentences, splitSentences } from "./sentences.tsx";

export type FormState = { status: "idle" } | { status: "joining" } | JoinResult;

/** Emoji with their modifiers. */
const PICTURES = /(\p{Extended_Pictographic}\S*)/u;

const idle: FormState = { status: "idle" };

const SHAKE = { translate: ["0", "4px", "-4px", "4px", "-4px", "0"] };

interface WaitlistProps {
	/** The result in the response to a form sent without script. */
	initial?: FormState;
	email?: string;
	/** The page's `ref` parameter. The URL of the response to a form lacks it. */
	cameFrom?: string;
	onDone?: () => void;
}

export function Waitlist({ initial = idle, email = "", cameFrom, onDone }: WaitlistProps) {
	const [state, setState] = useState<FormState>(initial);
	const [refusals, setRefusals] = useState(0);
	// True once the focus has left the form: a result must not steal the focus.
	const [isAway, setIsAway] = useState(false);
	const [pad, setPad] = useState<LaunchLayout>();
	const input = useRef<HTMLInputElement>(null);
	const honeypot = useRef<HTMLInputElement>(null);
	const button = useRef<HTMLInputElement>(null);
	const mistake = useRef<HTMLParagraphElement>(null);
	const message = useRef<HTMLParagraphElement>(null);
	const place = useRef<HTMLDivElement>(null);
	const isJoining = useRef(false);
	useKeepTypedText(input, "email");

	useLayoutEffect(() => {
		if (state === initial || isAway) return;
		if (state.status === "refused") {
			input.current?.focus();
			if (isMoving(scene.getState())) input.current?.form?.animate?.(SHAKE, 280);
			// A phone's keyboard or a high zoom may leave the error off screen.
			mistake.current?.scrollIntoView({ block: "nearest" });
		}
		if (state.status === "registered" || state.status === "duplicate") message.current?.focus();
	}, [state, initial, isAway]);

	function refuse(refusal: JoinResult) {
		setRefusals((refusals) => refusals + 1);
		setState(refusal);
	}

	/** Called again after the response, because a phone's keyboard may have moved the form. */
	function prepareLaunch(email: string): boolean {
		const form = input.current?.form;
		const launches = form && supportsLateStyles && isMoving(scene.getState());
		setPad(launches ? measureLaunchLayout(form, email) : undefined);
		return Boolean(launches);
	}

	async function submit(event: FormEvent) {
		event.preventDefault();
		if (isJoining.current) return;
		const checked = checkEmail(input.current?.value ?? "");
		setIsAway(false);
		if ("error" in checked) return refuse({ status: "refused", error: checked.error });
		isJoining.current = true;
		// A long address shows its start, as in the launch.
		input.current!.scrollLeft = 0;
		// Keeps the button's width although its new label is shorter.
		const { width } = button.current?.getBoundingClientRect() ?? {};
		if (width) button.current!.style.minWidth = `${width}px`;
		prepareLaunch(checked.email);
		setState({ status: "joining" });
		const result = await join(checked.email, honeypot.current?.value ?? "");
		isJoining.current = false;
		const { activeElement } = document;
		setIsAway(activeElement !== document.body && !place.current?.contains(activeElement));
		if (result.status === "refused") return refuse(result);
		if (result.status === "duplicate") swellSphere();
		else {
			remember(checked.email);
			if (!prepareLaunch(checked.email)) startCelebration({ isFlying: false });
		}
		setState(result);
		onDone?.();
	}

	const joining = state.status === "joining";
	const error = state.status === "refused" ? state.error : undefined;
	const isRegistered = state.status === "registered";
	const isDone = isRegistered || state.status === "duplicate";
	return (
		<div className="waitlist" ref={place}>
			<div data-quiet>
				{/* Outside, so its layers stay painted when the message replaces the form. */}
				{pad && (joining || isRegistered) && <Launch {...pad} hasJoined={isRegistered} />}
				{isDone ? (
					<>
						<p className="outcome" tabIndex={-1} ref={message}>
							{messageOf(state).map((sentence) => (
								<span key={sentence}>
									{sentence
										.split(PICTURES)
										.map((part, i) => (i % 2 ? <span key={part}>{part}</span> : part))}
								</span>
							))}
						</p>
						{isRegistered && <ShowAFriend />}
					</>
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
								// After a refusal without script, the visitor can correct the address at once.
								{...(initial.status === "refused" && { autoFocus: true })}
								// Not disabled, because `disabled` would move the focus to the body.
								readOnly={joining}
								aria-required
								aria-invalid={error !== undefined}
								aria-describedby="email-error"
								onInput={() => error !== undefined && setState(idle)}
							/>
							{cameFrom && <input type="hidden" name={REF_FIELD} value={cameFrom} />}
							{/* Hidden by position, because bots skip fields with `display: none`. */}
							<div className="visually-hidden" aria-hidden="true">
								<label htmlFor={HONEYPOT_FIELD}>{words.form.honeypot}</label>
								<input
									ref={honeypot}
									id={HONEYPOT_FIELD}
									type="text"
									name={HONEYPOT_FIELD}
									tabIndex={-1}
									autoComplete="off"
								/>
							</div>
							{/* An `<input>`, because text browsers show no `<button>`. */}
							<input
								ref={button}
								className="join"
								type="submit"
								aria-disabled={joining}
								value={joining ? words.form.joining : words.form.button}
							/>
							<p className="error" id="email-error" role="alert" ref={mistake}>
								{/* A new key each time, so repeated messages are announced again. */}
								{error && <span key={refusals}>{error}</span>}
							</p>
							{words.form.note && error === undefined && (
								<p className="note">
									<Sentences of={words.form.note} />
								</p>
							)}
						</form>
					</>
				)}
				{/* In the page from the start: screen readers announce only changes of an existing status. */}
				<p className="visually-hidden" role="status">
					{joining ? words.form.joining : isAway && messageOf(state).join("")}
				</p>
			</div>
		</div>
	);
}

function messageOf(state: FormState): readonly string[] {
	if (state.status === "duplicate") return splitSentences(words.messages.duplicate);
	if (state.status !== "registered") return [];
	const thanks = splitSentences(words.messages.joined);
	return state.confirm ? [...thanks, state.confirm] : thanks;
}

function remember(email: string): void {
	try {
		localStorage.setItem("waitlistEmail", email);
	} catch {
		// Storage may be denied or full. The visitor is still on the list.
	}
}
