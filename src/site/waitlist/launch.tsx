import type { CSSProperties } from "react";
import { words } from "#words";

/**
 * Measurements at the start of a launch, as custom properties: positions of form and button, and
 * the shape of the sparks.
 */
export interface Pad {
	email: string;
	places: CSSProperties;
}

/**
 * Height of the hit above the sphere's center in diameters, if the headline is next to the form.
 */
const HIGH = 0.15;

/** Otherwise, distance in CSS px of the hit below the headline, in the gap between words. */
const BELOW = 42;

export function measureLaunchPad(form: HTMLFormElement, email: string): Pad {
	const pill = form.getBoundingClientRect();
	const button = form.querySelector(".join")!.getBoundingClientRect();
	const sphere = (document.querySelector(".stage > .sphere") ?? form).getBoundingClientRect();
	const middleX = sphere.x + sphere.width / 2;
	const middleY = sphere.y + sphere.height / 2;
	const headline = document.querySelector(".headline")?.getBoundingClientRect();
	const isBelow = headline && headline.bottom < pill.y && headline.right > middleX;
	const hitY = isBelow ? headline.bottom + BELOW : middleY - HIGH * sphere.height;
	const x = middleX - (pill.x + pill.width / 2);
	const y = hitY - (pill.y + pill.height / 2);
	const places = {
		left: pill.x,
		top: pill.y,
		width: pill.width,
		height: pill.height,
		"--inset-top": `${button.y - pill.y}px`,
		"--inset-right": `${pill.right - button.right}px`,
		"--inset-bottom": `${pill.bottom - button.bottom}px`,
		"--inset-left": `${button.x - pill.x}px`,
		"--way-x": `${x}px`,
		"--way-y": `${y}px`,
		"--sphere-x": `${middleX}px`,
		"--sphere-y": `${middleY}px`,
		"--diameter": `${sphere.width}px`,
		"--hit-y": `${hitY}px`,
		"--heading": `${Math.atan2(x, -y)}rad`,
		"--sparks": sparks(),
		"--star": star(),
	};
	return { email, places };
}

/**
 * Sparks off the sphere's rim, as one polygon in its box: from the center to each spark and back.
 * Angles follow the golden angle, which spreads any number evenly; positions and lengths follow R2
 * (Roberts 2018), so neighbors differ.
 */
function sparks(): string {
	const corners = Array.from({ length: 48 }, (_, spark) => {
		const angle = spark * 2.39996;
		// Draws no sparks over the footer's words.
		if (Math.sin(angle) > 0.88) return "50% 50%";
		const near = 0.7 + 0.1 * ((spark * 0.75488) % 1);
		const long = 0.07 + 0.13 * ((spark * 0.56984) % 1) ** 2;
		const at = (share: number, turn: number) => {
			const away = 50 * (near + share * long);
			return `${50 + away * Math.cos(angle + turn)}% ${50 + away * Math.sin(angle + turn)}%`;
		};
		return ["50% 50%", at(0, 0), at(0.85, 0.0045), at(1, 0), at(0.85, -0.0045), at(0, 0)];
	});
	return `polygon(${corners.flat()})`;
}

/** Rays of the hit, as a star in the sphere's box: long and short ones alternate. */
function star(): string {
	const corners = Array.from({ length: 56 }, (_, corner) => {
		const long = corner % 4 ? 32 : 46;
		const away = corner % 2 ? 7 : long - 8 * ((corner * 0.38197) % 1);
		const angle = (2 * Math.PI * corner) / 56;
		return `${50 + away * Math.cos(angle)}% ${50 + away * Math.sin(angle)}%`;
	});
	return `polygon(${corners})`;
}

interface LaunchProps extends Pad {
	/** False if the email was already on the list. */
	rocket: boolean;
	onHit(): void;
}

/**
 * Decorative: the button swallows the form, shows a check mark, and rises into the sphere.
 * `launch.css` has the whole timeline: if that file is missing or cut off, only the message is
 * shown.
 */
export function Launch({ email, places, rocket, onHit }: LaunchProps) {
	return (
		<div className="launch" aria-hidden="true" data-rocket={rocket || undefined} style={places}>
			<div className="craft">
				<div className="trail" />
				<div className="capsule">
					<div className="swallowed">{email}</div>
					<div className="swallower">
						<span>{words.form.joining}</span>
					</div>
					<svg viewBox="0 0 64 64" aria-hidden="true">
						<path d="M19 33.5 28.5 43 46 23.5" pathLength="1" />
					</svg>
				</div>
			</div>
			{rocket && (
				<>
					<div
						className="ring"
						onAnimationStart={({ animationName }) => animationName === "ring" && onHit()}
					/>
					<div className="sparks" />
				</>
			)}
		</div>
	);
}
