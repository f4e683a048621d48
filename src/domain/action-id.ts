/**
 * The maximum length of an action id, in characters. Discord's `custom_id` is the tightest: 1–100 characters. Slack takes 255 as
 * `action_id` and `callback_id`, and 2,000 as a button's `value`.
 * https://docs.discord.com/developers/components/reference#anatomy-of-a-component-custom-id
 * https://docs.slack.dev/reference/block-kit/block-elements/button-element
 */
export const MAX_ACTION_ID = 100;

/** The id of a button, or of an entry in a message's menu. */
export type ActionId = {
	/** The action's name, without a colon. */
	action: string;
	/** Goes up when ids of an earlier version can no longer be handled. */
	version: number;
	/** The entity that the action applies to, such as a job. May contain colons. */
	subject: string;
};

/**
 * Returns an action id as platforms carry it: `action:version:subject`.
 * @throws RangeError when it exceeds `MAX_ACTION_ID`
 */
export function encodeActionId({ action, version, subject }: ActionId): string {
	const id = `${action}:${version}:${subject}`;
	if (id.length > MAX_ACTION_ID)
		throw new RangeError(`The id of the action ${action} has ${id.length} characters; the maximum is ${MAX_ACTION_ID}`);
	return id;
}

/** Returns undefined for a text that is not an action id. */
export function parseActionId(id: string): ActionId | undefined {
	const [, action, version, subject] = /^([^:]+):(\d+):(.*)$/s.exec(id) ?? [];
	if (action === undefined || subject === undefined) return undefined;
	return { action, version: Number(version), subject };
}
