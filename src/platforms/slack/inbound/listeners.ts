import type { App } from '@slack/bolt';
import type { Slack } from '../slack.ts';
import { serverOf } from '../transport/dispatch.ts';
import { registerActions } from './buttons.ts';
import { registerSlashCommands } from './commands.ts';
import { registerHome } from './home.ts';
import { registerMessages } from './message-listener.ts';

/** Registers the listeners for everything that Slack delivers. */
export function registerListeners(app: App, slack: Slack): void {
	registerSlashCommands(app, slack);
	registerActions(app, slack);
	registerMessages(app, slack);
	registerHome(app, slack);
	registerChannelEvents(app, slack);
	registerUninstall(app, slack);
}

/**
 * Registers the listeners for channels that the bot has left or that were deleted, whose messages are forgotten, and for those that get a new
 * id, as when a private channel is shared with another workspace.
 */
function registerChannelEvents(app: App, { inbox, records, serves }: Slack): void {
	const forget = async (server: string, channel: string) => inbox()?.forget({ platform: 'slack', server, channel });
	// https://docs.slack.dev/reference/events/channel_id_changed
	app.event('channel_id_changed', async ({ event, context }) => {
		const server = { platform: 'slack', server: serverOf(context) };
		const { old_channel_id: from, new_channel_id: to } = event;
		if (!serves(server)) return;
		await records.rename(from, to);
		await inbox()?.renamed({ ...server, from, to });
	});
	app.event('channel_left', ({ event, context }) => forget(serverOf(context), event.channel));
	app.event('group_left', ({ event, context }) => forget(serverOf(context), event.channel));
	app.event('channel_deleted', ({ event, context }) => forget(serverOf(context), event.channel));
	app.event('group_deleted', ({ event, context }) => forget(serverOf(context), event.channel));
}

/** The body of both events. https://docs.slack.dev/apis/events-api/#callback-field */
type UninstallBody = {
	team_id?: string | null;
	enterprise_id?: string | null;
	is_enterprise_install?: boolean;
	authorizations?: readonly { is_enterprise_install?: boolean }[];
	/** Unix seconds. */
	event_time?: number;
};

/** Removes the token of a workspace and everything kept of it, when the app is uninstalled or its token revoked. */
export function registerUninstall(app: App, { workspaces, inbox, log }: Pick<Slack, 'workspaces' | 'inbox' | 'log'>) {
	// Bolt does not authorize these two events, since the installation may be gone.
	const uninstall = async (body: UninstallBody) => {
		const { authorizations, is_enterprise_install, enterprise_id, team_id, event_time } = body;
		const isOrganization = authorizations?.[0]?.is_enterprise_install ?? is_enterprise_install ?? false;
		const server = isOrganization ? enterprise_id : team_id;
		const at = event_time === undefined ? Date.now() : event_time * 1000;
		if (!server || !(await workspaces.remove(server, at))) return;
		log.info({ server }, 'Slack: the app was removed');
		await inbox()?.forget({ platform: 'slack', server });
	};
	app.event('app_uninstalled', ({ body }) => uninstall(body as UninstallBody));
	app.event('tokens_revoked', async ({ event, body }) => {
		// The event also reports tokens of people, which the app does not have.
		if ((event.tokens.bot ?? []).length > 0) await uninstall(body as UninstallBody);
	});
}
