import { expect, test } from "vitest";
import { decideFrame } from "../../../engine/player/frame-decision.ts";

const [yes, no] = [true, false];

test.each([
	{ moving: no, stale: no, due: no, free: no, decision: "rest" },
	{ moving: no, stale: no, due: no, free: yes, decision: "rest" },
	{ moving: no, stale: no, due: yes, free: no, decision: "rest" },
	{ moving: no, stale: no, due: yes, free: yes, decision: "rest" },
	{ moving: no, stale: yes, due: no, free: no, decision: "wait" },
	{ moving: no, stale: yes, due: no, free: yes, decision: "draw" },
	{ moving: no, stale: yes, due: yes, free: no, decision: "wait" },
	{ moving: no, stale: yes, due: yes, free: yes, decision: "draw" },
	{ moving: yes, stale: no, due: no, free: no, decision: "pass" },
	{ moving: yes, stale: no, due: no, free: yes, decision: "pass" },
	{ moving: yes, stale: no, due: yes, free: no, decision: "wait" },
	{ moving: yes, stale: no, due: yes, free: yes, decision: "draw" },
	{ moving: yes, stale: yes, due: no, free: no, decision: "wait" },
	{ moving: yes, stale: yes, due: no, free: yes, decision: "draw" },
	{ moving: yes, stale: yes, due: yes, free: no, decision: "wait" },
	{ moving: yes, stale: yes, due: yes, free: yes, decision: "draw" },
])(
	"$decision, when moving is $moving, stale is $stale, due is $due and free is $free",
	({ moving, stale, due, free, decision }) => {
		expect(decideFrame(moving, stale, due, free)).toBe(decision);
	},
);
