import type { App } from '@slack/bolt';
import { oneLine } from '../../../../domain/text.ts';
import type { People } from '../../people/people.ts';
import { serverOf } from '../../transport/app.ts';

/** https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#external_select */
const MAX_OPTIONS = 100;

/** https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
const MAX_OPTION = 75;

/** Registers the listener for menus of user groups in forms, whose options Slack requests from the app. */
export function registerGroupOptions(app: App, { people }: { people: Pick<People, 'groups'> }): void {
	app.options(/.*/, async ({ options, body, ack, context }) => {
		const typed = options.value.trim().toLowerCase();
		const groups = await people.groups(serverOf(context), [body.team?.id ?? body.user.team_id ?? '']);
		const found = groups.filter(({ handle }) => handle.toLowerCase().includes(typed)).slice(0, MAX_OPTIONS);
		await ack({
			options: found.map(({ id, handle }) => ({
				text: { type: 'plain_text' as const, text: oneLine(`@${handle}`, MAX_OPTION) },
				value: id,
			})),
		});
	});
}
