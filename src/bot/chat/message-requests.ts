import type { Upload } from '../../domain/channel.ts';
import type { IncomingMessage } from '../../domain/platform.ts';
import { oneLine } from '../../domain/text.ts';
import { hasUnreadablePictures, sortFiles, unreadFile } from './message-files.ts';
import { promptIn } from './plain-words.ts';
import type { UnreadFile } from './transcript.ts';

/** The ordinals from 1 to 4 in the languages of the catalogues, as sources of regular expressions. A result has at most four pictures. */
const ORDINALS = [
	'first|1st|erste[nrs]?|premi[eè]re?|primer[ao]?|primeir[ao]|перв[а-я]+',
	'second|2nd|zweite[nrs]?|deuxième|seconde?|segund[ao]|втор[а-я]+',
	'third|3rd|dritte[nrs]?|troisième|tercer[ao]?|terceir[ao]|треть[а-я]+',
	'fourth|4th|vierte[nrs]?|quatrième|cuart[ao]|quart[ao]|четв[её]рт[а-я]+',
];

const NOUN =
	'one|picture|image|photo|drawing|variation|version|bild|variante|imagen|imagem|foto|картинк[а-я]+|изображени[а-я]+';

const BY_ORDINAL = ORDINALS.map(
	(ordinal) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${ordinal})\\s+(?:${NOUN})(?![\\p{L}\\p{N}])`, 'iu'),
);

/** “picture 2”, “#2”, “画像2”; “2枚目”; “2: make it night”. */
const BY_NUMBER = [
	new RegExp(
		`(?:#|(?<!\\p{L})(?:number|no\\.?|nr\\.?|nummer|num[ée]ro|número|номер|${NOUN})|画像)\\s*#?([1-4])(?!\\p{N})`,
		'iu',
	),
	/([1-4])\s*(?:枚目|番目|番)/u,
	/^\s*([1-4])\s*[:.)]/u,
];

/** Returns the number by which a text names one of several pictures; undefined when it names none, or one that is not there. */
export function pictureNumberIn(text: string, count: number): number | undefined {
	const plain = text.normalize('NFKC');
	const ordinal = BY_ORDINAL.findIndex((pattern) => pattern.test(plain)) + 1;
	const number = ordinal || Number(BY_NUMBER.map((pattern) => pattern.exec(plain)?.[1]).find(Boolean) ?? 0);
	return number >= 1 && number <= count ? number : undefined;
}

const ITEM_ORDINALS = [
	'first',
	'second',
	'third',
	'fourth',
	'fifth',
	'sixth',
	'seventh',
	'eighth',
	'ninth',
	'tenth',
	'last',
];

const ITEM = new RegExp(
	`^(?:the )?(?:(?<ordinal>${ITEM_ORDINALS.join('|')})(?: (?:one|item|idea|option|suggestion))?|(?:(?:number|no\\.?|item|idea|option) ?)?#?(?<number>\\d{1,2}))[.!]?$`,
	'i',
);

/** Returns the number of the item that words such as “the second one” or “number 2” name, and nothing else; -1 for the last one. */
export function itemNumberOf(words: string): number | undefined {
	const { ordinal, number } = ITEM.exec(words.trim().replace(/\s+/g, ' '))?.groups ?? {};
	if (ordinal) return ordinal.toLowerCase() === 'last' ? -1 : ITEM_ORDINALS.indexOf(ordinal.toLowerCase()) + 1;
	return number === undefined ? undefined : Number(number);
}

/** The beginning of an item in a numbered list. https://spec.commonmark.org/0.31.2/#ordered-list-marker */
const MARKER = /^ {0,3}(\d{1,3})[.)]\s+(?=\S)/;

/** Returns an item of the numbered list in an answer, as plain text with its further lines; the last one for -1. */
export function itemIn(answer: string, number: number): string | undefined {
	const items: { number: number; lines: string[] }[] = [];
	for (const line of answer.split('\n')) {
		const marker = MARKER.exec(line);
		const last = items.at(-1);
		if (marker) items.push({ number: Number(marker[1]), lines: [line.slice(marker[0].length)] });
		// Only indented lines and those right below belong to an item: a paragraph after the list does not.
		else if (last && (/^\s+\S/.test(line) || last.lines.at(-1)?.trim())) last.lines.push(line);
	}
	const item = number === -1 ? items.at(-1) : items.find((one) => one.number === number);
	return item && plainText(item.lines.join(' '));
}

const plainText = (markdown: string) =>
	markdown
		.replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
		.replace(/\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)/g, '')
		.replace(/\s+/g, ' ')
		.trim();

/** A command that a message asks for, with its options. `unused` are files of the message that it has no use for. */
type PictureCommand = { command: string; options: Record<string, unknown>; unused?: readonly UnreadFile[] };

/** The pictures that a message asks a question about. */
export type PictureQuestion = { about: readonly Upload[] };

/** An item of the last numbered answer to draw; -1 for its last one. */
type ItemRequest = { item: number };

/** A reply to several pictures that does not say which one is meant. */
type UnclearReply = { pictures: number };

/** Nothing that a message is about can be read. */
type UnreadRequest = { unread: readonly UnreadFile[] };

/** The pictures that a message asks for, or asks about; `'no instruction'` for pictures alone. */
export type MessageRequest =
	| PictureCommand
	| PictureQuestion
	| ItemRequest
	| UnclearReply
	| UnreadRequest
	| 'no instruction';

type MessageContent = Pick<IncomingMessage, 'text' | 'uploads' | 'repliedTo'>;

/**
 * Returns the picture command that a chat message stands for: one that asks for a picture in plain words, or that brings pictures and an
 * instruction, or replies to a message with pictures. Returns `'no instruction'` for pictures alone, the pictures of a question about
 * them, what cannot be read where there is nothing else, and undefined for any other message.
 *
 * @param maxReferences how many pictures a composition takes
 */
export function pictureCommandOf(
	{ text, uploads, repliedTo }: MessageContent,
	maxReferences = 3,
): MessageRequest | undefined {
	const { pictures: brought, texts, unread } = sortFiles(uploads);
	const shown = sortFiles(repliedTo?.uploads ?? []).pictures;
	const instruction = oneLine(text) && text.trim();
	const unused = [...unread, ...texts.map((upload) => unreadFile(upload, 'unused'))];
	if (brought.length + shown.length === 0) {
		const draws = drawRequestOf(instruction);
		if (draws) return { ...draws, ...(unused.length > 0 && 'command' in draws && { unused }) };
		return unreadRequestOf({ text: instruction, uploads, repliedTo });
	}
	if (instruction === '' && texts.length === 0) return 'no instruction';
	if (instruction === '' || isQuestion(instruction)) return { about: [...shown, ...brought] };
	const number = shown.length > 1 ? pictureNumberIn(instruction, shown.length) : 1;
	if (number === undefined) return { pictures: shown.length };
	const all = [...shown.slice(number - 1, number), ...brought];
	const pictures = all.slice(0, maxReferences);
	unused.push(...all.slice(maxReferences).map((upload) => unreadFile(upload, 'unused')));
	const options = { prompt: instruction, ...(repliedTo?.private && { private: true }) };
	const images = pictures.map((picture, index) => [`image${index + 1}`, picture]);
	const request =
		pictures.length === 1
			? { command: 'edit', options: { image: pictures[0], ...options } }
			: { command: 'compose', options: { ...Object.fromEntries(images), ...options } };
	return unused.length > 0 ? { ...request, unused } : request;
}

/** A message of files that cannot be read, or an instruction about pictures that cannot, must not cost a turn. */
function unreadRequestOf({ text, uploads, repliedTo }: MessageContent): UnreadRequest | undefined {
	const { texts, unread } = sortFiles(uploads);
	if (text === '') return texts.length === 0 && unread.length > 0 ? { unread } : undefined;
	if (hasUnreadablePictures(uploads)) return { unread };
	const shown = repliedTo?.uploads ?? [];
	return hasUnreadablePictures(shown) && !isQuestion(text) ? { unread: sortFiles(shown).unread } : undefined;
}

function drawRequestOf(instruction: string): PictureCommand | ItemRequest | undefined {
	const prompt = promptIn(instruction);
	if (prompt === undefined) return undefined;
	const item = itemNumberOf(prompt);
	return item === undefined ? { command: 'imagine', options: { prompt } } : { item };
}

/**
 * Tells a question about pictures, which the chat model answers, from an instruction. "Can you make it night?" is an instruction; in other
 * languages, a polite instruction must not end with a question mark.
 */
const isQuestion = (text: string) => /[?？؟]\s*$/.test(text) && !REQUEST.test(text);

const REQUEST =
	/^(please\b|(can|could|would|will) (you|we|i)\b(?!.*\b(see|tell|describe|read|explain|say|recogni[sz]e|identify|translate|count)\b))/is;

/** Words that begin what is said to somebody who is to answer in words, in the languages of the catalogues. */
const TALK_WORDS = [
	"summari[sz]e|sum up|explain|tell|describe|translate|write|list|say|answer|help|thanks|thank|hello|hi|hey|ok|okay|nice|great|cool|wow|what|who|why|how|when|where|which|is|are|do|does|did|compare|give|suggest|recommend|read|check|review|think|find|discuss|count|i|we|you|this is|that is|that's|it's|yes|no",
	'fass|fasse|erkläre?|erzähle?|beschreibe?|übersetze?|schreibe?|sage?|antworte|hilf|danke|hallo|was|wer|warum|wie|wann|wo|welche[rs]?|ist|sind|vergleiche?|gib|nenne?|lies|prüfe?|finde|ich|wir|du|ja|nein',
	'résume|résumez|explique|expliquez|raconte|racontez|décris|décrivez|traduis|traduisez|écris|écrivez|dis|dites|réponds|aide|aidez|merci|bonjour|salut|que|quel|quelle|quoi|qui|pourquoi|comment|quand|où|est|compare|comparez|donne|donnez|lis|lisez|je|nous|tu|vous|oui|non',
	'resume|explica|cuenta|describe|traduce|escribe|di|dime|responde|ayuda|gracias|hola|qué|quién|por qué|cómo|cuándo|dónde|cuál|es|son|compara|dame|lee|busca|yo|sí|no',
	'resuma|explique|conte|descreva|traduza|escreva|diga|responda|ajude|obrigad[oa]|olá|oi|o que|quem|por que|como|quando|onde|qual|é|são|compare|dê|leia|eu|sim|não',
	'резюмируй(?:те)?|обобщи(?:те)?|объясни(?:те)?|расскажи(?:те)?|опиши(?:те)?|переведи(?:те)?|напиши(?:те)?|скажи(?:те)?|ответь(?:те)?|помоги(?:те)?|спасибо|привет|что|кто|почему|как|когда|где|какой|какая|сравни(?:те)?|дай(?:те)?|прочитай(?:те)?|найди(?:те)?|я|мы|да|нет',
];

const TALK = new RegExp(
	`^(?:please |bitte |por favor |пожалуйста,? )?(?:${TALK_WORDS.join('|')})(?![\\p{L}\\p{N}])`,
	'iu',
);

/** The ends of Japanese sentences that ask for words. */
const JAPANESE_TALK = /(?:要約|説明|翻訳|教え|まとめ|ありがとう|こんにちは|ですか|ますか|何|誰|なぜ|どう)/u;

/** Tells whether a message is for an answer in words, although pictures were shown before it. */
export const isTalk = (text: string): boolean =>
	isQuestion(text) || TALK.test(text.trim()) || JAPANESE_TALK.test(text.slice(0, 200));

/** A message that makes the bot forget a thread. */
const FORGET = /^forget( everything)?[.!]?$/i;

/** Tells whether a message asks the bot to forget the thread. */
export const asksToForget = (text: string) => FORGET.test(text.trim());

/** Tells whether a message that the bot answers is answered by a chat model. */
export const asksModel = ({ text, uploads }: MessageContent, command: MessageRequest | undefined): boolean =>
	(text.trim() !== '' || sortFiles(uploads).texts.length > 0) &&
	!asksToForget(text) &&
	(command === undefined || (typeof command === 'object' && 'about' in command));
