/**
 * Runs tasks one at a time, so that many requests slow joins no more than one does.
 *
 * @param most maximum queue length; further tasks are rejected
 */
export function createQueue(most: number) {
	let last: Promise<unknown> = Promise.resolve();
	let waiting = 0;
	return async <Result>(work: () => Promise<Result>): Promise<Result> => {
		if (waiting >= most) throw new Error(`${most} requests are already waiting`);
		waiting += 1;
		const result = last.then(work);
		last = result.catch(() => {});
		return result.finally(() => {
			waiting -= 1;
		});
	};
}
