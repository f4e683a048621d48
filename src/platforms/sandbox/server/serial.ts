/**
 * Runs tasks one after another. keyv has no compare-and-set; the sandbox is one process, so taking turns is enough for
 * its read-then-write steps.
 */
export function createSerial() {
	let last: Promise<unknown> = Promise.resolve();

	return <Result>(task: () => Promise<Result>): Promise<Result> => {
		const result = last.then(task);
		last = result.catch(() => {});
		return result;
	};
}
