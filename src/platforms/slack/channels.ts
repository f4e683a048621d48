import type { Channel, Handle, Place, Post, Reply } from '../../bot/platform.ts';
import { Refused } from '../../bot/refusal.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import type { Log } from '../../log.ts';
import type { Answers } from './answers.ts';
import { type Body, bodyOf } from './blocks.ts';
import type { Delivery, Standing } from './delivery.ts';
import { type Files, Unshown } from './files.ts';
import { LIMITS } from './limits.ts';
import { escaped, token } from './names.ts';
import {
	type Asked,
	type Channels,
	type Installations,
	type People,
	type Sessions,
	SlackRefusal,
	type Streams,
} from './parts.ts';
import type { Kept, Records } from './records.ts';
import { codeOf, isMissing, refusalOf } from './refused.ts';
import type { Said, Spot, Wire } from './wire.ts';

const KEY = /^[\w:.-]{1,64}$/;

/** Channels to post in, and posts to edit. */
export function createChannels(options: {
	wire: Wire;
	answers: Answers;
	files: Files;
	delivery: Delivery;
	streams: Streams;
	sessions: Sessions;
	records: Records;
	people: People;
	installations: Installations;
	log: Log;
}): Channels {
	const { wire, answers, files, delivery, streams, sessions, records, people, installations, log } = options;

	const translator = ({ server }: Place, asked: Asked | undefined): Translate =>
		translatorFor(asked && people.known(server, asked.user)?.person.locale);

	/** What Slack refuses, in a sentence that a person can do something with. */
	async function told<Result>(server: string, work: () => Promise<Result>): Promise<Result> {
		try {
			return await work();
		} catch (error) {
			const installed = codeOf(error) === undefined ? undefined : await installations.of(server).catch(() => undefined);
			throw refusalOf(error, installed && (await people.person(server, installed.botUser)).name);
		}
	}

	/** It is posted: a store that fails now must not make it look otherwise. */
	async function keep(key: string, kept: Kept): Promise<Kept> {
		await records.save(key, kept).catch((error: unknown) => log.error({ err: error }, 'A message has no record'));
		return kept;
	}

	/** Posts where everybody in the channel, or in the direct messages, sees it. */
	async function postAt(spot: Spot, place: Place, reply: Reply, key: string, asked?: Asked): Promise<Kept> {
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
		const write = async (body: Body): Promise<Said> => {
			if (attachments.length === 0) return wire.post(spot, body, key);
			try {
				return { ...spot, ts: await files.share(server, attachments, { channel, thread }, body.blocks) };
			} catch (error) {
				const refused = ['invalid_arguments', 'invalid_blocks'].includes(codeOf(error) ?? '');
				if (!refused && !(error instanceof Unshown)) throw error;
			}
			const said = await wire.post(spot, body, key);
			await files.share(server, attachments, { channel, thread: thread ?? said.ts });
			return said;
		};
		const standing: Standing =
			pictures.length > 0
				? await delivery.withPictures(server, { ...reply, pictures }, write, t)
				: { said: await write(await delivery.plain(server, reply, { images: [] }, t)), images: [] };
		return keep(key, { ...about, ...keptOf(standing) });
	}

	/** Shows something to one person for the moment; false when there is no way to. */
	async function whisper(
		{ server, channel, thread }: Place,
		text: Reply,
		asked: Asked,
		t: Translate,
	): Promise<boolean> {
		const body = await delivery.plain(server, text, { images: [] }, t);
		const inPlace = () =>
			wire.whisper({ server, channel, thread }, asked.user, body).then(
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
	async function postPrivately(place: Place, reply: Reply, key: string, asked: Asked): Promise<Kept> {
		const { server, channel } = place;
		const t = translator(place, asked);
		const needsMore = asked.inDirect || (reply.pictures ?? []).length > 0 || (reply.files ?? []).length > 0;
		if (!needsMore && (await whisper(place, reply, asked, t)))
			return keep(key, { channel, since: Date.now(), fleeting: true });
		const direct = await wire.directWith(server, asked.user);
		const kept = await postAt({ server, channel: direct }, directPlace(place, direct), reply, key, asked);
		const link = kept.ts === undefined ? undefined : await linkTo(server, { ...kept, ts: kept.ts });
		const pointer = link
			? `[${t('I answer you in our direct messages.')}](${link})`
			: t('I answer you in our direct messages.');
		if (needsMore) await whisper(place, { text: pointer }, asked, t);
		return kept;
	}

	const linkTo = (server: string, kept: Kept & { ts: string }) => wire.link({ ...kept, server }).catch(() => undefined);

	const say = (place: Place, reply: Reply, key: string, asked?: Asked): Promise<Kept> =>
		asked && reply.visibility === 'private' && !place.direct
			? postPrivately(place, reply, key, asked)
			: postAt(place, place, reply, key, asked);

	async function edit(place: Place, key: string, kept: Kept, reply: Reply, asked?: Asked, url?: string): Promise<Kept> {
		const { server } = place;
		const t = translator(place, asked);
		if (kept.ts === undefined) {
			const body = await delivery.plain(server, reply, { images: [] }, t);
			if (url !== undefined && !reply.pictures?.length && (await answers.replace(url, body))) return kept;
			if (!asked) throw new Error('What one person saw for the moment is not there any more');
			return say(place, { ...reply, visibility: 'private' }, key, asked);
		}
		const said: Said = { server, channel: kept.channel, thread: kept.thread, ts: kept.ts };
		const { pictures } = reply;
		if ((await streams.write(said, reply)) && !pictures) return kept;
		const write = async (body: Body) => {
			await update(said, body);
			return said;
		};
		const before = { images: kept.images ?? (await wire.imagesOf(said)), covered: kept.covered };
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

	async function update(said: Said, body: Body): Promise<void> {
		try {
			await wire.update(said, body);
		} catch (error) {
			if (codeOf(error) !== 'streaming_state_conflict') throw error;
			await streams.stop(said);
			await wire.update(said, body);
		}
	}

	/** @param url takes the place of what only one person sees, where that was pressed on */
	function postOf(place: Place, key: string, first: Kept, asked?: Asked, url?: string): Post {
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
					const images = kept.images ?? (await wire.imagesOf(said).catch(() => []));
					await told(place.server, () => wire.remove(said));
					await delivery.forget(place.server, { images, covered: kept.covered });
				}
				await records.forget(key, kept);
			},
		};
	}

	/** Where a message is that may have been posted: nobody lived to write it down. */
	async function located(place: Place, key: string, kept: Kept): Promise<Kept | undefined> {
		if (kept.ts !== undefined || kept.fleeting) return kept;
		const said = await wire.search({ ...kept, server: place.server }, key, kept.since);
		return said && keep(key, { ...kept, ts: said.ts });
	}

	async function post(place: Place, reply: Reply, key: string, asked?: Asked): Promise<Kept> {
		if (!KEY.test(key)) throw new RangeError(`“${key}” is not a key for a message.`);
		const known = await records.find(key);
		const there = known && !known.fleeting ? await located(place, key, known) : undefined;
		if (there) {
			try {
				return await edit(place, key, there, reply, asked);
			} catch (error) {
				if (!isMissing(error)) throw error;
			}
		}
		return say(place, reply, key, asked);
	}

	async function openThread(place: Place, title: string, isPrivate: boolean, asked?: Asked): Promise<Channel> {
		const { server } = place;
		const t = translator(place, asked);
		const apart = isPrivate && asked && !place.direct;
		const home = apart ? directPlace(place, await wire.directWith(server, asked.user)) : outOfThread(place);
		const first = await wire.post(home, bodyOf(`💬 ${escaped(title)}`, [], []));
		// Threads don't nest: from within one, and from the channel to direct messages, a link leads there.
		if (asked && (apart || place.thread !== undefined)) {
			const link = await wire.link(first).catch(() => undefined);
			if (link) await whisper(place, { text: `[${t('Let us talk over here.')}](${link})` }, asked, t);
		}
		return channel({ ...home, thread: first.ts }, asked);
	}

	function channel(place: Place, asked?: Asked): Channel {
		const { server } = place;
		return {
			place,
			limits: LIMITS,
			post: (reply, key) => told(server, async () => postOf(place, key, await post(place, reply, key, asked), asked)),
			openThread: (title, { private: isPrivate = false } = {}) =>
				told(server, () => openThread(place, title, isPrivate, asked)),
			typing: () => sessions.processing(place, asked?.user),
			when: (at) => timeIn(at, asked && people.known(server, asked.user)),
			refer: token,
		};
	}

	return {
		channel,

		async find({ place, key, data }: Handle): Promise<Post | undefined> {
			if (place.platform !== 'slack') return undefined;
			try {
				const kept = (await records.find(key)) ?? keptFrom(data);
				const there = kept && (await located(place, key, kept));
				if (!there) return undefined;
				const { ts } = there;
				if (ts !== undefined && !(await wire.link({ ...there, server: place.server, ts }))) return undefined;
				return postOf(place, key, there, undefined, data?.['responseUrl']);
			} catch (error) {
				// Who removed the bot has removed its messages from its reach.
				if (error instanceof SlackRefusal) return undefined;
				throw refusalOf(error);
			}
		},

		async at(place: Place): Promise<Channel | undefined> {
			if (place.platform !== 'slack' || !(await installations.of(place.server))) return undefined;
			return channel(place);
		},

		async direct(place: Place, { id }: { id: string }): Promise<Channel | undefined> {
			if (place.platform !== 'slack' || !(await installations.of(place.server))) return undefined;
			try {
				const direct = await wire.directWith(place.server, id);
				return channel(directPlace(place, direct), { user: id, team: place.server });
			} catch (error) {
				const refused = refusalOf(error);
				if (refused instanceof Refused || codeOf(error) !== undefined) return undefined;
				throw error;
			}
		},

		async handleOf(place: Place, ts: string): Promise<Handle> {
			const { channel, thread } = place;
			const key = (await records.keyOf(channel, ts)) ?? ts;
			return { place, key, data: dataOf({ channel, ...(thread !== undefined && { thread }), ts, since: 0 }) };
		},

		covered: delivery.covered,

		async uncover(button: string, place: Place, asked: Asked, key: string): Promise<boolean> {
			const images = await delivery.covered(button);
			if (!images) return false;
			return told(place.server, async () => {
				const t = translator(place, asked);
				const { server } = place;
				const channel = place.direct ? place.channel : await wire.directWith(server, asked.user);
				const said = await files.shown(
					server,
					images.map(({ file }) => file),
					() => wire.post({ server, channel }, bodyOf('', images, []), key),
				);
				if (place.direct) return true;
				const link = await wire.link(said).catch(() => undefined);
				const words = t('I show it to you in our direct messages.');
				await whisper(place, { text: link ? `[${words}](${link})` : words }, asked, t);
				return true;
			});
		},
	};
}

/** The direct messages that belong to a place. */
const directPlace = ({ platform, server }: Place, channel: string): Place => ({
	platform,
	server,
	channel,
	direct: true,
});

const outOfThread = ({ thread: _, ...place }: Place): Place => place;

const keptOf = ({ said, images, covered }: Standing) => ({ ts: said.ts, images, ...(covered && { covered }) });

const dataOf = ({ channel, thread, ts }: Kept, responseUrl?: string): Record<string, string> => ({
	channel,
	...(thread !== undefined && { thread }),
	...(ts !== undefined && { ts }),
	...(responseUrl !== undefined && { responseUrl }),
});

/** The inverse of `dataOf`. */
function keptFrom({ channel, thread, ts, responseUrl }: Record<string, string> = {}): Kept | undefined {
	if (channel === undefined || (ts === undefined && responseUrl === undefined)) return undefined;
	return {
		...{ channel, since: 0 },
		...(thread !== undefined && { thread }),
		...(ts === undefined ? { fleeting: true as const } : { ts }),
	};
}

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
