declare global {
	interface ImportMetaEnv {
		/** Set at build time; may be empty. */
		readonly SITE_ORIGIN: string;
	}
	interface ImportMeta {
		readonly env: ImportMetaEnv;
	}
}

/** Tools that run from source have no `import.meta.env`. */
export const builtOrigin: string = import.meta.env?.SITE_ORIGIN ?? "";
