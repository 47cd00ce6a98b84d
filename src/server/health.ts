/* Health check of the container image: exits with 0 if the server is ready, otherwise with 1. */
fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(
	({ ok }) => process.exit(ok ? 0 : 1),
	() => process.exit(1),
);
