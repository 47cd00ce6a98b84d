import { sphere } from "#brand";

/**
 * The sphere, its orbit and what goes around there: the mark beside the name, and the icon. As vectors
 * its circles are round at any size. A page has one: the id of its gradient is free.
 */
export function Mark() {
	const [first, second, third] = sphere.mark;
	return (
		<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true">
			<linearGradient id="mark" x1=".1" y1=".1" x2=".9" y2=".9">
				<stop offset="0" stopColor={first} />
				<stop offset=".45" stopColor={second} />
				<stop offset="1" stopColor={third} />
			</linearGradient>
			<circle cx="16" cy="16" r="9" fill="url(#mark)" />
			{/* A circle of radius 14, open where the small one is, at 45 degrees. */}
			<path
				d="M28.86 10.48A14 14 0 1 1 21.52 3.14"
				fill="none"
				stroke={second}
				strokeWidth="1.8"
				strokeLinecap="round"
			/>
			<circle cx="25.9" cy="6.1" r="3" fill={first} />
		</svg>
	);
}
