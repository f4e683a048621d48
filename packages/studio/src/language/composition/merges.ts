import type { Target } from '../../scene/find-subjects.ts';
import type { LookPart, Merge } from '../../scene/merge.ts';
import type { Relation } from '../../scene/names.ts';
import phrases from '../instruction/phrases.json' with { type: 'json' };
import { targetsOf } from '../instruction/targets.ts';
import { words } from '../instruction/words.ts';
import { indexOf, named, SIGNS } from './signs.ts';

const RELATIONS = Object.entries(phrases.relations) as [kind: Relation, pattern: string][];
const RELATION = RELATIONS.map(([, pattern]) => pattern).join('|');
const kindOf = (text: string): Relation =>
	RELATIONS.find(([, pattern]) => new RegExp(`^(?:${pattern})$`, 'u').test(text))?.[0] ?? 'beside';

const PARTS: readonly (readonly [pattern: RegExp, parts: readonly LookPart[]])[] = [
	[/colou?r|palette|tone|farbe|couleur/u, ['colours']],
	[/light|time|licht|lumière|luz/u, ['light']],
	[/style|stil|estilo|technique/u, ['style']],
	[/mood|atmosphere|vibe|stimmung|ambiance/u, ['mood', 'light']],
	[/weather|wetter|temps|clima/u, ['weather']],
	[/season|jahreszeit|saison/u, ['season', 'weather']],
	[/place|background|backdrop|setting|landscape|scenery|hintergrund|fond|fondo/u, ['place']],
	[/look/u, ['style', 'colours', 'mood']],
];
const PART = phrases.part;
const OF = '(?:of|from|in|von|aus|de|des)';

/** Words that are allowed before the picture of a place: "the scene of image 2". */
const WORLD =
	'(?:(?:the|a|der|die|das|dem|la|le|el) )?(?:(?:scene|world|landscape|setting|environment|place|background|szene|welt|scène|monde|escena|mundo) )?';

/** Reads what of which picture goes where; undefined when the words name no such thing. */
export function mergeIn(text: string, count: number): Merge | undefined {
	return movedSubject(text) ?? newBackground(text, count) ?? lookIn(text, count) ?? wholePictures(text, count);
}

/** Bounded: at most 4,000 characters. */
const exec = (pattern: string, text: string) => new RegExp(words(pattern).source, 'u').exec(text)?.groups;

/** "Use the style of image 2 on image 1", "image 1 in the light and colours of image 2", "make image 1 look like image 2". */
export function lookIn(text: string, count: number): Merge | undefined {
	const found =
		exec(
			`(?<parts>${PART}(?:(?:,| and| &| und| et| y)+(?: the)? ${PART})*) ${OF} ${named('of')}(?: (?:on|to|for|onto|auf|für|sur|à|en)(?: the)? ${named('on')})?`,
			text,
		) ??
		exec(`${named('of')} (?<parts>${PART})(?: (?:on|to|for|onto) ${named('on')})?`, text) ??
		exec(`${named('on')}[^${SIGNS}.;]{0,40}? (?<parts>look)(?:s|ing)? (?:like|as) ${named('of')}`, text) ??
		exec(`${named('on')}[^${SIGNS}.;]{0,40}? (?<parts>styled) (?:like|as) ${named('of')}`, text);
	const of = indexOf(found?.['of']);
	if (!found || of === undefined) return undefined;
	const on = indexOf(found['on']) ?? othersThan(of, text, count);
	if (on === undefined || on === of) return undefined;
	const parts = [
		...new Set(PARTS.filter(([pattern]) => pattern.test(found['parts'] ?? '')).flatMap(([, part]) => part)),
	];
	// "Replace the background": the other picture's place in its own light.
	const whole: readonly LookPart[] = parts.includes('place')
		? [...parts, 'light', 'season']
		: parts.length > 0
			? parts
			: ['style', 'colours'];
	return { base: on, take: [], look: { from: of, parts: whole } };
}

function othersThan(of: number, text: string, count: number): number | undefined {
	const mentioned = [...text].map((letter) => SIGNS.indexOf(letter)).find((image) => image >= 0 && image !== of);
	return mentioned ?? Array.from({ length: count }, (_, image) => image).find((image) => image !== of);
}

/** "The fox from image 1 on the boat of image 2": each subject that is named with a picture, related to one of the other. */
function movedSubject(text: string): Merge | undefined {
	const verb =
		'(?:(?:put|place|add|set|let|have|bring|move|insert|seat|show|take|copy|setze?|stelle|lege|mets|place|pon|coloca) )?';
	const subject = (name: string) => `(?<${name}>(?:[\\p{L}’'-]+ ){1,5}?)`;
	const found =
		exec(
			`${verb}${subject('what')}${OF} ${named('from')}(?: (?:stand|sit|lie|fly|ride|be|is|and (?:put|place) (?:it|him|her|them)))? (?<kind>${RELATION}) ${subject('onto')}${OF} ${named('base')}`,
			text,
		) ??
		exec(
			`${verb}${subject('what')}${OF} ${named('from')}(?: and (?:put|place) (?:it|him|her|them))? (?<kind>${RELATION}) ${WORLD}(?:${OF} )?${named('base')}`,
			text,
		);
	const [from, base] = [indexOf(found?.['from']), indexOf(found?.['base'])];
	if (!found || from === undefined || base === undefined || from === base) return undefined;
	const what = single(found['what'] ?? '');
	if (!what || new RegExp(`^(?:the )?${PART} $`, 'u').test(found['what'] ?? '')) return undefined;
	const isWorld = new RegExp(`^(?:${WORLD.trim()})$`, 'u').test(`${found['onto'] ?? ''}`);
	const onto = isWorld ? undefined : single(found['onto'] ?? '');
	const to = onto && { kind: kindOf(found['kind'] ?? ''), what: onto };
	const all = namedSubjects(text, base);
	const take = all.some((one) => one.from === from) ? all : [{ from, what }, ...all];
	return { base, take: take.map((one) => ({ ...one, to })) };
}

/** Every subject that is named with its picture: "the fox from image 1 and the owl from image 3". */
function namedSubjects(text: string, base: number): Merge['take'] {
	const noun = "(?:(?!(?:and|with|put|place|add|und|et|y)\\b)[\\p{L}’'-]+ ){1,4}?";
	const all = text.matchAll(words(`(?<what>${noun})${OF} ${named('from')}`));
	return [...all].flatMap(({ groups }) => {
		const from = indexOf(groups?.['from']);
		const what = single(groups?.['what'] ?? '');
		return from === undefined || from === base || !what ? [] : [{ from, what }];
	});
}

function single(text: string): Target | undefined {
	return targetsOf(text.trim()).targets[0];
}

const TOGETHER = phrases.together;

/** "Replace the background of image 1 with image 2", "image 2 as the background of image 1". */
function newBackground(text: string, count: number): Merge | undefined {
	const back = '(?:background|backdrop|hintergrund|arrière-plan|fond|fondo)';
	const found =
		exec(
			`(?:replace|change|swap|exchange|ersetze|remplace|cambia)(?: the)? ?(?:${back} ${OF} ${named('from')}|${named('from')} ${back}) (?:with|by|to|for|durch|mit|par|por)(?: the)?(?: ${back} ${OF})? ?${named('base')}`,
			text,
		) ??
		exec(
			`${named('base')} (?:as|for|is|becomes|als|comme|como)(?: a| the| new| le| el)* ${back}(?: (?:of|for|behind|to|von|für|de|pour) ${named('from')})?`,
			text,
		) ??
		exec(`${named('from')} in front of ${named('base')}`, text);
	const base = indexOf(found?.['base']);
	const from = base === undefined ? undefined : (indexOf(found?.['from']) ?? othersThan(base, text, count));
	return base === undefined || from === undefined || from === base
		? undefined
		: { base, take: [{ from }], empty: true };
}

/** "Put image 1 into image 2", "combine them". */
function wholePictures(text: string, count: number): Merge | undefined {
	const found = exec(`${named('from')} (?<kind>${RELATION}) ${WORLD}(?:${OF} )?${named('base')}`, text);
	const [from, base] = [indexOf(found?.['from']), indexOf(found?.['base'])];
	if (from !== undefined && base !== undefined && from !== base) return { base, take: [{ from }] };
	return isMerging(text) ? allTogether(text, count) : undefined;
}

/** All subjects of all pictures in the place of the first, in the order of their mention. */
export function allTogether(text: string, count: number): Merge {
	const mentioned = [...new Set([...text].map((letter) => SIGNS.indexOf(letter)).filter((image) => image >= 0))];
	const images = mentioned.length > 1 ? mentioned : Array.from({ length: count }, (_, image) => image);
	return { base: images[0] ?? 0, take: images.slice(1).map((from) => ({ from })) };
}

/** Whether a clause asks for one picture of all. */
export const isMerging = (text: string) => text.search(words(TOGETHER)) >= 0;
