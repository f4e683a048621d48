import type { App } from '@slack/bolt';
import type { Inbox } from '../../../domain/platform.ts';
import type { Log } from '../../../log.ts';
import type { Workspaces } from './workspaces.ts';

/** When Slack says that the bot is gone from a workspace, nothing of it is kept: neither its token nor what was said there. */
export function registerUninstall(
	app: App,
	{ workspaces, inbox, log }: { workspaces: Workspaces; inbox: () => Inbox | undefined; log: Log },
): void {
	/** These two are let in without an installation, which may be gone already. */
	async function leave(body: Body): Promise<void> {
		const server = serverOf(body);
		if (
			server === undefined ||
			!(await workspaces.remove(server, body.event_time === undefined ? Date.now() : body.event_time * 1000))
		)
			return;
		log.info({ server }, 'Slack: the app was removed');
		await inbox()?.forget({ platform: 'slack', server });
	}

	app.event('app_uninstalled', ({ body }) => leave(body as Body));
	app.event('tokens_revoked', async ({ event, body }) => {
		// Tokens of people are none of ours.
		if ((event.tokens.bot ?? []).length > 0) await leave(body as Body);
	});
}

type Body = {
	team_id?: string | null;
	enterprise_id?: string | null;
	is_enterprise_install?: boolean;
	authorizations?: readonly { is_enterprise_install?: boolean }[];
	/** Unix seconds. */
	event_time?: number;
};

function serverOf(body: Body): string | undefined {
	const organisation = body.authorizations?.[0]?.is_enterprise_install ?? body.is_enterprise_install ?? false;
	return (organisation ? body.enterprise_id : body.team_id) ?? undefined;
}
