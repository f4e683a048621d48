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
import { type Image, imageBlockOf, imagesIn, isShowable, type MessageBlocks } from '../api/blocks.ts';
import {
	bodyOf,
	directPlace,
	findByKey,
	imagesOf,
	messageAt,
	openDirect,
	permalinkOf,
	postEphemeral,
	postLink,
	postMessage,
	removeMessage,
	respond,
	type SlackRequester,
	updateMessage,
} from '../api/messages.ts';
import {
	codeOf,
	isEditRefused,
	isMessageGone,
	isOutcomeUnknown,
	isRateLimited,
	refusedErrorOf,
	unless,
} from '../api/slack-errors.ts';
import { uploadOf } from '../inbound/files.ts';
import type { Slack } from '../slack.ts';
import {
	FileNotReadyError,
	idsOf,
	removeFiles,
	sendFiles,
	shareBelow,
	uploadPictures,
	whenProcessed,
} from './files.ts';
import {
	handleDataOf,
	type MessageRecord,
	messageOf,
	recordFromHandle,
	recordIn,
	type Shown,
	showButton,
} from './message-records.ts';

/** A status that is posted later is preceded by an ephemeral sentence: Slack takes about one message a second in a channel. */
const SIGN_AFTER_MS = 1000;

/** How long a person waits for Slack's rate limit when pictures of a message are looked up, in milliseconds. */
const MAX_LOOK_WAIT_MS = 3000;

/** Posts or replaces a message. It may be called a second time, with other content. */
type Put = (body: MessageBlocks, shown: Shown) => Promise<MessageRecord>;

/** A message of the bot, also before it exists: posted once under its key, found again, edited and deleted, also by another process. */
export class OwnMessage implements Post {
	readonly #slack: Slack;
	readonly #place: Place;
	readonly #key: string;
	readonly #requester: SlackRequester | undefined;
	#record: MessageRecord;
	link?: string;
	pictures?: () => Promise<readonly Upload[]>;

	/** @param requester whose request it answers */
	constructor(slack: Slack, place: Place, key: string, requester?: SlackRequester) {
		this.#slack = slack;
		this.#place = place;
		this.#key = key;
		this.#requester = requester;
		this.#record = recordIn(place);
	}

	get handle(): MessageHandle {
		return { place: this.#place, key: this.#key, data: handleDataOf(this.#record) };
	}

	/** See `Channel.announce`. A private message is in another place, which is not known yet. */
	announcement(isPrivate: boolean): Announcement {
		assertMessageKey(this.#key);
		return isPrivate && !this.#place.direct ? {} : this.#slack.records.announcementOf(this.#key, this.#record);
	}

	/** Posts a reply, or edits the message that was posted under the key, unless `ifAbsent` leaves that as it is. */
	async post(reply: Reply, options: PostOptions = {}): Promise<Post> {
		assertMessageKey(this.#key);
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

	/**
	 * Replaces the alt texts of the pictures in the message, and of covered ones, which are shown from its record. Files keep theirs: Slack
	 * takes it with an upload only. https://docs.slack.dev/reference/methods/files.getUploadURLExternal
	 */
	describe(alts: readonly string[]): Promise<boolean> {
		return this.#translateErrors(async () => {
			const [message, { covered = [], below = [] }] = [this.#message, this.#record];
			if (!message || below.some(({ isPicture }) => isPicture)) return false;
			const left = [...alts];
			const described = ({ alt, ...image }: Image): Image => ({ ...image, alt: left.shift() ?? alt });
			if (covered.length > 0) {
				await this.#save({ ...this.#record, covered: covered.map(described) });
				return true;
			}
			const { text = '', blocks = [] } = (await messageAt(this.#slack, message, MAX_LOOK_WAIT_MS)) ?? {};
			const shown = blocks as MessageBlocks['blocks'];
			const changed = shown.map((block) => imagesIn([block]).map(described).map(imageBlockOf)[0] ?? block);
			const images = imagesIn(changed);
			if (images.length === 0) return false;
			await updateMessage(this.#slack, message, { text, blocks: changed }, this.#key);
			await this.#save({ ...this.#record, images });
			return true;
		});
	}

	async delete(): Promise<void> {
		const [message, before] = [this.#message, this.#record];
		if (message) {
			const images = before.images ?? (await imagesOf(this.#slack, message).catch(() => []));
			await this.#translateErrors(() => removeMessage(this.#slack, message));
			await this.#removeFiles({ ...before, images }, true);
		} else if (!before.responseUrl || !(await respond(this.#slack, before.responseUrl, 'delete')))
			throw new Error('An ephemeral message can no longer be deleted');
		await this.#slack.records.forget(this.#key, before);
	}

	/** Finds it, by what its handle has stored if there is no record of its key. Returns undefined when it is gone. */
	async find(data: Record<string, string> | undefined): Promise<Post | undefined> {
		try {
			const record = (await this.#slack.records.find(this.#key)) ?? recordFromHandle(data);
			if (!record || !(await this.#locate(record))) return undefined;
			const link = this.#message && (await permalinkOf(this.#slack, this.#message));
			if (this.#message && link === undefined) return undefined;
			if (!this.#place.direct) this.link = link;
			this.pictures = () => this.#uploads();
			return this;
		} catch (error) {
			// The app was removed from the workspace, and with it the access to its messages.
			if (error instanceof PlatformLoginError) return undefined;
			throw refusedErrorOf(error);
		}
	}

	/** Undefined while it is not posted, and for an ephemeral one. */
	get #message() {
		return messageOf(this.#place.server, this.#record);
	}

	get #t() {
		return this.#slack.people.translator(this.#place.server, this.#requester?.user);
	}

	#translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
		return translateErrors(this.#slack, this.#place, this.#requester, work);
	}

	async #uploads(): Promise<Upload[]> {
		const { images = [], covered = [] } = this.#record;
		let shown = idsOf([...images, ...covered]);
		// A process may have ended between the message and its record. Unlisted apps may look only once a minute.
		if (shown.length === 0 && this.#message)
			shown = idsOf(await imagesOf(this.#slack, this.#message, MAX_LOOK_WAIT_MS).catch(() => []));
		return shown.map((id) => uploadOf(this.#slack, this.#place.server, { id }));
	}

	/** Edits the message that was posted under the key before. Returns false when there is none, or it takes no more edits. */
	async #reuse(reply: Reply, options: PostOptions): Promise<boolean> {
		const { ifAbsent = false } = options;
		const record = await this.#slack.records.find(this.#key, options);
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
		const found = await findByKey(this.#slack, { server: this.#place.server, channel, thread }, this.#key, since);
		if (found) await this.#save({ ...record, ts: found.ts });
		return found !== undefined;
	}

	async #save(record: MessageRecord): Promise<void> {
		this.#record = record;
		await this.#slack.records.save(this.#key, record);
	}

	/**
	 * Posts a reply. One that only the requester sees in a channel is an ephemeral message, which the Web API cannot edit and which cannot show
	 * uploaded pictures (https://github.com/slackapi/node-slack-sdk/issues/1790). Replies that need either are sent as direct messages, and an
	 * ephemeral message in the channel links to them.
	 */
	async #create(reply: Reply, options: PostOptions): Promise<void> {
		const [slack, place, requester] = [this.#slack, this.#place, this.#requester];
		const isShared = !place.direct && reply.visibility !== 'private';
		if (!requester || (isShared && !reply.expected)) return this.#send(place, reply, options);
		if (isShared) return this.#sendStatus(requester, reply, options);
		const { pictures = [], files = [], expected, growing } = reply;
		const isSentence = pictures.length + files.length === 0 && !expected && !growing;
		if (isSentence && !place.direct && (await this.#sendEphemeral(requester, reply))) return;
		try {
			if (place.direct) return await this.#send(place, reply, options);
			const direct = await openDirect(slack, place.server, requester.user);
			await this.#send(directPlace(place.server, direct), reply, { ...options, isAnnounced: false });
			if (!isSentence && this.#message)
				await postLink(slack, place, this.#t('slack.answeredDirect'), this.#message, requester);
		} catch (error) {
			// A sentence needs no direct messages, such as the one that Slack does not allow them.
			if (!isSentence) throw error;
			// Nothing reaches the requester alone, and everybody may know that.
			if (!place.direct) return this.#send(place, { text: this.#t('slack.errors.direct') }, options);
			if (!(await this.#sendEphemeral(requester, reply))) throw error;
		}
	}

	/** Posts a status. While it waits for Slack, its requester sees that the request was received. */
	async #sendStatus(requester: SlackRequester, reply: Reply, options: PostOptions): Promise<void> {
		const [slack, place] = [this.#slack, this.#place];
		let sign: Promise<boolean> | undefined;
		const show = () => {
			sign ??= postEphemeral(slack, place, { text: this.#t('slack.received') }, requester).catch(() => false);
		};
		if (slack.calls.pace.waitMs(place.server, 'chat.postMessage', place.channel) > SIGN_AFTER_MS) show();
		const timer = setTimeout(show, SIGN_AFTER_MS);
		try {
			await this.#send(place, reply, options);
		} finally {
			clearTimeout(timer);
			const { isCommand, responseUrl } = requester;
			// The response URL of a command replaces what was posted through it.
			void sign?.then(() => isCommand && responseUrl !== undefined && respond(slack, responseUrl, 'delete'));
		}
	}

	/** Returns false when Slack accepts it in no way. */
	async #sendEphemeral(requester: SlackRequester, reply: Reply): Promise<boolean> {
		if (!(await postEphemeral(this.#slack, this.#place, reply, requester))) return false;
		await this.#save({ channel: this.#place.channel, since: Date.now(), isEphemeral: true });
		return true;
	}

	/** Posts a message that all readers of the place see. */
	async #send(place: Place, reply: Reply, options: PostOptions): Promise<void> {
		const { records } = this.#slack;
		const about = recordIn(place);
		// The files are sent before the message, so that nothing is posted when Slack refuses them.
		const attached = await sendFiles(this.#slack, place.server, reply.files ?? []);
		let { isAnnounced = false } = options;
		this.#record = await this.#write(reply, async (body, shown) => {
			const below = [...(shown.below ?? []), ...attached];
			const record = { ...about, ...shown, ...(below.length > 0 && { below }) };
			if (!isAnnounced || shown.below || shown.covered) await records.announce(this.#key, record, options);
			isAnnounced = true;
			const { ts } = await postMessage(this.#slack, place, body, this.#key);
			return { ...record, ts };
		});
		// The message is posted: nobody waits for the store.
		void records.save(this.#key, this.#record);
		await this.#share();
	}

	async #edit(reply: Reply): Promise<void> {
		const [slack, key, message, before] = [this.#slack, this.#key, this.#message, this.#record];
		if (!message) return this.#editEphemeral(reply);
		const images = before.images ?? (await imagesOf(slack, message));
		if (!reply.pictures) {
			const body = await this.#bodyOf(reply, { ...before, images });
			// Progress waits for nothing, so that it delays no result.
			if (reply.expected) return updateMessage(slack, message, body, key, 0).catch(unless(isRateLimited));
			return updateMessage(slack, message, body, key);
		}
		const { channel, thread, ts, since, isShared } = before;
		const files = before.below?.filter(({ isPicture }) => !isPicture) ?? [];
		const put = async (body: MessageBlocks, shown: Shown) => {
			const kept = files.length > 0 && !shown.below && { below: files, isShared };
			const record = { channel, thread, ts, since, ...kept, ...shown };
			// Pictures are shown also while the store fails.
			if (shown.below || shown.covered) await slack.records.announce(key, record, { withoutStore: true });
			await updateMessage(slack, message, body, key);
			return record;
		};
		const record = await this.#write(reply, put, true);
		await this.#removeFiles({ ...before, images });
		await this.#save(record);
		await this.#share();
	}

	/** Replaces an ephemeral message through its response URL; without one, posts another. */
	async #editEphemeral(reply: Reply): Promise<void> {
		const { responseUrl } = this.#record;
		if (responseUrl !== undefined && !reply.pictures?.length)
			if (await respond(this.#slack, responseUrl, 'replace', await this.#bodyOf(reply))) return;
		if (!this.#requester) throw new Error('An ephemeral message can no longer be edited');
		await this.#create({ ...reply, visibility: 'private' }, {});
	}

	/**
	 * Writes the message of a reply with its pictures, once Slack has processed them. Those that Slack cannot show in a message, or not in
	 * time, are left for its thread.
	 */
	async #write(reply: Reply, put: Put, isUpdate = false): Promise<MessageRecord> {
		const [slack, { server }] = [this.#slack, this.#place];
		const { pictures = [] } = reply;
		const putWithPicturesBelow = async () => {
			const note = this.#t('slack.hiddenPictures', { count: pictures.length });
			const below = await sendFiles(slack, server, pictures);
			return put(await this.#bodyOf({ ...reply, text: `${reply.text}\n\n*${note}*` }), { images: [], below });
		};
		// Covered pictures stay out of the thread, where everybody would see them.
		if (!pictures.some(({ spoiler }) => spoiler) && !pictures.every(isShowable)) return putWithPicturesBelow();
		const ids = await uploadPictures(slack, server, pictures);
		const images: Image[] = [];
		const covered: Image[] = [];
		for (const [index, { alt, number, spoiler }] of pictures.entries())
			(spoiler ? covered : images).push({ file: ids[index] ?? '', alt, ...(number && { title: String(number) }) });
		const shown: Shown = { images, ...(covered.length > 0 && { covered }) };
		const body = await this.#bodyOf(reply, shown);
		if (images.length === 0) return put(body, shown);
		try {
			return await whenProcessed(slack, server, idsOf(images), () => put(body, shown), isUpdate);
		} catch (error) {
			// If the message may exist, it keeps its pictures.
			if (!isOutcomeUnknown(error)) await removeFiles(slack, server, ids);
			if (!(error instanceof FileNotReadyError)) throw error;
			slack.log.warn({ err: error }, 'Slack cannot show a picture in a message');
			return putWithPicturesBelow();
		}
	}

	#bodyOf({ buttons = [], ...reply }: Reply, { images, covered = [] }: Shown = {}): Promise<MessageBlocks> {
		const show = covered.length > 0 ? [showButton(this.#key, this.#t)] : [];
		return bodyOf(this.#slack, this.#place.server, { ...reply, buttons: [...show, ...buttons] }, images);
	}

	/** Deletes the pictures that the message no longer shows, and those in its thread. @param all the other files there, too */
	#removeFiles({ images = [], covered = [], below = [] }: Shown, all = false): Promise<void> {
		const inThread = below.filter(({ isPicture }) => all || isPicture).map(({ id }) => id);
		return removeFiles(this.#slack, this.#place.server, [...idsOf([...images, ...covered]), ...inThread]);
	}

	/** Shares the files of the posted message in its thread, unless they are there already. */
	async #share(isRepeated = false): Promise<void> {
		const { below = [], isShared } = this.#record;
		if (!this.#message || below.length === 0 || isShared) return;
		await shareBelow(this.#slack, this.#message, below, isRepeated);
		await this.#save({ ...this.#record, isShared: true });
	}
}

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
	place.platform === 'slack' ? new OwnMessage(slack, place, key).find(data) : undefined;
