interface ImportMetaEnv {
	/** Set by the build from the environment variable of the same name; may be empty. */
	readonly SITE_ORIGIN: string;
}
