import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { addRows } from "./rows.ts";

export async function fillWaitlist(file: string, rows: number): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	await addRows({ file }, "people", people(rows));
}

function* people(rows: number) {
	const now = Date.now();
	for (let n = 0; n < rows; n++) {
		yield {
			email: `Visitor-${(n * 7919) % rows}@Example.com`,
			source: n % 10 === 0 ? "fair" : "landing-page",
			joined: new Date(now - 8.64e9 * (1 - n / rows)),
			flag: n % 100 === 0 ? "honeypot" : "",
		};
	}
}
