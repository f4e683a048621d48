import {
	type Announcement,
	assertMessageKey,
	isPreview,
	MessageGoneError,
	type Post,
	type PostOptions,
	type Reply,
} from '../../../domain/channel.ts';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';
import { isMissing, isUnknownMessage, translateErrors } from '../api/discord-errors.ts';
import type { MessageApi } from '../api/message-api.ts';
import {
	type DiscordMessageLocation,
	type DiscordMessageRecords,
	handleData,
	linkTo,
	locationOf,
} from '../api/message-location.ts';
import { describedBody, type MessageBody, messageBodyOf } from '../api/reply-body.ts';
import { type AttachmentReader, isPicture } from '../inbound/attachment-reader.ts';
import { filesOf } from '../inbound/message-reader.ts';
import type { ActiveResponders, InteractionResponder } from './interaction-responder.ts';

/** The destination of a message. The responder's token is tried first; only with it can a message be private. */
type Destination = { place: Place; responder: InteractionResponder | undefined };

type Sending = PostOptions & {
	isPrivate: boolean;
	key: string;
	/** The id of the message that had the key before and is deleted. */
	deleted: string | undefined;
};

/** The messages of the bot. Each is posted under a key, by which it is found again. */
export class DiscordPosts {
	readonly #api: MessageApi;
	readonly #records: DiscordMessageRecords;
	readonly #responders: ActiveResponders;
	readonly #uploadOf: AttachmentReader['uploadOf'];

	/** @param uploadOf returns a picture of a message, to be read later */
	constructor(
		api: MessageApi,
		records: DiscordMessageRecords,
		responders: ActiveResponders,
		uploadOf: AttachmentReader['uploadOf'],
	) {
		this.#api = api;
		this.#records = records;
		this.#responders = responders;
		this.#uploadOf = uploadOf;
	}

	/** See `Platform.find`. */
	async find(handle: MessageHandle): Promise<Post | undefined> {
		if (handle.place.platform !== 'discord') return undefined;
		const known = locationOf(handle);
		// The id of the response to an interaction was stored later, and outlasts its token.
		const isLasting = known && known.message !== '@original';
		const location = isLasting ? known : ((await this.#records.find(handle.key)) ?? known);
		if (!location) return undefined;
		await this.#responders.acknowledge(location);
		const message = await this.#api.read(location);
		if (!message) return undefined;
		if (message === 'hidden') return this.#postAt(location, handle);
		const pictures = async () =>
			filesOf(message)
				.filter(isPicture)
				.map(this.#uploadOf)
				.filter((one) => !isPreview(one));
		return { ...this.#postAt({ ...location, message: message.id }, handle), pictures };
	}

	/** See `Channel.post`. */
	async post(destination: Destination, reply: Reply, key: string, options: PostOptions): Promise<Post> {
		assertMessageKey(key);
		const { place } = destination;
		const { ifAbsent = false } = options;
		const body = messageBodyOf(reply);
		const recorded = options.isAnnounced ? undefined : await this.#records.find(key, options);
		const state = recorded && (await translateErrors('write', place, this.#reuse(recorded, body, ifAbsent)));
		if (recorded && state === 'reused') return this.#postAt(recorded, { place, key });
		const deleted = state === 'deleted' ? recorded?.message : undefined;
		const sending = this.#send(destination, body, {
			...options,
			isPrivate: reply.visibility === 'private',
			key,
			deleted,
		});
		const location = await translateErrors('write', place, sending);
		// The message is posted: nobody waits for the store.
		void this.#records.save(key, location);
		return this.#postAt(location, { place, key });
	}

	/** See `Channel.announce`. */
	announcementOf({ place, responder }: Destination, key: string, isPrivate: boolean): Announcement | undefined {
		assertMessageKey(key);
		const original = responder && originalOf(responder, place, isPrivate);
		return original && { data: handleData(original) };
	}

	#postAt(location: DiscordMessageLocation, { place, key }: Pick<MessageHandle, 'place' | 'key'>): Post {
		const edit = async (body: MessageBody) => {
			await this.#responders.acknowledge(location);
			const editing = this.#api.edit(location, body).catch((cause) => {
				throw isUnknownMessage(cause) ? new MessageGoneError({ cause }) : cause;
			});
			await translateErrors('write', place, editing);
		};
		return {
			handle: { place, key, data: handleData(location) },
			...linkTo(place, location),
			edit: (reply) => edit(messageBodyOf(reply)),
			describe: async (alts) => {
				const message = await this.#api.read(location);
				if (typeof message !== 'object') return false;
				await edit(describedBody(message, alts));
				return true;
			},
			delete: async () => {
				await this.#responders.acknowledge(location);
				await translateErrors('write', place, this.#api.delete(location));
				await this.#records.forget(key, location);
			},
		};
	}

	/** Edits the message that was posted under the key before. `missing`: it is deleted, or the bot has no access to it. */
	async #reuse(
		location: DiscordMessageLocation,
		body: MessageBody,
		ifAbsent: boolean,
	): Promise<'reused' | 'deleted' | 'missing'> {
		if (ifAbsent) {
			await this.#responders.acknowledge(location);
			return typeof (await this.#api.read(location)) === 'object' ? 'reused' : 'missing';
		}
		try {
			await this.#api.edit(location, body);
			return 'reused';
		} catch (error) {
			if (!isMissing(error)) throw error;
			return isUnknownMessage(error) ? 'deleted' : 'missing';
		}
	}

	async #send({ place, responder }: Destination, body: MessageBody, sending: Sending): Promise<DiscordMessageLocation> {
		const { isPrivate, key, ifAbsent, deleted } = sending;
		const channel = channelOf(place);
		if (responder) {
			const response = await this.#respond(responder, place, body, sending);
			if (response) return response;
			if (isPrivate) throw new PlatformRefusedError('discord.errors.private');
			if (responder.isBotAbsent) throw new PlatformRefusedError('discord.errors.notMember');
		}
		const message = await this.#api.post(channel, body, key, deleted);
		const location = { channel, message: message.id };
		// Discord returns the message of the first post with this key, which a process may have sent before it ended without saving it.
		const isOutdated =
			message.content !== body.payload.content?.trim() || message.attachments.length < body.files.length;
		if (isOutdated && !ifAbsent) await this.#api.edit(location, body);
		return location;
	}

	async #respond(
		responder: InteractionResponder,
		place: Place,
		body: MessageBody,
		{ isPrivate, key, ...options }: Sending,
	): Promise<DiscordMessageLocation | undefined> {
		// Saved before, since a crash between response and record would leave the message without its key.
		const original = originalOf(responder, place, isPrivate);
		if (original && !options.isAnnounced) await this.#records.announce(key, original, options);
		const response = await responder.send(body, isPrivate);
		return response && { ...response, channel: channelOf(place) };
	}
}

const channelOf = ({ thread, channel }: Place) => thread ?? channel;

/** Returns the location of a message that becomes the original response; undefined when it does not. */
function originalOf(
	responder: InteractionResponder,
	place: Place,
	isPrivate: boolean,
): DiscordMessageLocation | undefined {
	if (!responder.isNextOriginal(isPrivate)) return undefined;
	const original = { channel: channelOf(place), message: '@original', via: responder.token };
	return { ...original, ...(isPrivate && { private: true }) };
}
