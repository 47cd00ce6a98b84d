/** Environment variables that shift a Node process's clock by `ms`, which may be negative. */
export function envWithClockAhead(ms: number): { NODE_OPTIONS: string } {
	const script = `const Right = Date;
		globalThis.Date = class extends Right {
			constructor(...time) { super(...(time.length > 0 ? time : [Date.now()])); }
			static now() { return Right.now() + ${ms}; }
		};`;
	return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}
