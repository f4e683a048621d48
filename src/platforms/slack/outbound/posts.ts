import {
	type Announcement,
	assertMessageKey,
	MessageGoneError,
	type MessageHandle,
	type Place,
	type Post,
	PostClosedError,
	type PostOptions,
	type Reply,
	type Upload,
} from '../../../domain/channel.ts';
import { PlatformLoginError } from '../../shared/login-error.ts';
import { type Image, imageBlockOf, imagesIn, type MessageBlocks } from '../api/blocks.ts';
import {
	directPlace,
	findByKey,
	imagesOf,
	openDirect,
	permalinkOf,
	postMessage,
	readContent,
	removeMessage,
	updateMessage,
} from '../api/messages.ts';
import { codeOf, isEditRefused, isMessageGone, isRateLimited, refusedErrorOf, unless } from '../api/slack-errors.ts';
import { uploadOf } from '../inbound/files.ts';
import type { Slack } from '../slack.ts';
import { sendFiles, shareBelow } from './files.ts';
import {
	handleDataOf,
	type MessageRecord,
	messageOf,
	recordFromHandle,
	recordIn,
	type Shown,
} from './message-records.ts';
import {
	bodyOf,
	MAX_LOOK_WAIT_MS,
	pictureFilesOf,
	postEphemeral,
	postLink,
	removeShown,
	respond,
	type SlackRequester,
	type Target,
	write,
} from './replies.ts';

/** A status that is posted later is preceded by an ephemeral sentence: Slack takes about one message a second in a channel. */
const SIGN_AFTER_MS = 1000;

type OwnMessageOptions = {
	place: Place;
	key: string;
	/** Whose request it answers. */
	requester?: SlackRequester | undefined;
};

/** A message of the bot, also before it exists: posted once under its key, found again, edited and deleted, also by another process. */
export class OwnMessage implements Post {
	readonly #slack: Slack;
	readonly #own: OwnMessageOptions;
	#record: MessageRecord;
	link?: string;
	pictures?: () => Promise<readonly Upload[]>;

	constructor(slack: Slack, own: OwnMessageOptions) {
		this.#slack = slack;
		this.#own = own;
		this.#record = recordIn(own.place);
	}

	get handle(): MessageHandle {
		const { place, key } = this.#own;
		return { place, key, data: handleDataOf(this.#record) };
	}

	/** See `Channel.announce`. A private message is in another place, which is not known yet. */
	announcement(isPrivate: boolean): Announcement {
		assertMessageKey(this.#own.key);
		return isPrivate && !this.#own.place.direct ? {} : this.#slack.records.announcementOf(this.#own.key, this.#record);
	}

	/** Posts a reply, or edits the message that was posted under the key, unless `ifAbsent` leaves that as it is. */
	async post(reply: Reply, options: PostOptions = {}): Promise<Post> {
		assertMessageKey(this.#own.key);
		await this.#translateErrors(async () => {
			if (options.isAnnounced || !(await this.#reuse(reply, options))) await this.#create(reply, options);
		});
		return this;
	}

	edit(reply: Reply): Promise<void> {
		return this.#translateErrors(async () => {
			try {
				await this.#edit(reply);
			} catch (error) {
				if (isMessageGone(error)) throw new MessageGoneError({ cause: error });
				throw isEditRefused(error) ? new PostClosedError({ cause: error }) : error;
			}
		});
	}

	describe(alts: readonly string[]): Promise<boolean> {
		return this.#translateErrors(() => this.#describe(alts));
	}

	async delete(): Promise<void> {
		const message = this.#message;
		const { responseUrl } = this.#record;
		if (message) {
			const images = this.#record.images ?? (await imagesOf(this.#slack, message).catch(() => []));
			await this.#translateErrors(() => removeMessage(this.#slack, message));
			await removeShown(this.#slack, message.server, { ...this.#record, images }, true);
		} else if (responseUrl === undefined || !(await respond(this.#slack, responseUrl, 'delete')))
			throw new Error('An ephemeral message can no longer be deleted');
		await this.#slack.records.forget(this.#own.key, this.#record);
	}

	/** Finds it, by what its handle has stored if there is no record of its key. Returns undefined when it is gone. */
	async find(data: Record<string, string> | undefined): Promise<Post | undefined> {
		const { place, key } = this.#own;
		try {
			const record = (await this.#slack.records.find(key)) ?? recordFromHandle(data);
			if (!record || !(await this.#locate(record))) return undefined;
			const link = this.#message && (await permalinkOf(this.#slack, this.#message));
			if (this.#message && link === undefined) return undefined;
			if (!place.direct) this.link = link;
			this.pictures = async () => {
				const files = await pictureFilesOf(this.#slack, this.#message, this.#record);
				return files.map((id) => uploadOf(this.#slack, place.server, { id }));
			};
			return this;
		} catch (error) {
			// The app was removed from the workspace, and with it the access to its messages.
			if (error instanceof PlatformLoginError) return undefined;
			throw refusedErrorOf(error);
		}
	}

	/** Undefined while it is not posted, and for an ephemeral one. */
	get #message() {
		return messageOf(this.#own.place.server, this.#record);
	}

	get #target(): Target {
		const { place, key, requester } = this.#own;
		return { server: place.server, key, t: this.#slack.people.translator(place.server, requester?.user) };
	}

	#translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
		return translateErrors(this.#slack, this.#own.place, this.#own.requester, work);
	}

	/** Edits the message that was posted under the key before. Returns false when there is none, or it takes no more edits. */
	async #reuse(reply: Reply, options: PostOptions): Promise<boolean> {
		const { ifAbsent = false } = options;
		const record = await this.#slack.records.find(this.#own.key, options);
		if (!record) return false;
		try {
			if (!(await this.#locate(record))) return false;
			// An ephemeral message cannot be edited, but it was seen.
			if (!this.#message) return ifAbsent;
			if (!ifAbsent) await this.#edit(reply);
			else if ((await permalinkOf(this.#slack, this.#message)) === undefined) return false;
			// The process that posted the message may have ended before it shared the files.
			await this.#share(true);
			return true;
		} catch (error) {
			// Where the bot may not read, the message counts as not posted, so that the person still gets a reply.
			if (isEditRefused(error) || (record.ts === undefined && codeOf(error) !== undefined)) return false;
			throw error;
		}
	}

	/** Takes a record, and searches Slack for a message whose `ts` was never stored. Returns false when it was not posted. */
	async #locate(record: MessageRecord): Promise<boolean> {
		const { channel, thread, ts, since, isEphemeral } = record;
		this.#record = record;
		if (ts !== undefined || isEphemeral) return true;
		const location = { server: this.#own.place.server, channel, thread };
		const found = await findByKey(this.#slack, location, this.#own.key, since);
		if (found) await this.#save({ ...record, ts: found.ts });
		return found !== undefined;
	}

	async #save(record: MessageRecord): Promise<void> {
		this.#record = record;
		await this.#slack.records.save(this.#own.key, record);
	}

	async #create(reply: Reply, options: PostOptions): Promise<void> {
		const { place, requester } = this.#own;
		const isShared = !place.direct && reply.visibility !== 'private';
		if (!requester || (isShared && !reply.expected)) return this.#send(place, reply, options);
		if (isShared) return this.#sendStatus(requester, reply, options);
		try {
			await (place.direct ? this.#send(place, reply, options) : this.#sendPrivately(requester, reply, options));
		} catch (error) {
			// A sentence needs no direct messages, such as the one that Slack does not allow them.
			if (!isSentence(reply)) throw error;
			if (await this.#sendEphemeral(requester, reply)) return;
			if (place.direct) throw error;
			// Nothing reaches the requester alone, and everybody may know that.
			await this.#send(place, { text: this.#target.t('slack.errors.direct') }, options);
		}
	}

	/** Posts a status. While it waits for Slack, its requester sees that the request was received. */
	async #sendStatus(requester: SlackRequester, reply: Reply, options: PostOptions): Promise<void> {
		const { place } = this.#own;
		const { server, channel } = place;
		const received = { text: this.#target.t('slack.received') };
		let sign: Promise<boolean> | undefined;
		const show = () => {
			sign ??= postEphemeral(this.#slack, place, received, requester).catch(() => false);
		};
		if (this.#slack.calls.pace.waitMs(server, 'chat.postMessage', channel) > SIGN_AFTER_MS) show();
		const timer = setTimeout(show, SIGN_AFTER_MS);
		try {
			await this.#send(place, reply, options);
		} finally {
			clearTimeout(timer);
			const { isCommand, responseUrl } = requester;
			// The response URL of a command replaces what was posted through it.
			void sign?.then(() => isCommand && responseUrl !== undefined && respond(this.#slack, responseUrl, 'delete'));
		}
	}

	/**
	 * Posts a reply in a channel that only the requester sees. Slack shows those as ephemeral messages, which the Web API cannot edit and
	 * which cannot show uploaded pictures (https://github.com/slackapi/node-slack-sdk/issues/1790). Replies that need either are sent as
	 * direct messages, and an ephemeral message in the channel links to them.
	 */
	async #sendPrivately(requester: SlackRequester, reply: Reply, options: PostOptions): Promise<void> {
		if (isSentence(reply) && (await this.#sendEphemeral(requester, reply))) return;
		const direct = await openDirect(this.#slack, this.#own.place.server, requester.user);
		await this.#send(directPlace(this.#own.place.server, direct), reply, { ...options, isAnnounced: false });
		if (!isSentence(reply) && this.#message)
			await postLink(this.#slack, this.#own.place, this.#target.t('slack.answeredDirect'), this.#message, requester);
	}

	/** Returns false when Slack accepts it in no way. */
	async #sendEphemeral(requester: SlackRequester, reply: Reply): Promise<boolean> {
		if (!(await postEphemeral(this.#slack, this.#own.place, reply, requester))) return false;
		await this.#save({ channel: this.#own.place.channel, since: Date.now(), isEphemeral: true });
		return true;
	}

	/** Posts a message that all readers of the place see. */
	async #send(place: Place, reply: Reply, options: PostOptions): Promise<void> {
		const { records } = this.#slack;
		const { server, channel, thread } = place;
		const about = recordIn(place);
		// The files are sent before the message, so that nothing is posted when Slack refuses them.
		const attached = await sendFiles(this.#slack, server, reply.files ?? []);
		let { isAnnounced = false } = options;
		this.#record = await write(this.#slack, this.#target, reply, async (body, shown) => {
			const below = [...(shown.below ?? []), ...attached];
			const record = { ...about, ...shown, ...(below.length > 0 && { below }) };
			if (!isAnnounced || shown.below || shown.covered) await records.announce(this.#own.key, record, options);
			isAnnounced = true;
			const { ts } = await postMessage(this.#slack, { server, channel, thread }, body, this.#own.key);
			return { ...record, ts };
		});
		// The message is posted: nobody waits for the store.
		void records.save(this.#own.key, this.#record);
		await this.#share();
	}

	async #edit(reply: Reply): Promise<void> {
		const [message, before] = [this.#message, this.#record];
		if (!message) return this.#editEphemeral(reply);
		const images = before.images ?? (await imagesOf(this.#slack, message));
		if (!reply.pictures) {
			const body = await bodyOf(this.#slack, this.#target, reply, { ...before, images });
			const update = (maxWaitMs?: number) => updateMessage(this.#slack, message, body, this.#own.key, maxWaitMs);
			// Progress waits for nothing, so that it delays no result.
			return reply.expected ? update(0).catch(unless(isRateLimited)) : update();
		}
		const { channel, thread, ts, since, isShared } = before;
		const files = before.below?.filter(({ isPicture }) => !isPicture) ?? [];
		const put = async (body: MessageBlocks, shown: Shown) => {
			const kept = files.length > 0 && !shown.below && { below: files, isShared };
			const record = { channel, thread, ts, since, ...kept, ...shown };
			// Pictures are shown also while the store fails.
			if (shown.below || shown.covered)
				await this.#slack.records.announce(this.#own.key, record, { withoutStore: true });
			await updateMessage(this.#slack, message, body, this.#own.key);
			return record;
		};
		const record = await write(this.#slack, this.#target, reply, put, true);
		await removeShown(this.#slack, message.server, { ...before, images });
		await this.#save(record);
		await this.#share();
	}

	/**
	 * Replaces the alt texts of the pictures in the message, and of covered ones, which are shown from its record. Files keep theirs: Slack
	 * takes it with an upload only. https://docs.slack.dev/reference/methods/files.getUploadURLExternal
	 */
	async #describe(alts: readonly string[]): Promise<boolean> {
		const [message, { covered = [], below = [] }] = [this.#message, this.#record];
		if (!message || below.some(({ isPicture }) => isPicture)) return false;
		const left = [...alts];
		const described = ({ alt, ...image }: Image): Image => ({ ...image, alt: left.shift() ?? alt });
		if (covered.length > 0) {
			await this.#save({ ...this.#record, covered: covered.map(described) });
			return true;
		}
		const { text, blocks } = await readContent(this.#slack, message, MAX_LOOK_WAIT_MS);
		const changed = blocks.map((block) => imagesIn([block]).map(described).map(imageBlockOf)[0] ?? block);
		const images = imagesIn(changed);
		if (images.length === 0) return false;
		await updateMessage(this.#slack, message, { text, blocks: changed }, this.#own.key);
		await this.#save({ ...this.#record, images });
		return true;
	}

	/** Replaces an ephemeral message through its response URL; without one, posts another. */
	async #editEphemeral(reply: Reply): Promise<void> {
		const { responseUrl } = this.#record;
		if (responseUrl !== undefined && !reply.pictures?.length) {
			const body = await bodyOf(this.#slack, this.#target, reply);
			if (await respond(this.#slack, responseUrl, 'replace', body)) return;
		}
		if (!this.#own.requester) throw new Error('An ephemeral message can no longer be edited');
		await this.#create({ ...reply, visibility: 'private' }, {});
	}

	/** Shares the files of the posted message in its thread, unless they are there already. */
	async #share(isRepeated = false): Promise<void> {
		const { below = [], isShared } = this.#record;
		if (!this.#message || below.length === 0 || isShared) return;
		await shareBelow(this.#slack, this.#message, below, isRepeated);
		await this.#save({ ...this.#record, isShared: true });
	}
}

/** Whether a reply will not be edited and shows nothing but words. */
const isSentence = ({ pictures = [], files = [], expected, growing }: Reply): boolean =>
	pictures.length + files.length === 0 && !expected && !growing;

/** Replaces errors of Slack's by sentences that tell people what to do, with the bot's name in them. */
export async function translateErrors<Result>(
	{ workspaces, people }: Slack,
	{ server, channel }: Place,
	requester: SlackRequester | undefined,
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		const self = codeOf(error) === undefined ? undefined : await workspaces.of(server).catch(() => undefined);
		const name = self && (await people.person(server, self.botUser)).name;
		throw refusedErrorOf(error, name, { channel, isTalk: requester?.isTalk });
	}
}

/** See `Platform.find`. */
export const findPost = async (slack: Slack, { place, key, data }: MessageHandle): Promise<Post | undefined> =>
	place.platform === 'slack' ? new OwnMessage(slack, { place, key }).find(data) : undefined;
