import { EASEL, PEOPLE } from './directory.ts';

/** Matches a mention, but not the beginning of a longer word or the end of an address. */
const mentionOf = (name: string) => new RegExp(`(?<![\\p{L}\\p{N}_])@${name}(?![\\p{L}\\p{N}_])`, 'iu');

const BOT = mentionOf(EASEL);

/**
 * Tells whether a message is for the bot, and whether it is for other people.
 *
 * @param repliedTo the author of the message that it replies to
 */
export function addresseesOf(text: string, author: string, repliedTo: string | undefined) {
	const others = PEOPLE.filter(({ id }) => id !== author);
	return {
		addressed: repliedTo === EASEL || BOT.test(text),
		toOthers: others.some(({ id, name }) => repliedTo === id || mentionOf(name).test(text)),
	};
}

/** Returns a message without a mention of the bot at its beginning. */
export const withoutMention = (text: string): string => text.replace(/^\s*@easel(?![\p{L}\p{N}_])[\s,:]*/iu, '');
