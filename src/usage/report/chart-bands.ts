import { clip } from '../../domain/text.ts';
import type { Translate } from '../../i18n/translator.ts';
import type { Report } from './summary.ts';

/** Distinguishable with any colour vision, on white and on black. Okabe and Ito, https://jfly.uni-koeln.de/color/#pallet */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9'];
const OTHERS_COLOUR = '#8c8c8c';

/** The maximum length of a command's name in the legend. */
const NAME_CHARACTERS = 24;

/** The calls per day of one command, or of several that share a band. */
export type Band = { name: string; colour: string; calls: number[] };

/**
 * Returns the bands of the stacked bars, from the bottom up; at most six. Colours are assigned in alphabetical order, so that a
 * command keeps its colour when the most used command changes.
 */
export function bandsOf(t: Translate, { commands, days }: Report): Band[] {
	const named = commands.slice(0, commands.length > COLOURS.length + 1 ? COLOURS.length : commands.length);
	const others = commands.slice(named.length);
	const callsOf = (some: readonly string[]) =>
		days.map(({ byCommand }) => some.reduce((sum, command) => sum + (byCommand.get(command) ?? 0), 0));
	const alphabetical = [...named].sort();
	return [
		...named.map((command) => ({
			name: clip(command, NAME_CHARACTERS),
			colour: COLOURS[alphabetical.indexOf(command)] ?? OTHERS_COLOUR,
			calls: callsOf([command]),
		})),
		...(others.length > 0 ? [{ name: t('report.chart.other'), colour: OTHERS_COLOUR, calls: callsOf(others) }] : []),
	];
}
