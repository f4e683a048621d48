/** Does what belongs together one after the other; what fails holds up nothing. */
export function createKeyedQueue() {
	const last = new Map<string, Promise<unknown>>();
	return (key: string, work: () => Promise<void>): Promise<void> => {
		const done = (last.get(key) ?? Promise.resolve()).then(work);
		const settled = done.catch(() => {});
		last.set(key, settled);
		void settled.then(() => last.get(key) === settled && last.delete(key));
		return done;
	};
}
