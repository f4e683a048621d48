import type { Channel, Picture, Reply } from '../../domain/channel.ts';
import type { Job } from '../../domain/job.ts';
import type { MessageHandle } from '../../domain/place.ts';
import { quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import type { Translate } from '../../i18n/translator.ts';
import { postFitted, type Sent } from '../../jobs/fit-reply.ts';
import { tryAndLog } from '../../log.ts';
import { picturesOf } from '../../requests/captions.ts';
import { isReviewed, isSpoiler } from '../../usage/settings.ts';
import { refusalReason } from '../messages/error-messages.ts';
import type { Numbered } from './transcript.ts';

/** A turn whose answer has pictures that the model has drawn. */
type Turn = { job: Job; entries: readonly Numbered[]; drawn: readonly Uint8Array[]; notes: string[] };

/**
 * Returns the pictures of an answer, to be posted. They cannot wait for a decision, so that they are not shown where moderators review
 * pictures, or where it is not known whether they do.
 */
export async function drawnIn(
	{ settings }: Easel,
	{ job, entries, drawn, notes }: Turn,
	t: Translate,
): Promise<Picture[]> {
	if (drawn.length === 0) return [];
	const { place } = job;
	const current = await settings.get(place).catch(() => undefined);
	if (!current || isReviewed(current, place)) {
		notes.push(t('thread.drawn.reviewed', { count: drawn.length }));
		return [];
	}
	const asked = entries.filter((entry) => entry.kind === 'said').findLast(({ aside, text }) => !aside && text !== '');
	return picturesOf(t, drawn, asked?.text ?? t('results.picture'), isSpoiler(current, place));
}

/** The key of the first message with the pictures of an answer. */
const picturesKey = (key: string) => `${key}.p`;

/** Tells whether a message of an answer has its pictures, rather than its text. */
export const isOfPictures = (key: string, handle: MessageHandle): boolean => handle.key.startsWith(picturesKey(key));

/** Posts the pictures of an answer below its text, and returns where. Never rejects: a sentence says what could not be shown. */
export async function postPictures(
	{ log }: Easel,
	{ job, channel, answer: { key } }: Turn & { channel: Channel; answer: { key: string } },
	t: Translate,
	{ pictures, buttons }: Required<Pick<Reply, 'pictures' | 'buttons'>>,
): Promise<MessageHandle[]> {
	if (pictures.length === 0) return [];
	const text = t('results.alt', { name: quoted(job.person.name) });
	const sent: Sent = { messages: [], pictures: 0, smaller: [] };
	const post = (reply: Reply, suffix: string) => channel.post(reply, `${picturesKey(key)}${suffix}`);
	const explain = async (reason: unknown) => {
		const missing = t('thread.drawn.lost', { count: pictures.length - sent.pictures });
		await post({ text: `${missing} ${refusalReason(t, reason)}`.trim() }, '.lost');
		throw reason;
	};
	await tryAndLog(log, 'Pictures of an answer could not be posted', () =>
		postFitted(t, { text, pictures, buttons }, channel, sent, post).catch(explain),
	);
	return sent.messages.map(({ handle }) => handle);
}
