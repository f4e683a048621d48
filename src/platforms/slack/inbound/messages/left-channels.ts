import type { App } from '@slack/bolt';
import type { Inbox } from '../../../../domain/platform.ts';
import { serverOf } from '../../transport/app.ts';

/** Registers the listeners for channels that the bot has left or that were deleted. Everything stored about their messages is removed. */
export function registerLeftChannels(app: App, { inbox }: { inbox: () => Inbox | undefined }): void {
	const forget = async (server: string, channel: string) => inbox()?.forget({ platform: 'slack', server, channel });
	app.event('channel_left', ({ event, context }) => forget(serverOf(context), event.channel));
	app.event('group_left', ({ event, context }) => forget(serverOf(context), event.channel));
	app.event('channel_deleted', ({ event, context }) => forget(serverOf(context), event.channel));
	app.event('group_deleted', ({ event, context }) => forget(serverOf(context), event.channel));
}
