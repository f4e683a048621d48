/** Thrown when Slack has accepted a file but does not process or share it in time. */
export class FileNotReadyError extends Error {
	override name = 'FileNotReadyError';
}
