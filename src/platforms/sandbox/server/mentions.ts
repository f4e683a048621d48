import { EASEL, PEOPLE } from './rooms.ts';

/** Somebody's name as a mention: not the beginning of a longer word, nor the end of an address. */
const mentionOf = (name: string) => new RegExp(`(?<![\\p{L}\\p{N}_])@${name}(?![\\p{L}\\p{N}_])`, 'iu');

const BOT = mentionOf(EASEL);

/** Whom a message is for, by whom it mentions and whose message it answers. */
export function whoIsMeant(text: string, author: string, answered: string | undefined) {
	const others = PEOPLE.filter(({ id }) => id !== author);
	return {
		addressed: answered === EASEL || BOT.test(text),
		toOthers: others.some(({ id, name }) => answered === id || mentionOf(name).test(text)),
	};
}

/** A message without the mention of the bot that it begins with. */
export const withoutMention = (text: string): string => text.replace(/^\s*@easel(?![\p{L}\p{N}_])[\s,:]*/iu, '');
