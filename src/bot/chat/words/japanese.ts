import { behind } from './chinese.ts';
import { type Drawn, hasAny, JAPANESE, withoutEnd } from './lists.ts';

/** The beginning of a text that tells what it asks for, in UTF-16 units. */
const MAX_CLAUSE = 200;

/** What ends a Japanese sentence. */
const ENDING = /(?:[\s。！？!?~～♪\p{Extended_Pictographic}]|\u{FE0F}){1,9}$/u;

const endsWith = (text: string, ends: ReadonlySet<string>): boolean =>
	withoutEnd(text.trim().replace(ENDING, ''), ends) !== undefined;

/** Tells whether a Japanese text plainly changes a picture: 夜にして. */
export const isJapaneseChange = (text: string): boolean => endsWith(text, JAPANESE.change);

/** Tells whether a Japanese question suggests a change of a picture: もっと暗くできる？ */
export const suggestsInJapanese = (text: string): boolean => hasAny(text.slice(0, MAX_CLAUSE), JAPANESE.suggests);

/** Tells whether a Japanese text says or asks something, and wishes nothing: “うちの猫です”. */
export const isSaidInJapanese = (text: string): boolean =>
	hasAny(text.slice(0, MAX_CLAUSE), JAPANESE.talk) ||
	(endsWith(text, JAPANESE.clause) && !endsWith(text, JAPANESE.otherMakeEnds));

const PARTICLES = new Set(['を', 'が', 'で', '、', 'を一枚', 'を1枚', 'を一つ', 'を三つ', 'を何か']);
const OF = new Set(['の']);
const TEXTS = new Set([...JAPANESE.written, ...JAPANESE.texts]);

/** Returns the words of a Japanese text that asks for something, without what is polite before them. */
const japaneseClause = (text: string): string =>
	text
		.slice(behind(text, 0, JAPANESE.polite))
		.trim()
		.replace(ENDING, '');

const withoutParticle = (object: string): string => withoutEnd(object, PARTICLES) ?? object;

/** “この画像を削除して”, “消してください” */
export function isJapaneseRemoval(text: string): boolean {
	const removed = withoutEnd(japaneseClause(text), JAPANESE.remove);
	const object = removed && withoutParticle(removed).replace(/^[このそ]{2}/, '');
	return object !== undefined && (object === '' || JAPANESE.this.has(object) || JAPANESE.pictures.has(object));
}

/** Japanese has no spaces: “猫の絵を描いて”, “パン屋のロゴが欲しい”. */
export function japaneseDrawnIn(text: string): Drawn | undefined {
	// “ありがとう！次はクマを描いて”
	const plain = japaneseClause(text);
	const generated = withoutEnd(plain, JAPANESE.generate);
	const isText = generated !== undefined && withoutEnd(withoutParticle(generated), TEXTS) !== undefined;
	const drawn = withoutEnd(plain, JAPANESE.ends) ?? (isText ? undefined : generated);
	const made = drawn ?? withoutEnd(plain, JAPANESE.makeEnds);
	if (made === undefined) return undefined;
	const object = withoutParticle(made);
	if (drawn !== undefined && JAPANESE.this.has(object)) return { prompt: '', isThis: true };
	// 絵は描ける？ asks what somebody can do, この絵を見せて for a picture that is there.
	if (object.endsWith('は') || [...JAPANESE.never].some((word) => object.startsWith(word))) return undefined;
	const isKind = withoutEnd(object, JAPANESE.kinds) !== undefined;
	const subject = isKind ? object : withoutEnd(object, JAPANESE.pictures);
	const named = subject === undefined ? drawn !== undefined && object : (withoutEnd(subject, OF) ?? subject);
	return named ? { prompt: named, isThis: JAPANESE.this.has(named) } : undefined;
}
