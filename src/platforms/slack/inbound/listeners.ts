import type { App } from '@slack/bolt';
import { serverOf } from '../transport/app.ts';
import { registerActions } from './actions.ts';
import { registerSlashCommands } from './commands.ts';
import type { Inbound } from './context.ts';
import { registerHome } from './home.ts';
import { registerMessages } from './message-listener.ts';
import { registerUnservedWorkspaces } from './unserved-workspaces.ts';

/** Registers the listeners for everything that Slack delivers. */
export function registerListeners(app: App, inbound: Inbound): void {
	registerUnservedWorkspaces(app, inbound);
	registerSlashCommands(app, inbound);
	registerActions(app, inbound);
	registerMessages(app, inbound);
	registerHome(app, inbound);
	registerChannelEvents(app, inbound);
}

/**
 * Registers the listeners for channels that the bot has left or that were deleted, whose messages are forgotten, and for those that get a new
 * id, as when a private channel is shared with another workspace.
 */
function registerChannelEvents(app: App, { inbox, index }: Inbound): void {
	const forget = async (server: string, channel: string) => inbox()?.forget({ platform: 'slack', server, channel });
	// https://docs.slack.dev/reference/events/channel_id_changed
	app.event('channel_id_changed', async ({ event, context }) => {
		const { old_channel_id: from, new_channel_id: to } = event;
		await index.rename(from, to);
		await inbox()?.renamed({ platform: 'slack', server: serverOf(context), from, to });
	});
	app.event('channel_left', ({ event, context }) => forget(serverOf(context), event.channel));
	app.event('group_left', ({ event, context }) => forget(serverOf(context), event.channel));
	app.event('channel_deleted', ({ event, context }) => forget(serverOf(context), event.channel));
	app.event('group_deleted', ({ event, context }) => forget(serverOf(context), event.channel));
}
