import type { Place } from '../lexicon.ts';
import type { FigureName } from '../subjects/figures.ts';

/** Where a subject is shown if the prompt names no place; the rest stand in a meadow. */
export const homes: Partial<Record<FigureName, Place>> = {
	fox: 'forest',
	wolf: 'forest',
	bear: 'forest',
	raccoon: 'forest',
	squirrel: 'forest',
	monkey: 'forest',
};

/** Words that name nothing to be seen. */
export const stopwords: ReadonlySet<string> = new Set(
	'the and but for nor yet that this these those there here with without from into onto off out its his her their our your they them she him who whom which what when where while very really quite just also only then than too such like some any every all each more most much less least of at to as is are was were been being have has had having does did doing will would can could should may might must not make made get got let see show please picture image photo photograph illustration drawing draw render art artwork style background foreground scene view shot close portrait wide angle detailed detail high quality highly resolution masterpiece best beautiful pretty nice amazing awesome lens focus bokeh trending artstation octane unreal engine look looking feel feeling vibe theme concept design composition lighting light colors colours color colour upon across along through between among against during until about after again once own same other another new time day thing things way'.split(
		' ',
	),
);
