/**
 * Runs work one after the other: a crowd slows the joins no more than one request does.
 *
 * @param most that may wait; the next one is rejected
 */
export function createQueue(most: number) {
	let last: Promise<unknown> = Promise.resolve();
	let waiting = 0;
	return async <Result>(work: () => Promise<Result>): Promise<Result> => {
		if (waiting >= most) throw new Error(`${most} requests wait already`);
		waiting += 1;
		const result = last.then(work);
		last = result.catch(() => {});
		return result.finally(() => {
			waiting -= 1;
		});
	};
}
