import type { Command } from "commander";
import { addChange } from "./waves/change-wave.ts";

/** Adds `waitlist resume`: let a paused wave go on. */
export function addResume(program: Command): void {
	addChange(program, "resume", {
		summary: "let a paused wave go on",
		description: "Lets a paused wave go on.",
	});
}
