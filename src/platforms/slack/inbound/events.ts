import type { App, SlackEventMiddlewareArgs, types } from '@slack/bolt';
import { clip, oneLine } from '../../../domain/text.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import { tryAndLog } from '../../../log.ts';
import { escaped, type Image, imageBlockOf, plainText } from '../api/blocks.ts';
import { directPlace } from '../api/messages.ts';
import { isRefused, orElse } from '../api/slack-errors.ts';
import { channelIn } from '../outbound/channels.ts';
import type { Slack } from '../slack.ts';
import { acknowledge, serverOf } from '../transport/dispatch.ts';

/**
 * Registers the listeners for channels that the bot has left or that were deleted, whose messages are forgotten, and for those that get a new
 * id, as when a private channel is shared with another workspace.
 */
export function registerChannelEvents(app: App, { inbox, records, serves }: Slack): void {
	const forget = async (server: string, channel: string) => inbox().forget({ platform: 'slack', server, channel });
	// https://docs.slack.dev/reference/events/channel_id_changed
	app.event('channel_id_changed', async ({ event, context }) => {
		const server = { platform: 'slack', server: serverOf(context) };
		const { old_channel_id: from, new_channel_id: to } = event;
		if (!serves(server)) return;
		await records.rename(from, to);
		await inbox().renamed({ ...server, from, to });
	});
	for (const name of ['channel_left', 'group_left', 'channel_deleted', 'group_deleted'] as const)
		app.event(name, ({ event, context }) => forget(serverOf(context), event.channel));
}

/** Removes the token of a workspace and everything kept of it, when the app is uninstalled or its token revoked. */
export function registerUninstall(app: App, { workspaces, inbox, log }: Pick<Slack, 'workspaces' | 'inbox' | 'log'>) {
	// Bolt does not authorize these two events, since the installation may be gone.
	const uninstall = async ({ event, body }: SlackEventMiddlewareArgs<'app_uninstalled' | 'tokens_revoked'>) => {
		// The event also reports tokens of people, which the app does not have.
		if (event.type === 'tokens_revoked' && !event.tokens.bot?.length) return;
		const { authorizations, enterprise_id, team_id, event_time } = body;
		// https://docs.slack.dev/apis/events-api/#callback-field
		const { is_enterprise_install } = { ...body, ...authorizations?.[0] } as { is_enterprise_install?: boolean };
		const server = is_enterprise_install ? enterprise_id : team_id;
		const at = event_time === undefined ? Date.now() : event_time * 1000;
		if (!server || !(await workspaces.remove(server, at))) return;
		log.info({ server }, 'Slack: the app was removed');
		await inbox().forget({ platform: 'slack', server });
	};
	app.event('app_uninstalled', uninstall);
	app.event('tokens_revoked', uninstall);
}

/** A view has at most 100 blocks, and a result needs one for each picture and one more. https://docs.slack.dev/reference/views/home-tab-views */
const MAX_RESULTS = 20;
const MAX_PICTURES = 3;

/** https://docs.slack.dev/reference/block-kit/blocks/section-block · https://docs.slack.dev/reference/block-kit/blocks/header-block */
const MAX_SECTION = 3000;
const MAX_HEADER = 150;
const MAX_PROMPT = 300;

/** Registers the listener for the app's home page, which shows a person's usage and recent results. */
export function registerHome(app: App, slack: Slack): void {
	app.event('app_home_opened', async ({ event, context }) => {
		if (event.tab !== 'home') return;
		// Nothing is lost with it: people open the page again.
		acknowledge(context);
		await tryAndLog(slack.log, 'A home page could not be shown', () => showHome(slack, serverOf(context), event));
	});
}

async function showHome(slack: Slack, server: string, { user, channel }: { user: string; channel: string }) {
	const person = await slack.people.person(server, user);
	const t = translatorFor(person.locale);
	const page = channelIn(slack, directPlace(server, channel), { user });
	const { text, recent } = await slack.inbox().home(person, page);
	const results = recent.slice(0, MAX_RESULTS);
	const pictures = await Promise.all(results.map(({ handle }) => picturesOf(slack, handle.key)));
	const date = new Intl.DateTimeFormat(t.language, { dateStyle: 'medium', timeZone: 'UTC' });
	const show = (shown: readonly (readonly Image[])[]) => {
		const blocks = [
			header(t('slack.home.usage')),
			section(text || '…'),
			...(results.length === 0 ? [] : [{ type: 'divider' as const }, header(t('slack.home.pictures'))]),
			...results.flatMap(({ prompt, at }, index) => [
				...(shown[index] ?? []).map(({ file, alt }) =>
					imageBlockOf({ file, alt: alt || prompt || t('results.picture') }),
				),
				{
					type: 'context' as const,
					elements: [plainText(`${date.format(at)} · ${oneLine(prompt, MAX_PROMPT)}`)],
				},
			]),
		];
		return slack.call(server, 'views.publish', { user_id: user, view: { type: 'home', blocks } });
	};
	// Slack refuses pictures that were deleted.
	const mayBeGone = (error: unknown) => pictures.flat().length > 0 && isRefused(error);
	await show(pictures).catch(orElse(mayBeGone, () => show([])));
}

async function picturesOf({ records }: Slack, key: string): Promise<readonly Image[]> {
	const { images = [], covered } = (await records.find(key).catch(() => undefined)) ?? {};
	return covered ? [] : images.slice(0, MAX_PICTURES);
}

const header = (text: string): types.HeaderBlock => ({ type: 'header', text: plainText(text, MAX_HEADER) });

/** Views have no Markdown blocks. `verbatim` keeps names from becoming mentions. */
const section = (markdown: string): types.SectionBlock => ({
	type: 'section',
	text: { type: 'mrkdwn', text: clip(mrkdwnOf(markdown), MAX_SECTION), verbatim: true },
});

/** Converts the Markdown of usage messages, which are lists with bold figures, to Slack's markup. */
const mrkdwnOf = (markdown: string): string =>
	escaped(markdown)
		.replace(/^- /gm, '• ')
		.replace(/\*\*(.+?)\*\*/g, '*$1*');
