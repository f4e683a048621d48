/**
 * Calls `save` at an interval, one call at a time. Failures are ignored: the next call saves as much.
 *
 * @returns `stop` resolves when the call that was running has ended
 */
export function startAutosave(ms: number, save: () => Promise<void>): { stop(): Promise<void> } {
	let running: Promise<void> | undefined;
	const timer = setInterval(() => {
		running ??= save()
			.catch(() => {})
			.finally(() => {
				running = undefined;
			});
	}, ms).unref();
	return {
		async stop() {
			clearInterval(timer);
			await running;
		},
	};
}
