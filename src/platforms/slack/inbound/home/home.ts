import type { App, types } from '@slack/bolt';
import type { Place } from '../../../../domain/place.ts';
import type { HomeView, Inbox } from '../../../../domain/platform.ts';
import { translatorFor } from '../../../../i18n/translator.ts';
import type { Log } from '../../../../log.ts';
import type { CallWithRetry } from '../../api/call-with-retry.ts';
import { codeOf } from '../../api/slack-errors.ts';
import type { SlackChannels } from '../../outbound/channels.ts';
import type { MessageIndex } from '../../outbound/message-index.ts';
import type { People } from '../../people/people.ts';
import { serverOf } from '../../transport/app.ts';
import { type HomeResult, homeBlocks } from './home-view.ts';

/** A view has at most 100 blocks, and a result needs one for each picture and one more. https://docs.slack.dev/reference/views/home-tab-views */
const MAX_RESULTS = 20;
const MAX_PICTURES = 3;

type HomeOptions = {
	call: CallWithRetry;
	channels: SlackChannels;
	people: People;
	index: Pick<MessageIndex, 'publicImages'>;
	inbox: () => Inbox | undefined;
	log: Log;
};

/** Registers the listener for the app's home page, which shows a person's usage and recent results. */
export function registerHome(app: App, options: HomeOptions): void {
	const { channels, people, inbox: currentInbox, log } = options;
	app.event('app_home_opened', async ({ event, context }) => {
		const inbox = currentInbox();
		if (!inbox || event.tab !== 'home') return;
		const { user, channel } = event;
		const server = serverOf(context);
		try {
			const place: Place = { platform: 'slack', server, channel, direct: true };
			const person = await people.person(server, user);
			const reader = { user, team: context.teamId ?? server };
			const { text, recent } = await inbox.home(person, channels.channel(place, reader));
			const results = await Promise.all(
				recent.slice(0, MAX_RESULTS).map((result) => withImages(options.index, result)),
			);
			await publish(options, server, user, results, (shown) => homeBlocks(translatorFor(person.locale), text, shown));
		} catch (error) {
			log.warn({ err: error, slack: codeOf(error) }, 'A home page could not be shown');
		}
	});
}

async function withImages(index: HomeOptions['index'], result: HomeView['recent'][number]): Promise<HomeResult> {
	const images = await index.publicImages(result.handle.key).catch(() => []);
	return { ...result, images: images.slice(0, MAX_PICTURES) };
}

/** Publishes the page; without its pictures if Slack refuses those, such as deleted ones. */
async function publish(
	{ call, log }: HomeOptions,
	server: string,
	user: string,
	results: readonly HomeResult[],
	blocksOf: (results: readonly HomeResult[]) => types.KnownBlock[],
): Promise<void> {
	const show = (blocks: types.KnownBlock[]) =>
		call(server, 'views.publish', (client) => client.views.publish({ user_id: user, view: { type: 'home', blocks } }), {
			idempotent: true,
		});
	try {
		await show(blocksOf(results));
	} catch (error) {
		const code = codeOf(error);
		if (code === undefined || results.every(({ images }) => images.length === 0)) throw error;
		log.info({ slack: code }, 'A home page is shown without its pictures');
		await show(blocksOf(results.map((result) => ({ ...result, images: [] }))));
	}
}
