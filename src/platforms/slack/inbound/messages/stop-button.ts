import type { App } from '@slack/bolt';
import type { Inbox } from '../../../../domain/platform.ts';
import type { Log } from '../../../../log.ts';
import type { SlackChannels } from '../../outbound/channels.ts';
import type { StopButtons } from '../../outbound/streams/stop-buttons.ts';
import type { People } from '../../people/people.ts';
import { serverOf } from '../../transport/app.ts';
import type { Dedupe } from '../dedupe.ts';
import { incomingMessageId, placeOf } from './message-event.ts';

type StopButtonOptions = {
	channels: SlackChannels;
	people: People;
	stopButtons: StopButtons;
	dedupe: Dedupe;
	inbox: () => Inbox | undefined;
	log: Log;
};

/** Registers the listener for Slack's stop button. It presses the bot's stop button of the answer that is being written in the thread. */
export function registerStopButton(app: App, options: StopButtonOptions): void {
	const { channels, people, stopButtons, dedupe, inbox: currentInbox, log } = options;
	app.event('agent_session_stopped', async ({ event, context, body }) => {
		const inbox = currentInbox();
		const server = serverOf(context);
		const { channel, thread_ts: thread, user, streaming_message_ts: streaming = [], event_ts } = event;
		const place = placeOf(server, { channel, channel_type: channel.startsWith('D') ? 'im' : '' }, thread);
		const replies = channels.channel(place, { user, team: body.team_id ?? '' });
		const button = await stopButtons.find(place);
		const id = incomingMessageId(channel, event_ts);
		if (!inbox || !(await dedupe.first(`stop:${server}:${id}`))) return;
		if (button !== undefined) {
			const [person, message] = await Promise.all([
				people.person(server, user),
				channels.handleOf(place, streaming[0] ?? thread),
			]);
			await inbox.press({
				id,
				button,
				person,
				message,
				channel: replies,
				attached: [],
				open: async () => log.warn('Slack’s stop button cannot open a form'),
			});
		}
		// The press does not end the status. An answer that goes on shows it again.
		await replies.endTyping?.();
	});
}
