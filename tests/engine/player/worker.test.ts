import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { THEME } from "../../../engine/default-theme.ts";
import type {
	PageMessage,
	PageState,
	PlayerEvents,
	WorkerMessage,
} from "../../../engine/messages.ts";

const player = vi.hoisted(() => ({
	set: vi.fn(),
	seek: vi.fn(),
	pulse: vi.fn(() => ({ frames: 3, due: true, tick: 9 })),
	destroy: vi.fn(),
	tell: undefined as PlayerEvents | undefined,
}));
vi.mock("../../../engine/player/player.ts", () => ({
	createPlayer(...[, , , tell]: [object, object, object, PlayerEvents]) {
		player.tell = tell;
		return player;
	},
}));

const said: WorkerMessage[] = [];
const close = vi.fn();
let listen: (event: { data: PageMessage }) => void;

beforeEach(() => {
	vi.resetModules();
	vi.clearAllMocks();
	said.length = 0;
	vi.stubGlobal("postMessage", (message: WorkerMessage) => said.push(message));
	vi.stubGlobal("close", close);
	vi.stubGlobal("addEventListener", (_: string, listener: typeof listen) => {
		listen = listener;
	});
});

afterEach(() => vi.unstubAllGlobals());

async function load(gl: object | null) {
	const canvas = { getContext: () => gl };
	vi.stubGlobal(
		"OffscreenCanvas",
		class {
			getContext = canvas.getContext;
		},
	);
	await import("../../../engine/player/worker.ts");
	const start = {
		kind: "start",
		canvas: canvas as unknown as OffscreenCanvas,
		settings: { backend: "worker", theme: THEME, seed: 1, stats: false, device: {} },
		pageState: {} as PageState,
	} as const;
	return { hear: (message: PageMessage) => listen({ data: message }), start };
}

test("a worker proves its WebGL, relays messages both ways and closes at the end", async () => {
	const { hear, start } = await load({ getExtension: () => null, getParameter: () => "A GPU" });
	hear({ kind: "ping", period: 16 });
	hear(start);
	hear({ kind: "set", pageState: { paused: true } });
	hear({ kind: "seek", tick: 7 });
	hear({ kind: "ping", period: 17 });
	player.tell?.shown(true);
	player.tell?.failed("lost", true);
	expect(said).toEqual([
		{ kind: "proof", webgl: true },
		{ kind: "alive", frames: 3, due: true, tick: 9 },
		{ kind: "shown", shown: true },
		{ kind: "failed", reason: "lost", final: true },
	]);
	expect(player.set).toHaveBeenCalledWith({ paused: true });
	expect(player.seek).toHaveBeenCalledWith(7);
	expect(player.pulse).toHaveBeenCalledWith(17);
	expect(close).not.toHaveBeenCalled();
	hear({ kind: "destroy" });
	expect(player.destroy).toHaveBeenCalledOnce();
	expect(close).toHaveBeenCalledOnce();
});

test("a worker without WebGL reports that another backend may succeed", async () => {
	const { hear, start } = await load(null);
	hear(start);
	expect(said).toEqual([
		{ kind: "proof", webgl: false },
		{ kind: "failed", reason: "There is no WebGL.", final: false },
	]);
});
