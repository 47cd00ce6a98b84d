import { vi } from "vitest";

/**
 * Imports modules with one of them replaced. Test files of a worker share their modules, so this
 * leaves neither the replacement nor what imported it.
 */
export async function importWith<Loaded>(
	path: string,
	replacement: object,
	load: () => Promise<Loaded>,
): Promise<Loaded> {
	vi.resetModules();
	vi.doMock(path, () => replacement);
	try {
		return await load();
	} finally {
		vi.doUnmock(path);
		vi.resetModules();
	}
}
