import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { MessageHandle } from '../../../../domain/place.ts';
import { isShowButton } from '../../outbound/covered-pictures.ts';
import { serverOf } from '../../transport/app.ts';
import { digest, requesterOf, type SlackActionContext } from './action-context.ts';
import { buttonLocation, picturesOf } from './action-message.ts';
import { type PressOptions, press } from './press.ts';

/** Menus and links are actions as well, but not for the core. */
const isButton = (action: BlockAction['actions'][number]): action is ButtonAction =>
	action.type === 'button' && !(action as ButtonAction).url;

/** Registers the listener for buttons. Each press is acknowledged first. */
export function registerButtons(app: App, options: PressOptions): void {
	const { runner, channels, people, coveredPictures } = options;
	app.action(/.*/, async ({ body, action, ack, context: delivery }) => {
		await ack();
		const block = body as BlockAction;
		if (block.type !== 'block_actions' || !isButton(action as BlockAction['actions'][number])) return;
		const { value, action_id, action_ts } = action as ButtonAction;
		const { trigger_id: triggerId, response_url: responseUrl } = block;
		const server = serverOf(delivery);
		const requester = { ...requesterOf(block), responseUrl };
		const { place, ts } = await buttonLocation(channels, server, requester, block);
		const id = `b-${digest(`${triggerId}:${action_ts}`)}`;
		const context = { id, server, requester, place, t: people.translator(server, requester.user) };
		await runner.run(context, async (inbox) => {
			const button = value || action_id;
			if (isShowButton(button)) return show(options, context, button);
			const pictures = await picturesOf(coveredPictures, block.message);
			// An ephemeral message can be edited only through the response URL of this press.
			const message: MessageHandle = block.container['is_ephemeral']
				? { place, key: ts, data: { channel: place.channel, responseUrl } }
				: await channels.handleOf(place, ts);
			await press(options, context, inbox, { button, message, triggerId, pictures });
		});
	});
}

/** Shows covered pictures to the requester, unless the press was delivered before. */
async function show(
	{ runner, dedupe, showCoveredPictures }: PressOptions,
	context: SlackActionContext,
	button: string,
): Promise<void> {
	const { id, server, requester, t } = context;
	const place = await runner.resolvePlace(context);
	if (!(await dedupe.first(`${server}:${id}`))) return;
	if (!(await showCoveredPictures(button, place, requester, id)))
		await runner.reply(context, t('slack.errors.expired'));
}
