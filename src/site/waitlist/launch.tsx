import { type CSSProperties, useLayoutEffect, useState } from "react";
import { words } from "#words";
import { grantFirstMoon } from "../moon/chosen-moon.ts";
import { absorbRocket, requestSalute } from "../stage/scene.ts";

/** The typed email, and positions of form and button as custom properties. */
export interface LaunchLayout {
	email: string;
	places: CSSProperties;
}

/** Height of the rocket's hit above the sphere's center, in diameters, if no headline is above. */
const HIT_ABOVE_CENTER = 0.15;

/** Distance from the headline down to the rocket's hit, in CSS px, if it is above the form. */
const HIT_BELOW_HEADLINE = 42;

export function measureLaunchLayout(form: HTMLFormElement, email: string): LaunchLayout {
	const pill = form.getBoundingClientRect();
	const button = form.querySelector(".join")!.getBoundingClientRect();
	const sphere = (document.querySelector(".stage > .sphere") ?? form).getBoundingClientRect();
	const middleX = sphere.x + sphere.width / 2;
	const middleY = sphere.y + sphere.height / 2;
	const headline = document.querySelector(".headline")?.getBoundingClientRect();
	const isBelow = headline && headline.bottom < pill.y && headline.right > middleX;
	const hitY = isBelow
		? headline.bottom + HIT_BELOW_HEADLINE
		: middleY - HIT_ABOVE_CENTER * sphere.height;
	const [pillX, pillY] = [pill.x + pill.width / 2, pill.y + pill.height / 2];
	const [x, y] = [middleX - pillX, hitY - pillY];
	const size = button.height;
	const places = {
		left: pill.x,
		top: pill.y,
		width: pill.width,
		height: pill.height,
		// CSS px without a unit, because launch.css divides them. `--left` and `--right` are the
		// centers of the button's round ends, from the center of the form.
		"--size": size,
		"--left": button.x + size / 2 - pillX,
		"--right": button.right - size / 2 - pillX,
		"--reach": (pill.width - size) / 2,
		"--drop": `${button.y + size / 2 - pillY}px`,
		"--way-x": `${x}px`,
		"--way-y": `${y}px`,
		"--sphere-x": `${middleX}px`,
		"--sphere-y": `${middleY}px`,
		"--diameter": `${sphere.width}px`,
		"--hit-y": `${hitY}px`,
		"--heading": `${Math.atan2(x, -y)}rad`,
	};
	return { email, places };
}

/** If the first two frames take longer, the flight would stutter and is skipped. */
const SLOWEST_MS = 400;

interface LaunchProps extends LaunchLayout {
	/** False while the request is pending, when the browser can already paint the launch's layers. */
	hasJoined: boolean;
}

/**
 * Decorative: the button swallows the form, shows a check mark, and rises into the sphere.
 * launch.css has the timeline; without it, only the message is shown.
 */
export function Launch({ email, places, hasJoined }: LaunchProps) {
	const [flight, setFlight] = useState<"go" | "over">();

	useLayoutEffect(() => {
		if (!hasJoined) return;
		const begun = performance.now();
		let frame = requestAnimationFrame(() => {
			frame = requestAnimationFrame(() => {
				const isSlow = performance.now() - begun > SLOWEST_MS;
				setFlight(isSlow ? "over" : "go");
				startCelebration({ isFlying: !isSlow });
			});
		});
		return () => cancelAnimationFrame(frame);
	}, [hasJoined]);

	return (
		<div
			className="launch"
			aria-hidden="true"
			data-phase={flight ?? (hasJoined ? "set" : "ready")}
			style={places}
		>
			<div
				className="craft"
				onAnimationEnd={({ animationName }) => animationName === "ascend" && setFlight("over")}
			>
				<div className="trail" />
				<div className="swallowed">{email}</div>
				<div className="capsule">
					<div className="bar" />
					<span>{words.form.joining}</span>
					<svg viewBox="0 0 64 64" aria-hidden="true">
						<path d="M19 33.5 28.5 43 46 23.5" />
					</svg>
				</div>
			</div>
			<div
				className="ring"
				onAnimationStart={({ animationName }) => animationName === "spread" && absorbRocket()}
			/>
		</div>
	);
}

/** Without a flight, the sphere absorbs the rocket at once. */
export function startCelebration({ isFlying }: { isFlying: boolean }): void {
	requestSalute();
	grantFirstMoon();
	if (!isFlying) absorbRocket();
}
