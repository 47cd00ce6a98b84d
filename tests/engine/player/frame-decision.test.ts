import { expect, test } from "vitest";
import { decideFrame } from "../../../engine/player/frame-decision.ts";

const [yes, no] = [true, false];

test.each([
	{ moving: no, stale: no, due: no, free: no, decision: "idle" },
	{ moving: no, stale: no, due: no, free: yes, decision: "idle" },
	{ moving: no, stale: no, due: yes, free: no, decision: "idle" },
	{ moving: no, stale: no, due: yes, free: yes, decision: "idle" },
	{ moving: no, stale: yes, due: no, free: no, decision: "busy" },
	{ moving: no, stale: yes, due: no, free: yes, decision: "drawn" },
	{ moving: no, stale: yes, due: yes, free: no, decision: "busy" },
	{ moving: no, stale: yes, due: yes, free: yes, decision: "drawn" },
	{ moving: yes, stale: no, due: no, free: no, decision: "passed" },
	{ moving: yes, stale: no, due: no, free: yes, decision: "passed" },
	{ moving: yes, stale: no, due: yes, free: no, decision: "busy" },
	{ moving: yes, stale: no, due: yes, free: yes, decision: "drawn" },
	{ moving: yes, stale: yes, due: no, free: no, decision: "busy" },
	{ moving: yes, stale: yes, due: no, free: yes, decision: "drawn" },
	{ moving: yes, stale: yes, due: yes, free: no, decision: "busy" },
	{ moving: yes, stale: yes, due: yes, free: yes, decision: "drawn" },
])(
	"is $decision when moving is $moving, stale is $stale, due is $due and free is $free",
	({ moving, stale, due, free, decision }) => {
		expect(decideFrame(moving, stale, due, free)).toBe(decision);
	},
);
