import { sphere } from "#brand";

/** The icon of browsers that take SVG: the mark beside the name, as in the style sheet. */
export function favicon(): string {
	const [first, second, third] = sphere.mark;
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" role="presentation">
	<defs>
		<linearGradient id="a" x1=".1" y1=".1" x2=".9" y2=".9">
			<stop offset="0" stop-color="${first}"/><stop offset=".45" stop-color="${second}"/><stop offset="1" stop-color="${third}"/>
		</linearGradient>
	</defs>
	<circle cx="16" cy="16" r="14" fill="url(#a)"/>
</svg>
`;
}
