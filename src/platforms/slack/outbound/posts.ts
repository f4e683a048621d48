import {
	type Announcement,
	assertMessageKey,
	MessageGoneError,
	type Picture,
	type Post,
	PostClosedError,
	type PostOptions,
	type Reply,
} from '../../../domain/channel.ts';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import type { Log } from '../../../log.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import { type Image, isShowable, type MessageBlocks, messageBlocksOf } from '../api/blocks.ts';
import type { MessageLocation, Messages, SlackMessage } from '../api/messages.ts';
import type { Pace } from '../api/pace.ts';
import {
	codeOf,
	isEditRefused,
	isMessageGone,
	isOutcomeUnknown,
	isRateLimited,
	refusedErrorOf,
} from '../api/slack-errors.ts';
import type { IncomingFiles } from '../inbound/files.ts';
import type { Installations } from '../installation/installation.ts';
import type { People } from '../people/people.ts';
import { type CoveredPictures, showButton } from './covered-pictures.ts';
import { FileNotReadyError, type SentFile, type SlackFiles } from './files.ts';
import type { MentionNames } from './mentions.ts';
import {
	handleDataOf,
	type MessageRecord,
	messageOf,
	recordFromHandle,
	recordIn,
	type SlackMessageRecords,
} from './message-records.ts';
import type { ResponseUrls } from './response-url.ts';
import type { SlackRequester } from './slack-requester.ts';

/** A status that is posted later is preceded by an ephemeral sentence: Slack takes about one message a second in a channel. */
const SIGN_AFTER_MS = 1000;

/** How long a person waits for Slack's rate limit when pictures of a message are looked up, in milliseconds. */
const MAX_LOOK_WAIT_MS = 3000;

type PostsOptions = {
	messages: Messages;
	index: SlackMessageRecords;
	files: SlackFiles;
	coveredPictures: CoveredPictures;
	names: MentionNames;
	responseUrls: ResponseUrls;
	people: People;
	installations: Installations;
	pace: Pace;
	/** Returns a file to be read later. */
	uploadOf: IncomingFiles['upload'];
	log: Log;
};

/** A message of the bot, as `Post` needs it. */
type PostContext = {
	place: Place;
	key: string;
	requester?: SlackRequester | undefined;
	/** Edits and deletes an ephemeral message, if it came with a press on its button. */
	responseUrl?: string | undefined;
};

/** Posts or replaces a message. @param below files to share in its thread */
type WriteMessage = (body: MessageBlocks, below: readonly SentFile[]) => Promise<SlackMessage>;

/** Messages of the bot: posted once under a key, found again, edited and deleted, also by another process. */
export class SlackPosts {
	readonly #options: PostsOptions;

	constructor(options: PostsOptions) {
		this.#options = options;
	}

	/** Posts a reply, or edits the message that was posted under the key, unless `ifAbsent` leaves that as it is. */
	post(place: Place, reply: Reply, key: string, options: PostOptions = {}, requester?: SlackRequester): Promise<Post> {
		const context = { place, key, requester };
		return this.translateErrors(context, async () => {
			assertMessageKey(key);
			const reused = options.isAnnounced ? undefined : await this.#reuse(context, reply, options);
			return this.#toPost(context, reused ?? (await this.#create(context, reply, options)));
		});
	}

	/** See `Channel.announce`. A private message is in another place, which is not known yet. */
	announcementOf(place: Place, key: string, isPrivate: boolean): Announcement | undefined {
		assertMessageKey(key);
		return isPrivate && !place.direct ? undefined : this.#options.index.announcementOf(key, recordIn(place));
	}

	/** Returns a message by its handle; undefined when it is gone. */
	async find({ place, key, data }: MessageHandle): Promise<Post | undefined> {
		if (place.platform !== 'slack') return undefined;
		const { index, messages, uploadOf } = this.#options;
		const { server } = place;
		try {
			const record = (await index.find(key)) ?? recordFromHandle(data);
			const located = record && (await this.#locate(server, key, record));
			const message = located && messageOf(server, located);
			const link = message && (await messages.permalink(message));
			if (!located || (message && link === undefined)) return undefined;
			const post = this.#toPost({ place, key, responseUrl: data?.['responseUrl'] }, located);
			const pictures = async () => (await this.#filesOf(message, located)).map((id) => uploadOf(server, { id }));
			return Object.assign(post, { pictures, ...(!place.direct && { link }) });
		} catch (error) {
			// The app was removed from the workspace, and with it the access to its messages.
			if (error instanceof PlatformLoginError) return undefined;
			throw refusedErrorOf(error);
		}
	}

	/** Replaces errors of Slack's by sentences that tell people what to do, with the bot's name in them. */
	async translateErrors<Result>(
		{ place, requester }: Pick<PostContext, 'place' | 'requester'>,
		work: () => Promise<Result>,
	): Promise<Result> {
		try {
			return await work();
		} catch (error) {
			const { installations, people } = this.#options;
			const { server } = place;
			const self = codeOf(error) === undefined ? undefined : await installations.of(server).catch(() => undefined);
			const name = self && (await people.person(server, self.botUser)).name;
			throw refusedErrorOf(error, name, { channel: place.channel, isTalk: requester?.isTalk });
		}
	}

	/** Posts an ephemeral message. Returns false when Slack accepts it in no way. */
	async postEphemeral(place: Place, reply: Reply, { user, responseUrl }: SlackRequester): Promise<boolean> {
		const { messages, responseUrls, log } = this.#options;
		const body = await this.#bodyOf(place.server, reply, {}, user);
		const byApi = () =>
			messages.postEphemeral(place, user, body).then(
				() => true,
				(err: unknown) => {
					log.debug({ err }, 'An ephemeral message could not be posted');
					return false;
				},
			);
		const byUrl = async () => responseUrl !== undefined && responseUrls.postEphemeral(responseUrl, body);
		// The response URL works where the bot is not a member, but posts outside of the thread.
		return place.thread === undefined ? (await byUrl()) || (await byApi()) : (await byApi()) || (await byUrl());
	}

	/** Posts an ephemeral message of one sentence that links to a message, as far as Slack returns its address. */
	async postLink(place: Place, sentence: string, to: SlackMessage, requester: SlackRequester): Promise<void> {
		const address = await this.#options.messages.permalink(to).catch(() => undefined);
		await this.postEphemeral(
			place,
			{ text: address === undefined ? sentence : `[${sentence}](${address})` },
			requester,
		);
	}

	/**
	 * Posts the covered pictures of a button to the person who pressed it, as a direct message under a key. Returns false when they are no
	 * longer stored.
	 */
	async showCovered(button: string, place: Place, requester: SlackRequester, key: string): Promise<boolean> {
		const { coveredPictures, messages, files, people } = this.#options;
		const images = await coveredPictures.find(button);
		if (!images) return false;
		const { server } = place;
		await this.translateErrors({ place, requester }, async () => {
			const channel = place.direct ? place.channel : await messages.openDirect(server, requester.user);
			const show = () => messages.post({ server, channel }, messageBlocksOf('', images, []), key);
			const message = await files.whenProcessed(server, idsOf(images), show);
			const sentence = people.translator(server, requester.user)('slack.shownDirect');
			if (!place.direct) await this.postLink(place, sentence, message, requester);
		});
		return true;
	}

	/** Edits the message that was posted under the key before. Returns undefined when there is none, or it takes no more edits. */
	async #reuse(context: PostContext, reply: Reply, options: PostOptions): Promise<MessageRecord | undefined> {
		const { index, messages } = this.#options;
		const { key } = context;
		const { server } = context.place;
		const { ifAbsent = false } = options;
		const record = await index.find(key, options);
		if (!record) return undefined;
		// An ephemeral message cannot be edited, but it was seen.
		if (record.isEphemeral) return ifAbsent ? record : undefined;
		try {
			const located = await this.#locate(server, key, record);
			const message = located && messageOf(server, located);
			if (!message || (ifAbsent && (await messages.permalink(message)) === undefined)) return undefined;
			const reused = ifAbsent ? located : await this.#edit(context, located, reply);
			// The process that posted the message may have ended before it shared the files.
			return await this.#share(message, key, reused, true);
		} catch (error) {
			// Where the bot may not read, the message counts as not posted, so that the person still gets a reply.
			if (isEditRefused(error) || (record.ts === undefined && codeOf(error) !== undefined)) return undefined;
			throw error;
		}
	}

	/** Searches Slack for a message whose `ts` was never stored. Returns undefined when it was not posted. */
	async #locate(server: string, key: string, record: MessageRecord): Promise<MessageRecord | undefined> {
		const { index, messages } = this.#options;
		if (record.ts !== undefined || record.isEphemeral) return record;
		const message = await messages.findByKey({ ...record, server }, key, record.since);
		return message && index.save(key, { ...record, ts: message.ts });
	}

	async #create(context: PostContext, reply: Reply, options: PostOptions): Promise<MessageRecord> {
		const { place, requester } = context;
		if (!requester) return this.#send(context, reply, options);
		if (!place.direct && reply.visibility !== 'private')
			return reply.expected ? this.#sendStatus(context, reply, options) : this.#send(context, reply, options);
		try {
			return await (place.direct ? this.#send(context, reply, options) : this.#sendPrivately(context, reply, options));
		} catch (error) {
			// A sentence needs no direct messages, such as the one that Slack does not allow them.
			const isSentence = !reply.pictures?.length && !reply.files?.length && !reply.expected && !reply.growing;
			if (!isSentence || codeOf(error) === undefined || !(await this.postEphemeral(place, reply, requester)))
				throw error;
			return this.#saveEphemeral(context);
		}
	}

	/** Posts a status. While it waits for Slack, its requester sees that the request was received. */
	async #sendStatus(context: PostContext, reply: Reply, options: PostOptions): Promise<MessageRecord> {
		const { place, requester } = context;
		const { pace, people, responseUrls } = this.#options;
		const { server, channel } = place;
		if (!requester) return this.#send(context, reply, options);
		const text = people.translator(server, requester.user)('slack.received');
		let sign: Promise<boolean> | undefined;
		const show = () => {
			sign ??= this.postEphemeral(place, { text }, requester).catch(() => false);
		};
		if (pace.waitMs(server, 'chat.postMessage', channel) > SIGN_AFTER_MS) show();
		const timer = setTimeout(show, SIGN_AFTER_MS);
		try {
			return await this.#send(context, reply, options);
		} finally {
			clearTimeout(timer);
			const { isCommand, responseUrl } = requester;
			// The response URL of a command replaces what was posted through it.
			void sign?.then(() => isCommand && responseUrl !== undefined && responseUrls.delete(responseUrl));
		}
	}

	/**
	 * Posts a reply in a channel that only the requester sees. Slack shows those as ephemeral messages, which the Web API cannot edit and
	 * which cannot show uploaded pictures (https://github.com/slackapi/node-slack-sdk/issues/1790). Replies that need either are sent as
	 * direct messages, and an ephemeral message in the channel links to them.
	 */
	async #sendPrivately(context: PostContext, reply: Reply, options: PostOptions): Promise<MessageRecord> {
		const { place, requester } = context;
		if (!requester) return this.#send(context, reply, options);
		const needsDirectMessage = requester.needsDirectMessage || Boolean(reply.pictures?.length || reply.files?.length);
		if (!needsDirectMessage && (await this.postEphemeral(place, reply, requester))) return this.#saveEphemeral(context);
		const { messages, people } = this.#options;
		const { server } = place;
		const direct = directPlace(place, await messages.openDirect(server, requester.user));
		const record = await this.#send({ ...context, place: direct }, reply, options);
		const message = messageOf(server, record);
		const sentence = people.translator(server, requester.user)('slack.answeredDirect');
		if (needsDirectMessage && message) await this.postLink(place, sentence, message, requester);
		return record;
	}

	#saveEphemeral({ place: { channel }, key }: PostContext): Promise<MessageRecord> {
		return this.#options.index.save(key, { channel, since: Date.now(), isEphemeral: true });
	}

	/** Posts a message that all readers of the place see. */
	async #send({ place, key, requester }: PostContext, reply: Reply, options: PostOptions): Promise<MessageRecord> {
		const { files, index, messages } = this.#options;
		const { server, channel, thread } = place;
		const location: MessageLocation = { server, channel, thread };
		let record = recordIn(place);
		// The files are sent before the message, so that nothing is posted when Slack refuses them.
		const attached = await files.send(server, reply.files ?? []);
		let { isAnnounced = false } = options;
		const write = async (body: MessageBlocks, pictures: readonly SentFile[]) => {
			const below = [...pictures, ...attached];
			if (below.length > 0) record = { ...record, below };
			if (!isAnnounced || pictures.length > 0) await index.announce(key, record, options);
			if (below.length > 0 && !options.withoutStore) await index.beginShare(server, key);
			isAnnounced = true;
			return messages.post(location, body, key);
		};
		const { message, shown } = await this.#write(server, reply, write, requester);
		const posted = { ...record, ts: message.ts, ...shown };
		// The message is posted: nobody waits for the store.
		void index.save(key, posted);
		return this.#share(message, key, posted);
	}

	/** Replaces the text, the buttons and, if the reply has any, the pictures of a message. Returns its new record. */
	async #edit(context: PostContext, before: MessageRecord, reply: Reply): Promise<MessageRecord> {
		const { messages, index } = this.#options;
		const { place, key, requester } = context;
		const { server } = place;
		const message = messageOf(server, before);
		if (!message) return this.#editEphemeral(context, before, reply);
		const images = before.images ?? (await messages.imagesOf(message));
		if (!reply.pictures) {
			const body = await this.#bodyOf(server, reply, { ...before, images }, requester?.user);
			// Progress waits for nothing, so that it delays no result.
			const progress = reply.expected ? messages.update(message, body, key, 0).catch(unlessLimited) : undefined;
			await (progress ?? messages.update(message, body, key));
			return before;
		}
		const { below = [], isShared: _, ...record } = before;
		const kept = below.filter(({ isPicture }) => !isPicture);
		let announced: MessageRecord = { ...record, ...(kept.length > 0 && { below: kept, isShared: true }) };
		const write = async (body: MessageBlocks, pictures: readonly SentFile[]) => {
			if (pictures.length > 0) {
				announced = { ...record, below: pictures };
				// Pictures are shown also while the store fails.
				await index.announce(key, announced, { withoutStore: true });
			}
			await messages.update(message, body, key);
			return message;
		};
		const { shown } = await this.#write(server, reply, write, requester, { isUpdate: true });
		await this.#removePictures(server, { ...before, images });
		return this.#share(message, key, await index.save(key, { ...announced, ...shown }));
	}

	/** Replaces an ephemeral message through its response URL; without one, posts another. */
	async #editEphemeral(context: PostContext, record: MessageRecord, reply: Reply): Promise<MessageRecord> {
		const { place, requester, responseUrl } = context;
		if (responseUrl !== undefined && !reply.pictures?.length) {
			const body = await this.#bodyOf(place.server, reply, {}, requester?.user);
			if (await this.#options.responseUrls.replace(responseUrl, body)) return record;
		}
		if (!requester) throw new Error('An ephemeral message can no longer be edited');
		return this.#create(context, { ...reply, visibility: 'private' }, {});
	}

	/**
	 * Writes the message of a reply with its pictures, once Slack has processed them. Those that Slack cannot show in a message, or not in
	 * time, are left for its thread.
	 */
	async #write(
		server: string,
		reply: Reply,
		write: WriteMessage,
		requester: SlackRequester | undefined,
		options: { isUpdate?: boolean } = {},
	): Promise<{ message: SlackMessage; shown: Pick<MessageRecord, 'images' | 'covered'> }> {
		const { files, coveredPictures, log } = this.#options;
		const { pictures = [] } = reply;
		// Covered pictures stay out of the thread, where everybody would see them.
		const isBelow = !pictures.some(({ spoiler }) => spoiler) && !pictures.every(isShowable);
		if (isBelow) return this.#writeWithPicturesBelow(server, reply, write, requester);
		const ids = await files.upload(server, pictures);
		const uploaded = pictures.map(({ alt, number, spoiler }, index) => {
			const image: Image = { file: ids[index] ?? '', alt, ...(number && { title: String(number) }) };
			return { image, spoiler };
		});
		const images = uploaded.flatMap(({ image, spoiler }) => (spoiler ? [] : [image]));
		const hidden = uploaded.flatMap(({ image, spoiler }) => (spoiler ? [image] : []));
		const id = hidden.length > 0 ? await coveredPictures.add(server, hidden) : undefined;
		const shown = { images, ...(id !== undefined && { covered: id }) };
		const body = await this.#bodyOf(server, reply, shown, requester?.user);
		if (images.length === 0) return { message: await write(body, []), shown };
		try {
			const message = await files.whenProcessed(server, idsOf(images), () => write(body, []), options);
			return { message, shown };
		} catch (error) {
			// If the message may exist, it keeps its pictures.
			if (!isOutcomeUnknown(error)) await files.remove(server, ids);
			if (!(error instanceof FileNotReadyError)) throw error;
			log.warn({ err: error }, 'Slack cannot show a picture in a message');
			return this.#writeWithPicturesBelow(server, reply, write, requester);
		}
	}

	async #writeWithPicturesBelow(
		server: string,
		reply: Reply & { pictures?: readonly Picture[] },
		write: WriteMessage,
		requester: SlackRequester | undefined,
	) {
		const { files, people } = this.#options;
		const { pictures = [] } = reply;
		const note = people.translator(server, requester?.user)('slack.hiddenPictures', { count: pictures.length });
		const sent = await files.send(server, pictures);
		const body = await this.#bodyOf(server, { ...reply, text: `${reply.text}\n\n*${note}*` }, {}, requester?.user);
		return { message: await write(body, sent), shown: { images: [] } };
	}

	/** Shares the files of a posted message in its thread, unless they are there already. */
	async #share(message: SlackMessage, key: string, record: MessageRecord, isRepeated = false): Promise<MessageRecord> {
		const { files, index } = this.#options;
		if (!record.below?.length || record.isShared) return record;
		await files.shareBelow(message, record.below, isRepeated).catch(async (error: unknown) => {
			// Slack refuses these files for good.
			if (codeOf(error) !== undefined) await index.endShare(message.server, key);
			throw error;
		});
		const shared = await index.save(key, { ...record, isShared: true });
		await index.endShare(message.server, key);
		return shared;
	}

	/** Shares the files that an ended process has left behind, and forgets those of a message that was never posted. */
	async resumeShare(server: string, key: string): Promise<void> {
		const { index } = this.#options;
		const record = await index.find(key);
		const located = record && (await this.#locate(server, key, record));
		const message = located && messageOf(server, located);
		await (message ? this.#share(message, key, located, true) : index.endShare(server, key));
	}

	/** Deletes a message and its files. */
	async #delete(context: PostContext, record: MessageRecord): Promise<void> {
		const { index, messages, responseUrls } = this.#options;
		const { place, key, responseUrl } = context;
		const message = messageOf(place.server, record);
		if (message) {
			const images = record.images ?? (await messages.imagesOf(message).catch(() => []));
			await this.translateErrors(context, () => messages.remove(message));
			await this.#removePictures(place.server, { ...record, images }, true);
			if (record.below) await index.endShare(place.server, key);
		} else if (responseUrl === undefined || !(await responseUrls.delete(responseUrl)))
			throw new Error('An ephemeral message can no longer be deleted');
		await index.forget(key, record);
	}

	/** Returns a message of a reply's text and buttons, with pictures that are uploaded already. */
	async #bodyOf(
		server: string,
		{ text, notify, buttons = [] }: Reply,
		{ images = [], covered }: Pick<MessageRecord, 'images' | 'covered'>,
		user?: string,
	): Promise<MessageBlocks> {
		const { names, people } = this.#options;
		const all = covered === undefined ? buttons : [showButton(covered, people.translator(server, user)), ...buttons];
		return messageBlocksOf(await names.replaceMentions(server, text), images, all, notify);
	}

	/** Returns the files of the pictures that a message shows, also of covered ones. */
	async #filesOf(message: SlackMessage | undefined, { images, covered }: MessageRecord): Promise<string[]> {
		const hidden = covered === undefined ? [] : await this.#options.coveredPictures.imagesOf(covered);
		const recorded = [...(images ?? []), ...hidden];
		if (recorded.length > 0 || !message) return idsOf(recorded);
		// A process may have ended between the message and its record. Unlisted apps may look only once a minute.
		return idsOf(await this.#options.messages.imagesOf(message, MAX_LOOK_WAIT_MS).catch(() => []));
	}

	/** Deletes the pictures that a message no longer shows, and those in its thread. @param all the other files there, too */
	async #removePictures(
		server: string,
		{ images = [], covered, below = [] }: Pick<MessageRecord, 'images' | 'covered' | 'below'>,
		all = false,
	): Promise<void> {
		const hidden = covered === undefined ? [] : await this.#options.coveredPictures.remove(covered);
		const inThread = below.filter(({ isPicture }) => all || isPicture).map(({ id }) => id);
		await this.#options.files.remove(server, [...idsOf([...images, ...hidden]), ...inThread]);
	}

	#toPost(context: PostContext, first: MessageRecord): Post {
		const { place, key, responseUrl } = context;
		let record = first;
		return {
			get handle() {
				return { place, key, data: handleDataOf(record, responseUrl) };
			},
			edit: (reply) =>
				this.translateErrors(context, async () => {
					try {
						record = await this.#edit(context, record, reply);
					} catch (error) {
						if (isMessageGone(error)) throw new MessageGoneError({ cause: error });
						throw isEditRefused(error) ? new PostClosedError({ cause: error }) : error;
					}
				}),
			delete: () => this.#delete(context, record),
		};
	}
}

/** Returns the place of one person's direct messages with the bot, in the workspace of another place. */
export const directPlace = ({ platform, server }: Pick<Place, 'platform' | 'server'>, channel: string): Place => ({
	platform,
	server,
	channel,
	direct: true,
});

function unlessLimited(error: unknown): void {
	if (!isRateLimited(error)) throw error;
}

const idsOf = (images: readonly Image[]) => images.map(({ file }) => file);
