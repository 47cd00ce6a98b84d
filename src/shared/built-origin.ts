declare global {
	interface ImportMetaEnv {
		/** Environment variable at build time; may be empty. */
		readonly SITE_ORIGIN: string;
	}
	interface ImportMeta {
		readonly env: ImportMetaEnv;
	}
}

/** SITE_ORIGIN at build time, or "". Tools that run from source have no `import.meta.env`. */
export const builtOrigin: string = import.meta.env?.SITE_ORIGIN ?? "";
