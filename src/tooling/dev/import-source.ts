import { type DevEnvironment, isRunnableDevEnvironment } from "vite";

/** Imports a module from the present sources, or again after an edit. */
export function importSource<Module>(
	environment: DevEnvironment | undefined,
	path: string,
): Promise<Module> {
	if (environment && isRunnableDevEnvironment(environment)) return environment.runner.import(path);
	throw new Error(`vite.config.ts lacks an environment that runs ${path}`);
}
