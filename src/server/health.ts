/*
 * Ends with 0 if the server of this container is ready, else with 1: the health check of the image, and
 * of engines whose images have none (OCI).
 */
fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(
	({ ok }) => process.exit(ok ? 0 : 1),
	() => process.exit(1),
);
