import type { FigureName } from '../../drawing/subjects/figures.ts';
import type { Place } from '../../scene/names.ts';
import type { Hex } from '../../scene/scene.ts';
import colourTable from './colours.json' with { type: 'json' };
import homeTable from './homes.json' with { type: 'json' };
import ideaTable from './ideas.json' with { type: 'json' };
import ignoredWords from './ignored.json' with { type: 'json' };
import languageTable from './languages.json' with { type: 'json' };
import settingTable from './settings.json' with { type: 'json' };
import subjectTable from './subjects.json' with { type: 'json' };

/**
 * Words for each subject, parted by commas; a colour after a word is what that one has unless the prompt says otherwise. The first one is the
 * name of the drawing. Here and in the other tables, words after a semicolon are drawn by something else of their kind: a samurai by a knight.
 */
export const subjects: Readonly<Record<FigureName, string>> = subjectTable;

/**
 * Words by what they mean: `meanings` by the name of a setting, `numbers` by how many or how large, `flags` by what they do to the words
 * around them. Commas part the words; a phrase is one word here. A `framing` is a kind of picture, which has its subject in the middle; `hair`
 * is what the colour before it is the colour of, and `hairColours` say both. A `relation` says how the subject before stands to the one after.
 * `clothes` have no drawing of their own: they colour what their wearer wears. A `negation` takes away what follows, `aloft` is in the air what
 * usually is not, and `containers` hold what follows an "of": a vase of roses.
 */
export const settings = settingTable;

/**
 * What people name that has no drawing of its own, as words that have: places of the world, works of art, activities, feasts. A name
 * that comes first wins over its parts.
 */
export const ideas: Readonly<Record<string, string>> = ideaTable;

/** Places of subjects whose prompt names none; all others stand in a meadow. */
export const homes: ReadonlyMap<FigureName, Place> = new Map(
	Object.entries(homeTable).flatMap(([place, figures]) =>
		figures.split(' ').map((figure) => [figure as FigureName, place as Place] as const),
	),
);

/**
 * Colours by name without spaces; black and white keep some body, so that shading shows. The colour names of CSS Color 4
 * (https://www.w3.org/TR/css-color-4/#named-colors), as people write them, and others.
 */
export const colours = colourTable.named as Readonly<Record<string, Hex>>;

/** The effect of a shade word on lightness and chroma of the colour that follows: "dark green", "pale pink". */
export const shades: Readonly<Record<string, { readonly l: number; readonly c: number }>> = colourTable.shades;

/** Words that name nothing to be seen. */
export const ignored: ReadonlySet<string> = new Set(ignoredWords.split(' '));

/**
 * Common words of some other languages, as the English words that the rest of the vocabulary knows. `marks` are words that give the
 * language away, so that a French "chat" is a cat and an English one is not. `words`: an English word (with % for a space), then the
 * words for it, parted by "/".
 */
export const languages: readonly { readonly marks: string; readonly words: string }[] = languageTable.languages;

/** Words of other languages that mean something else in English, so that one of the marks must stand beside them. */
export const alsoEnglish: ReadonlySet<string> = new Set(languageTable.alsoEnglish.split(' '));

/** Signs that put no spaces between words (Chinese, Japanese, pictographs) with their English words; longer ones first. */
export const unspaced: readonly (readonly [sign: string, english: string])[] = languageTable.signs
	.split(', ')
	.flatMap((entry) => {
		const [english = '', signs = ''] = entry.split(' ');
		return signs.split('/').map((sign) => [sign, english.replaceAll('%', ' ')] as const);
	})
	.sort(([a], [b]) => b.length - a.length);
