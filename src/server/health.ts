/*
 * Health check of the container image: exits with 0 if the server is ready, or 1. Engines with OCI images,
 * which have no built-in health check, can run it too.
 */
fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(
	({ ok }) => process.exit(ok ? 0 : 1),
	() => process.exit(1),
);
