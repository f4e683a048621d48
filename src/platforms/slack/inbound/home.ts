import type { App, types } from '@slack/bolt';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import type { HomeView } from '../../../domain/platform.ts';
import { clip } from '../../../domain/text.ts';
import { type Translate, translatorFor } from '../../../i18n/translator.ts';
import type { Image } from '../api/blocks.ts';
import type { CallWithRetry } from '../api/call-with-retry.ts';
import { MAX_ALT } from '../api/limits.ts';
import { codeOf } from '../api/slack-errors.ts';
import { serverOf } from '../transport/app.ts';
import type { SlackServices } from './services.ts';

/** https://docs.slack.dev/reference/block-kit/blocks/section-block and header-block */
const SECTION_CHARACTERS = 3000;
const HEADER_CHARACTERS = 150;
/** A view has at most 100 blocks: a result takes its pictures and a line. https://docs.slack.dev/reference/views/home-tab-views */
const MOST_RECENT = 20;
const MOST_PICTURES = 3;
const PROMPT_CHARACTERS = 300;

type HomeParts = {
	call: CallWithRetry;
	/** The pictures that a message of ours shows to everybody. */
	imagesOf(handle: MessageHandle): Promise<readonly Image[]>;
};

/** The page of the app at Slack: what somebody has used, what is left, and what they made last. */
export function registerHome(app: App, parts: SlackServices, { call, imagesOf }: HomeParts): void {
	const { people, channels, log } = parts;

	const publish = (server: string, user: string, blocks: types.KnownBlock[]) =>
		call(server, 'views.publish', (client) => client.views.publish({ user_id: user, view: { type: 'home', blocks } }), {
			idempotent: true,
		});

	async function picturesOf({ handle }: HomeView['recent'][number]): Promise<readonly Image[]> {
		const images = await imagesOf(handle).catch(() => []);
		return images.slice(0, MOST_PICTURES);
	}

	app.event('app_home_opened', async ({ event, context }) => {
		const inbox = parts.inbox();
		if (!inbox || event.tab !== 'home') return;
		const server = serverOf(context);
		const { user, channel } = event;
		try {
			const place: Place = { platform: 'slack', server, channel, direct: true };
			const person = await people.person(server, user);
			const asked = { user, team: context.teamId ?? server };
			const { text, recent } = await inbox.home(person, channels.channel(place, asked));
			const latest = recent.slice(0, MOST_RECENT);
			const pictures = await Promise.all(latest.map(picturesOf));
			const page = (images: readonly (readonly Image[])[]) =>
				pageOf(translatorFor(person.locale), text, latest, images);
			await publish(server, user, page(pictures)).catch(async (error: unknown) => {
				// A picture that is gone, or that Slack does not show there, must not cost the figures.
				if (!pictures.some(({ length }) => length > 0) || codeOf(error) === undefined) throw error;
				log.info({ slack: codeOf(error) }, 'A home page is shown without its pictures');
				await publish(server, user, page([]));
			});
		} catch (error) {
			log.warn({ err: error, slack: codeOf(error) }, 'A home page could not be shown');
		}
	});
}

function pageOf(
	t: Translate,
	text: string,
	recent: HomeView['recent'],
	images: readonly (readonly Image[])[],
): types.KnownBlock[] {
	const date = new Intl.DateTimeFormat(t.language, { dateStyle: 'medium', timeZone: 'UTC' });
	const results = recent.flatMap(({ prompt, at }, index): types.KnownBlock[] => [
		...(images[index] ?? []).map(({ file, alt }) => ({
			type: 'image' as const,
			slack_file: { id: file },
			alt_text: clip(alt || prompt, MAX_ALT) || t('results.picture'),
		})),
		{
			type: 'context',
			elements: [{ type: 'plain_text', text: `${date.format(at)} · ${clip(prompt, PROMPT_CHARACTERS)}`, emoji: false }],
		},
	]);
	return [
		header(t('slack.home.usage')),
		section(text || '…'),
		...(results.length === 0 ? [] : [{ type: 'divider' as const }, header(t('slack.home.pictures'))]),
		...results,
	];
}

const header = (text: string): types.HeaderBlock => ({
	type: 'header',
	text: { type: 'plain_text', text: clip(text, HEADER_CHARACTERS), emoji: false },
});

/** A list of figures. Blocks of standard Markdown are for messages alone; here nothing is a mention. */
const section = (markdown: string): types.SectionBlock => ({
	type: 'section',
	text: { type: 'mrkdwn', text: clip(mrkdwnOf(markdown), SECTION_CHARACTERS), verbatim: true },
});

const mrkdwnOf = (markdown: string): string =>
	markdown
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replace(/^- /gm, '• ')
		.replace(/\*\*(.+?)\*\*/g, '*$1*');
