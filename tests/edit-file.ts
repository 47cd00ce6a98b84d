import type { Plugin } from "vite";

/**
 * Replaces `from` in a bundled file.
 * @throws Error while bundling unless `from` occurs exactly once
 */
export function editFile(file: string, from: string, to: string): Plugin {
	return {
		name: "edit-file",
		enforce: "pre",
		transform(code, id) {
			if (!id.endsWith(file)) return;
			if (code.split(from).length !== 2) {
				throw new Error(`${file} has "${from}" no longer exactly once: adapt the test's edit.`);
			}
			return { code: code.replace(from, () => to), map: null };
		},
	};
}
