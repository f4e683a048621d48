/**
 * Thrown when a platform does not let the bot in: a token that is wrong, a permission that is missing. The message is one sentence that
 * tells the operator what to do. Trying again does not help.
 */
export class PlatformLoginError extends Error {
	override name = 'PlatformLoginError';
}
