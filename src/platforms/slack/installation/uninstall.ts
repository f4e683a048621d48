import type { App } from '@slack/bolt';
import type { Inbox } from '../../../domain/platform.ts';
import type { Log } from '../../../log.ts';
import type { Workspaces } from './installation.ts';

type UninstallOptions = { workspaces: Workspaces; inbox: () => Inbox | undefined; log: Log };

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
export function registerUninstall(app: App, options: UninstallOptions): void {
	app.event('app_uninstalled', ({ body }) => uninstall(options, body as UninstallBody));
	app.event('tokens_revoked', async ({ event, body }) => {
		// The event also reports tokens of people, which the app does not have.
		if ((event.tokens.bot ?? []).length > 0) await uninstall(options, body as UninstallBody);
	});
}

/** Bolt does not authorize these two events, since the installation may be gone. */
async function uninstall({ workspaces, inbox, log }: UninstallOptions, body: UninstallBody): Promise<void> {
	const server = serverOf(body);
	const at = body.event_time === undefined ? Date.now() : body.event_time * 1000;
	if (server === undefined || !(await workspaces.remove(server, at))) return;
	log.info({ server }, 'Slack: the app was removed');
	await inbox()?.forget({ platform: 'slack', server });
}

function serverOf(body: UninstallBody): string | undefined {
	const isOrganization = body.authorizations?.[0]?.is_enterprise_install ?? body.is_enterprise_install ?? false;
	return (isOrganization ? body.enterprise_id : body.team_id) ?? undefined;
}
