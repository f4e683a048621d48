import type { App, MessageShortcut } from '@slack/bolt';
import { serverOf } from '../../transport/app.ts';
import { placeIn, threadOf } from '../place.ts';
import { digest, requesterOf } from './action-context.ts';
import { picturesOf } from './action-message.ts';
import { type PressOptions, press } from './press.ts';

/** Registers the listener for the entries in the menu of every message. Each choice is acknowledged first. */
export function registerMessageShortcuts(app: App, options: PressOptions): void {
	const { runner, channels, people, coveredPictures } = options;
	app.shortcut({ type: 'message_action', callback_id: /.*/ }, async ({ shortcut, ack, context: delivery }) => {
		await ack();
		const chosen = shortcut as MessageShortcut;
		const { callback_id, message, channel, trigger_id: triggerId, response_url: responseUrl } = chosen;
		const server = serverOf(delivery);
		const requester = { ...requesterOf(chosen), responseUrl };
		const place = placeIn(server, channel.id, threadOf(message));
		const id = `m-${digest(triggerId)}`;
		const context = { id, server, requester, place, t: people.translator(server, requester.user) };
		await runner.run(context, async (inbox) => {
			const pictures = await picturesOf(coveredPictures, message);
			const handle = await channels.handleOf(place, message.ts);
			await press(options, context, inbox, { button: callback_id, message: handle, triggerId, pictures });
		});
	});
}
