import type { ComponentProps } from "react";

/** Where a visitor types their address, with its label. A form has one. */
export function EmailField(props: ComponentProps<"input">) {
	return (
		<>
			<label className="visually-hidden" htmlFor="email">
				Email address
			</label>
			<input
				id="email"
				className="email"
				type="email"
				name="email"
				autoComplete="email"
				inputMode="email"
				autoCapitalize="off"
				spellCheck={false}
				placeholder="you@example.com"
				{...props}
			/>
		</>
	);
}
