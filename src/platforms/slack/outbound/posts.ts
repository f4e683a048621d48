import type { Post, PostOptions } from '../../../domain/channel.ts';
import { assertMessageKey } from '../../../domain/message-key.ts';
import type { Place } from '../../../domain/place.ts';
import type { Reply } from '../../../domain/reply.ts';
import { type Translate, translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import type { SlackApi } from '../api/api.ts';
import type { MessageBlocks } from '../api/blocks.ts';
import type { MessageRecord, SlackMessageRecords } from '../api/message-records.ts';
import { codeOf, isMessageGone, refusedErrorOf } from '../api/slack-errors.ts';
import type { MessageLocation, SlackMessage } from '../api/slack-message.ts';
import type { People } from '../inbound/people.ts';
import type { Installations } from '../installation/installation.ts';
import type { AgentSessions } from './agent-sessions.ts';
import { type SlackFiles, Unshown } from './files.ts';
import { dataOf } from './message-handles.ts';
import type { PostedReply, ReplyPoster } from './post-reply.ts';
import type { ResponseUrls } from './response-url.ts';
import type { SlackRequest } from './slack-request.ts';
import type { Streams } from './streams.ts';

export type PostsOptions = {
	api: SlackApi;
	answers: ResponseUrls;
	files: SlackFiles;
	delivery: ReplyPoster;
	streams: Streams;
	sessions: AgentSessions;
	records: SlackMessageRecords;
	people: People;
	installations: Installations;
	log: Log;
};

export type Posts = ReturnType<typeof createPosts>;

/** Messages of ours: posted once under a key, edited, found again, and shown to whom they are for. */
export function createPosts(options: PostsOptions) {
	const { api, answers, files, delivery, streams, sessions, records, people, installations, log } = options;

	const translator = ({ server }: Place, asked: SlackRequest | undefined): Translate =>
		translatorFor(asked && people.known(server, asked.user)?.person.locale);

	/** What Slack refuses, in a sentence that a person can do something with. */
	async function told<Result>(server: string, work: () => Promise<Result>): Promise<Result> {
		try {
			return await work();
		} catch (error) {
			const installed = codeOf(error) === undefined ? undefined : await installations.of(server).catch(() => undefined);
			throw refusedErrorOf(error, installed && (await people.person(server, installed.botUser)).name);
		}
	}

	/** It is posted: a store that fails now must not make it look otherwise. */
	async function keep(key: string, kept: MessageRecord): Promise<MessageRecord> {
		await records.save(key, kept).catch((error: unknown) => log.error({ err: error }, 'A message has no record'));
		return kept;
	}

	/** Posts where everybody in the channel, or in the direct messages, sees it. */
	async function postAt(
		spot: MessageLocation,
		place: Place,
		reply: Reply,
		key: string,
		asked?: SlackRequest,
	): Promise<MessageRecord> {
		const { server, channel, thread } = spot;
		const t = translator(place, asked);
		// What is no answer that is being written, is what came of it.
		if (reply.growing === undefined) void sessions.active(spot);
		const about = { channel, ...(thread !== undefined && { thread }), since: Date.now() };
		// Written down before, so that it is looked for if nobody lives to write down where it is.
		await records.save(key, about);
		const streamed = reply.growing === undefined ? undefined : await streams.start({ ...place, channel }, asked, reply);
		if (streamed) return keep(key, { ...about, ts: streamed.ts, images: [] });
		const { pictures = [], files: attachments = [] } = reply;
		/** Files can't be put into a message: it comes with them, or else they come after it. */
		const write = async (body: MessageBlocks): Promise<SlackMessage> => {
			if (attachments.length === 0) return api.post(spot, body, key);
			try {
				return { ...spot, ts: await files.share(server, attachments, { channel, thread }, body.blocks) };
			} catch (error) {
				const refused = ['invalid_arguments', 'invalid_blocks'].includes(codeOf(error) ?? '');
				if (!refused && !(error instanceof Unshown)) throw error;
			}
			const said = await api.post(spot, body, key);
			await files.share(server, attachments, { channel, thread: thread ?? said.ts });
			return said;
		};
		const standing: PostedReply =
			pictures.length > 0
				? await delivery.withPictures(server, { ...reply, pictures }, write, t)
				: { said: await write(await delivery.plain(server, reply, { images: [] }, t)), images: [] };
		return keep(key, { ...about, ...keptOf(standing) });
	}

	/** Shows something to one person for the moment; false when there is no way to. */
	async function whisper(
		{ server, channel, thread }: Place,
		text: Reply,
		asked: SlackRequest,
		t: Translate,
	): Promise<boolean> {
		const body = await delivery.plain(server, text, { images: [] }, t);
		const inPlace = () =>
			api.postEphemeral({ server, channel, thread }, asked.user, body).then(
				() => true,
				(error: unknown) => {
					log.debug({ err: error }, 'Something could not be said to one person in a channel');
					return false;
				},
			);
		const byAddress = async () => asked.responseUrl !== undefined && (await answers.whisper(asked.responseUrl, body));
		// An answer by the address stands in the channel, not in the thread; but it is let through where the bot is not.
		return thread === undefined ? (await byAddress()) || (await inPlace()) : (await inPlace()) || (await byAddress());
	}

	/**
	 * What is for one person alone. Slack shows that in the channel, for the moment: it can't be edited then, nor have pictures
	 * (https://github.com/slackapi/node-slack-sdk/issues/1790). So whatever needs this is said in direct messages, and the channel
	 * is told to look there.
	 */
	async function postPrivately(place: Place, reply: Reply, key: string, asked: SlackRequest): Promise<MessageRecord> {
		const { server, channel } = place;
		const t = translator(place, asked);
		const needsMore = asked.inDirect || (reply.pictures ?? []).length > 0 || (reply.files ?? []).length > 0;
		if (!needsMore && (await whisper(place, reply, asked, t)))
			return keep(key, { channel, since: Date.now(), fleeting: true });
		const direct = await api.openDirect(server, asked.user);
		const kept = await postAt({ server, channel: direct }, directPlace(place, direct), reply, key, asked);
		const link = kept.ts === undefined ? undefined : await linkTo(server, { ...kept, ts: kept.ts });
		const pointer = link ? `[${t('slack.answeredDirect')}](${link})` : t('slack.answeredDirect');
		if (needsMore) await whisper(place, { text: pointer }, asked, t);
		return kept;
	}

	const linkTo = (server: string, kept: MessageRecord & { ts: string }) =>
		api.permalink({ ...kept, server }).catch(() => undefined);

	const say = (place: Place, reply: Reply, key: string, asked?: SlackRequest): Promise<MessageRecord> =>
		asked && reply.visibility === 'private' && !place.direct
			? postPrivately(place, reply, key, asked)
			: postAt(place, place, reply, key, asked);

	async function edit(
		place: Place,
		key: string,
		kept: MessageRecord,
		reply: Reply,
		asked?: SlackRequest,
		url?: string,
	): Promise<MessageRecord> {
		const { server } = place;
		const t = translator(place, asked);
		if (kept.ts === undefined) {
			const body = await delivery.plain(server, reply, { images: [] }, t);
			if (url !== undefined && !reply.pictures?.length && (await answers.replace(url, body))) return kept;
			if (!asked) throw new Error('What one person saw for the moment is not there any more');
			return say(place, { ...reply, visibility: 'private' }, key, asked);
		}
		const said: SlackMessage = { server, channel: kept.channel, thread: kept.thread, ts: kept.ts };
		const { pictures } = reply;
		if ((await streams.write(said, reply)) && !pictures) return kept;
		const write = async (body: MessageBlocks) => {
			await update(said, body);
			return said;
		};
		const before = { images: kept.images ?? (await api.imagesOf(said)), covered: kept.covered };
		if (!pictures) {
			await write(await delivery.plain(server, reply, before, t));
			return kept;
		}
		const standing =
			pictures.length > 0
				? await delivery.withPictures(server, { ...reply, pictures }, write, t)
				: { said: await write(await delivery.plain(server, reply, { images: [] }, t)), images: [] };
		await delivery.forget(server, before);
		return keep(key, { ...kept, ...keptOf(standing) });
	}

	async function update(said: SlackMessage, body: MessageBlocks): Promise<void> {
		try {
			await api.update(said, body);
		} catch (error) {
			if (codeOf(error) !== 'streaming_state_conflict') throw error;
			await streams.stop(said);
			await api.update(said, body);
		}
	}

	/** @param url takes the place of what only one person sees, where that was pressed on */
	function postOf(place: Place, key: string, first: MessageRecord, asked?: SlackRequest, url?: string): Post {
		let kept = first;
		return {
			get handle() {
				return { place, key, data: dataOf(kept, url) };
			},
			async edit(reply) {
				kept = await told(place.server, () => edit(place, key, kept, reply, asked, url));
			},
			async delete() {
				if (kept.ts === undefined) {
					if (url === undefined || !(await answers.remove(url)))
						throw new Error('What one person saw for the moment is not there any more');
				} else {
					const said = { ...kept, server: place.server, ts: kept.ts };
					const images = kept.images ?? (await api.imagesOf(said).catch(() => []));
					await told(place.server, () => api.remove(said));
					await delivery.forget(place.server, { images, covered: kept.covered });
				}
				await records.forget(key, kept);
			},
		};
	}

	/** Where a message is that may have been posted: nobody lived to write it down. */
	async function located(place: Place, key: string, kept: MessageRecord): Promise<MessageRecord | undefined> {
		if (kept.ts !== undefined || kept.fleeting) return kept;
		const said = await api.findByKey({ ...kept, server: place.server }, key, kept.since);
		return said && keep(key, { ...kept, ts: said.ts });
	}

	/** Where the bot may not look, it may not have posted: who asked is still to be answered. */
	const lookedFor = (place: Place, key: string, kept: MessageRecord): Promise<MessageRecord | undefined> =>
		located(place, key, kept).catch((error: unknown) => {
			if (codeOf(error) === undefined) throw error;
			return undefined;
		});

	/** Somebody may have deleted it. */
	const isThere = async ({ server }: Place, kept: MessageRecord): Promise<boolean> =>
		kept.ts === undefined || (await api.permalink({ ...kept, server, ts: kept.ts })) !== undefined;

	async function post(
		place: Place,
		reply: Reply,
		key: string,
		{ ifAbsent = false }: PostOptions,
		asked?: SlackRequest,
	): Promise<MessageRecord> {
		assertMessageKey(key);
		const known = await records.find(key);
		// What one person saw for the moment can't be edited, but it was seen.
		const there = known && (ifAbsent || !known.fleeting) ? await lookedFor(place, key, known) : undefined;
		if (there && ifAbsent && (await isThere(place, there))) return there;
		if (there && !ifAbsent) {
			try {
				return await edit(place, key, there, reply, asked);
			} catch (error) {
				if (!isMessageGone(error)) throw error;
			}
		}
		return say(place, reply, key, asked);
	}

	return {
		/** In whose language something is said. */
		translator,
		told,
		whisper,
		located,
		isThere,
		postOf,
		/** Posts a message, or edits the one that is there under its key, unless it may stay as it is. */
		post: (place: Place, reply: Reply, key: string, options: PostOptions = {}, asked?: SlackRequest): Promise<Post> =>
			told(place.server, async () => postOf(place, key, await post(place, reply, key, options, asked), asked)),
	};
}

/** The direct messages that belong to a place. */
export const directPlace = ({ platform, server }: Place, channel: string): Place => ({
	platform,
	server,
	channel,
	direct: true,
});

const keptOf = ({ said, images, covered }: PostedReply) => ({ ts: said.ts, images, ...(covered && { covered }) });
