import type { ComponentProps } from "react";
import { words } from "#words";

/** At most one per page, because of its `id`. */
export function EmailField(props: ComponentProps<"input">) {
	return (
		<>
			<label className="visually-hidden" htmlFor="email">
				{words.form.label}
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
				placeholder={words.form.placeholder}
				{...props}
			/>
		</>
	);
}
