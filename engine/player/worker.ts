import type { PageMessage, WorkerMessage } from "../messages.ts";
import { openSurface, supportsWebGl } from "./gl-surface.ts";
import { createPlayer, type Player } from "./player.ts";

let player: Player | undefined;

function say(message: WorkerMessage): void {
	postMessage(message);
}

function start({ canvas, settings, pageState }: Extract<PageMessage, { kind: "start" }>): void {
	try {
		player = createPlayer(openSurface(canvas, settings.theme, settings.wide), settings, pageState, {
			shown: (shown) => say({ kind: "shown", shown }),
			stats: (stats) => say({ kind: "stats", stats }),
			failed: (reason, final) => say({ kind: "failed", reason, final }),
		});
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		say({ kind: "failed", reason, final: false });
	}
}

addEventListener("message", ({ data: message }: MessageEvent<PageMessage>) => {
	switch (message.kind) {
		case "start":
			start(message);
			break;
		case "set":
			player?.set(message.pageState);
			break;
		case "seek":
			player?.seek(message.tick);
			break;
		case "ping":
			if (player) say({ kind: "alive", ...player.pulse() });
			break;
		case "destroy":
			player?.destroy();
			close();
	}
});
say({ kind: "proof", webgl: supportsWebGl() });
