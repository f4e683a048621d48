import type { Picture, Reply } from '../../../domain/channel.ts';
import type { Translate } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import type { Image } from '../api/blocks.ts';
import { fileBlocksOf, type MessageBlocks, messageBlocksOf } from '../api/blocks.ts';
import { isOutcomeUnknown } from '../api/slack-errors.ts';
import type { SlackMessage } from '../api/slack-message.ts';
import { type CoveredPictures, showButton } from './covered-pictures.ts';
import { FileNotReadyError } from './files/file-not-ready.ts';
import type { SentFile } from './files/file-uploader.ts';
import type { SlackFiles } from './files/slack-files.ts';
import type { MentionNames } from './mentions.ts';

/** The pictures of a message. */
export type ShownPictures = {
	images: readonly Image[];
	/** The id of its covered ones. */
	covered?: string | undefined;
};

/** A message with the pictures that it shows. */
export type PostedReply = ShownPictures & { message: SlackMessage };

/**
 * Posts a message, or replaces one.
 *
 * @param pictures to share in the thread of the message, since it cannot show them
 */
export type WriteMessage = (body: MessageBlocks, pictures?: readonly SentFile[]) => Promise<SlackMessage>;

type WriteOptions = {
	/** The message exists. */
	isUpdate?: boolean;
};

/** Turns replies into messages of blocks, and uploads their pictures. */
export class ReplyRenderer {
	readonly #files: SlackFiles;
	readonly #names: MentionNames;
	readonly #covered: CoveredPictures;
	readonly #log: Log;

	constructor(options: { files: SlackFiles; names: MentionNames; covered: CoveredPictures; log: Log }) {
		this.#files = options.files;
		this.#names = options.names;
		this.#covered = options.covered;
		this.#log = options.log;
	}

	/** Returns a message of a reply's text and buttons, with pictures that are uploaded already. */
	async body(
		server: string,
		{ text, buttons = [] }: Reply,
		{ images, covered }: ShownPictures,
		t: Translate,
	): Promise<MessageBlocks> {
		const all = covered === undefined ? buttons : [showButton(covered, t), ...buttons];
		return messageBlocksOf(await this.#names.replaceMentions(server, text), images, all);
	}

	/** Returns the blocks of a reply whose pictures are files of its message. */
	async fileBlocks(server: string, { text, buttons = [] }: Reply): Promise<MessageBlocks['blocks']> {
		return fileBlocksOf(await this.#names.replaceMentions(server, text), buttons);
	}

	/** Writes the message of a reply with its pictures, which may be none. */
	async write(
		server: string,
		reply: Reply,
		write: WriteMessage,
		t: Translate,
		options: WriteOptions = {},
	): Promise<PostedReply> {
		const { pictures = [] } = reply;
		// Covered pictures stay out of the thread, where everybody would see them.
		if (!pictures.some(({ spoiler }) => spoiler) && !pictures.every(isShowable))
			return { message: await this.#writeWithPicturesInThread(server, reply, pictures, write, t), images: [] };
		if (pictures.length > 0) return this.#writeWithPictures(server, reply, pictures, write, t, options);
		return { message: await write(await this.body(server, reply, { images: [] }, t)), images: [] };
	}

	/** Returns the files of the pictures of a message, also of covered ones. */
	async filesOf({ images, covered }: ShownPictures): Promise<string[]> {
		const coveredImages = covered === undefined ? [] : await this.#covered.imagesOf(covered);
		return filesOf([...images, ...coveredImages]);
	}

	/** Deletes the files of pictures that messages no longer show. */
	async removePictures(server: string, { images, covered }: ShownPictures): Promise<void> {
		const coveredImages = covered === undefined ? [] : await this.#covered.remove(covered);
		await this.#files.remove(server, filesOf([...images, ...coveredImages]));
	}

	/** Waits until Slack can show the pictures. If that takes too long, it posts them in the message's thread. */
	async #writeWithPictures(
		server: string,
		reply: Reply,
		pictures: readonly Picture[],
		write: WriteMessage,
		t: Translate,
		options: WriteOptions,
	): Promise<PostedReply> {
		const ids = await this.#files.upload(server, pictures);
		const uploaded = pictures.map(({ alt, number, spoiler }, index) => ({
			image: { file: ids[index] ?? '', alt, ...(number && { title: String(number) }) },
			spoiler,
		}));
		const images = uploaded.filter(({ spoiler }) => !spoiler).map(({ image }) => image);
		const spoilers = uploaded.filter(({ spoiler }) => spoiler).map(({ image }) => image);
		const covered = spoilers.length > 0 ? await this.#covered.add(server, spoilers) : undefined;
		const body = await this.body(server, reply, { images, covered }, t);
		try {
			const message = await this.#files.whenProcessed(server, filesOf(images), () => write(body), options);
			return { message, images, covered };
		} catch (error) {
			// If the message may exist, it keeps its pictures.
			if (!isOutcomeUnknown(error)) await this.#files.remove(server, ids);
			if (!(error instanceof FileNotReadyError)) throw error;
			this.#log.warn({ err: error }, 'Slack cannot show a picture in a message');
			return { message: await this.#writeWithPicturesInThread(server, reply, pictures, write, t), images: [] };
		}
	}

	async #writeWithPicturesInThread(
		server: string,
		reply: Reply,
		pictures: readonly Picture[],
		write: WriteMessage,
		t: Translate,
	): Promise<SlackMessage> {
		const note = t('slack.hiddenPictures', { count: pictures.length });
		const text = `${reply.text}\n\n*${note}*`;
		const sent = await this.#files.send(server, pictures);
		return write(await this.body(server, { ...reply, text }, { images: [] }, t), sent);
	}
}

/** Whether a message can show a picture: PNG, JPEG and GIF. https://docs.slack.dev/reference/block-kit/blocks/image-block */
const isShowable = ({ bytes }: Picture) =>
	/^(?:\x89PNG|\xff\xd8\xff|GIF8)/.test(Buffer.from(bytes.subarray(0, 4)).toString('latin1'));

const filesOf = (images: readonly Image[]) => images.map(({ file }) => file);
