import { PlatformRefusedError } from '../../../bot/messages/refused-error.ts';
import type { Channel, Post } from '../../../domain/channel.ts';
import type { Person } from '../../../domain/person.ts';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import { messageBlocksOf } from '../api/blocks.ts';
import { LIMITS } from '../api/limits.ts';
import { messageIdOf } from '../api/message-records.ts';
import { codeOf, refusedErrorOf } from '../api/slack-errors.ts';
import type { People } from '../inbound/people.ts';
import { escaped, token } from './mentions.ts';
import { dataOf, keptFrom } from './message-handles.ts';
import { createPosts, directPlace, type PostsOptions } from './posts.ts';
import type { SlackRequest } from './slack-request.ts';

export type SlackChannels = {
	/**
	 * @param asked who asked, which alone sees what is private, and whom streams are for; where they asked by an address of Slack's
	 * that takes answers for half an hour, `responseUrl`
	 */
	channel(place: Place, asked?: SlackRequest): Channel;
	find(handle: MessageHandle): Promise<Post | undefined>;
	at(place: Place): Promise<Channel | undefined>;
	direct(place: Place, person: Pick<Person, 'id'>): Promise<Channel | undefined>;
	/** The handle of a message that somebody points at, ours or not. */
	handleOf(place: Place, ts: string): Promise<MessageHandle>;
	/** The files behind a button that shows what is covered; undefined for other buttons. */
	covered(button: string): Promise<readonly { file: string; alt: string }[] | undefined>;
	/** Shows them to who has pressed it; false when they are not kept any more. */
	uncover(button: string, place: Place, asked: SlackRequest, key: string): Promise<boolean>;
};

/** Channels to post in, and posts to edit. */
export function createChannels(options: PostsOptions): SlackChannels {
	const { api, files, delivery, sessions, records, people, installations } = options;
	const { translator, told, whisper, located, isThere, postOf, post } = createPosts(options);

	async function openThread(place: Place, title: string, isPrivate: boolean, asked?: SlackRequest): Promise<Channel> {
		const { server } = place;
		const t = translator(place, asked);
		const apart = isPrivate && asked && !place.direct;
		const home = apart ? directPlace(place, await api.openDirect(server, asked.user)) : outOfThread(place);
		const first = await api.post(home, messageBlocksOf(`💬 ${escaped(title)}`, [], []));
		// Threads don't nest: from within one, and from the channel to direct messages, a link leads there.
		if (asked && (apart || place.thread !== undefined)) {
			const link = await api.permalink(first).catch(() => undefined);
			if (link) await whisper(place, { text: `[${t('slack.directIntro')}](${link})` }, asked, t);
		}
		return channel({ ...home, thread: first.ts }, asked);
	}

	function channel(place: Place, asked?: SlackRequest): Channel {
		const { server } = place;
		return {
			place,
			limits: LIMITS,
			post: (reply, key, options) => post(place, reply, key, options, asked),
			openThread: (title, { private: isPrivate = false } = {}) =>
				told(server, () => openThread(place, title, isPrivate, asked)),
			typing: () => sessions.processing(place, asked?.user),
			when: (at) => timeIn(at, asked && people.known(server, asked.user)),
			refer: token,
		};
	}

	return {
		channel,

		async find({ place, key, data }: MessageHandle): Promise<Post | undefined> {
			if (place.platform !== 'slack') return undefined;
			try {
				const kept = (await records.find(key)) ?? keptFrom(data);
				const there = kept && (await located(place, key, kept));
				if (!there) return undefined;
				if (!(await isThere(place, there))) return undefined;
				return postOf(place, key, there, undefined, data?.['responseUrl']);
			} catch (error) {
				// Who removed the bot has removed its messages from its reach.
				if (error instanceof PlatformLoginError) return undefined;
				throw refusedErrorOf(error);
			}
		},

		async at(place: Place): Promise<Channel | undefined> {
			if (place.platform !== 'slack' || !(await installations.of(place.server))) return undefined;
			return channel(place);
		},

		async direct(place: Place, { id }: { id: string }): Promise<Channel | undefined> {
			if (place.platform !== 'slack' || !(await installations.of(place.server))) return undefined;
			try {
				const direct = await api.openDirect(place.server, id);
				return channel(directPlace(place, direct), { user: id, team: place.server });
			} catch (error) {
				const refused = refusedErrorOf(error);
				if (refused instanceof PlatformRefusedError || codeOf(error) !== undefined) return undefined;
				throw error;
			}
		},

		async handleOf(place: Place, ts: string): Promise<MessageHandle> {
			const { channel, thread } = place;
			const key = (await records.keyOf(messageIdOf(channel, ts))) ?? ts;
			return { place, key, data: dataOf({ channel, ...(thread !== undefined && { thread }), ts, since: 0 }) };
		},

		covered: delivery.covered,

		async uncover(button: string, place: Place, asked: SlackRequest, key: string): Promise<boolean> {
			const images = await delivery.covered(button);
			if (!images) return false;
			return told(place.server, async () => {
				const t = translator(place, asked);
				const { server } = place;
				const channel = place.direct ? place.channel : await api.openDirect(server, asked.user);
				const said = await files.shown(
					server,
					images.map(({ file }) => file),
					() => api.post({ server, channel }, messageBlocksOf('', images, []), key),
				);
				if (place.direct) return true;
				const link = await api.permalink(said).catch(() => undefined);
				const words = t('slack.shownDirect');
				await whisper(place, { text: link ? `[${words}](${link})` : words }, asked, t);
				return true;
			});
		},
	};
}

const outOfThread = ({ thread: _, ...place }: Place): Place => place;

/** Slack shows times in everybody's own zone, but not in its blocks of Markdown: so it is that of who asked, and named. */
function timeIn(at: number, known: ReturnType<People['known']>): string {
	const { person, timeZone = 'UTC' } = known ?? {};
	const style = { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
	const format = new Intl.DateTimeFormat(translatorFor(person?.locale).language, {
		...style,
		timeZone,
		timeZoneName: 'short',
	});
	return format.format(at);
}
