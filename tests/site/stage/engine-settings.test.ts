import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readEngineSettings } from "../../../src/site/stage/engine-settings.ts";

beforeEach(() => vi.spyOn(console, "info").mockReturnValue());

afterEach(() => vi.restoreAllMocks());

const read = (asked: string) => readEngineSettings(new URLSearchParams(asked));

test("seed, tick, level and way accept values up to and including their maximum", () => {
	expect(read("seed=4294967295&tick=1000000000&level=100&way=flat")).toEqual({
		seed: 2 ** 32 - 1,
		tick: 1e9,
		level: 100,
		backend: "flat",
		onStats: undefined,
	});
	expect(read("seed=0&utm_source=x")).toMatchObject({ seed: 0, tick: undefined });
	expect(console.info).not.toHaveBeenCalled();
});

test.each([
	...["seed=4294967296", "seed=-1", "tick=1000000001", "tick=1.5", "level=101", "level="],
	"way=magic",
])("?%s is reported in the console and ignored", (asked) => {
	const settings = read(asked);
	expect(Object.values(settings).filter((value) => value !== undefined)).toEqual([]);
	expect(console.info).toHaveBeenCalledOnce();
	expect(vi.mocked(console.info).mock.lastCall?.[0]).toContain(`?${asked} is ignored`);
});
