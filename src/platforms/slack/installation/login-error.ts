/** Slack does not let the bot in, or not do something: one sentence that says what to do. */
export class SlackLoginError extends Error {
	override name = 'SlackRefusal';
}
