/** @module-tag slow */
import { afterAll, beforeAll, expect, it } from "vitest";
import { postEmail } from "../../server-process.ts";
import { contextOf } from "./dockerfile.ts";
import { buildImage, engine, type Image } from "./engines.ts";

/* The Dockerfile, step by step: by a container engine where there is one, else without. */

/** Bytes of an image at most, the base included. */
const MOST_BYTES = 250e6;

let image: Image | undefined;

beforeAll(async () => {
	image = await buildImage(contextOf("."));
});

afterAll(() => image?.remove());

it.runIf(engine)(`an image is built by ${engine}, and is not too large`, async () => {
	console.log(`image: ${(image!.bytes / 1e6).toFixed(1)} MB (${image!.measured})`);
	expect(image!.bytes).toBeLessThan(MOST_BYTES);
});

it.runIf(engine)(
	"a container joins, is well, has its nights, keeps its list over a replacement, and stops",
	async () => {
		const first = await image!.start();
		console.log(`listening after ${Math.round(first.startMs)} ms`);
		expect((await fetch(first.url)).status).toBe(200);
		expect((await postEmail(first.url, "ada@example.com")).status).toBe(201);
		expect(await first.isWell()).toBe(true);
		expect(await first.user()).toBe(1000);
		expect(await first.night()).toMatch(/^1 rows in \/data\/backups\/.*\.db, verified/);
		expect(await first.night()).toMatch(/ is there already\.\n0 erased: all who joined before/);
		expect(await first.stop()).toBe(0);
		const second = await image!.start();
		expect((await postEmail(second.url, "ada@example.com")).status).toBe(409);
		expect(await second.stop()).toBe(0);
	},
);
