declare global {
	interface ImportMetaEnv {
		/** Set by the build from the environment variable of the same name; may be empty. */
		readonly SITE_ORIGIN: string;
	}
	interface ImportMeta {
		readonly env: ImportMetaEnv;
	}
}

/**
 * The SITE_ORIGIN that the site was built with, or "". Tools that run from the sources have no
 * `import.meta.env`.
 */
export const builtOrigin: string = import.meta.env?.SITE_ORIGIN ?? "";
