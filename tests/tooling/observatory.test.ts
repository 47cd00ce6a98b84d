import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../server-process.ts";
import { temporaryFolder } from "../temporary.ts";
import { startNginx } from "./nginx.ts";
import { observe } from "./observatory.ts";

it("behind TLS, Mozilla's scanner finds nothing to improve", async () => {
	const server = await startServer({
		folder: await temporaryFolder(),
		env: { TRUSTED_PROXIES: "127.0.0.1,::1" },
	});
	// As the README says, with both ports in one place.
	const nginx = await startNginx(
		(httpsPort) => `if ($https = "") { return 301 https://localhost:${httpsPort}$request_uri; }
		location / {
			proxy_pass ${server.url.replace("localhost", "127.0.0.1")};
			proxy_set_header Host $host;
			proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
			proxy_set_header X-Forwarded-Proto $scheme;
		}`,
	);
	onTestFinished(nginx.close);
	const { score, grade, tests } = await observe(nginx);
	const failed = Object.entries(tests).filter(([, { pass }]) => !pass);
	expect(failed).toEqual([]);
	const bonuses = Object.entries(tests).filter(([, { points }]) => points !== 0);
	expect(Object.fromEntries(bonuses.map(([name, { points }]) => [name, points]))).toEqual({
		"content-security-policy": 10,
		"cross-origin-resource-policy": 10,
		"referrer-policy": 5,
		"subresource-integrity": 5,
		"x-frame-options": 5,
	});
	// All that 1.4.8 gives a site without cookies that is on no browser's preload list. What the
	// scanner's next version gives 10 points each for (COOP, COEP) is in page-headers.test.ts.
	expect({ score, grade }).toEqual({ score: 135, grade: "A+" });
}, 600_000);
