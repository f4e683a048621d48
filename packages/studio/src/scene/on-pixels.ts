import captions from './captions/captions.json' with { type: 'json' };
import { filled, list } from './captions/wording.ts';
import type { Change } from './change.ts';
import type { Mood, Season, Style, Time, Weather } from './names.ts';
import table from './pixels.json' with { type: 'json' };
import type { Operation } from './scene.ts';
import { related } from './scene.ts';
import type { Surroundings } from './surroundings.ts';

const MAX_OPERATIONS = 12;

const look = (name: Season | Time): Operation => ({ do: 'look', name });

type Table<Name extends string> = Readonly<Record<Name, Operation>>;

/** What a weather, a style or a mood does with the pixels of any picture, drawn here or not. */
const { weathers, styles, moods } = table as { weathers: Table<Weather>; styles: Table<Style>; moods: Table<Mood> };
export const operationOfStyle = (style: Style): Operation => styles[style];
export const operationOfMood = (mood: Mood): Operation => moods[mood];

/** Turns changes of a scene into operations as far as that is possible, and says in words what is not: night is a tone then. */
export function onPixels(changes: readonly Change[]) {
	const impossible: string[] = [];
	const all = changes.flatMap((change) => operationsOf(change, impossible));
	const operations = [...new Map(all.map((operation) => [JSON.stringify(operation), operation])).values()];
	return { operations: operations.slice(0, MAX_OPERATIONS), impossible: [...new Set(impossible)] };
}

function operationsOf(change: Change, impossible: string[]): readonly Operation[] {
	switch (change.do) {
		case 'operate':
			return [change.operation];
		case 'surround':
			return surroundings(change.by, impossible);
		case 'zoom':
			return [{ do: 'zoom', factor: Math.min(4, Math.max(0.25, change.factor)) }];
		case 'write': {
			const { text, place = 'bottom', colour, instead } = change;
			if (!instead) return [{ do: 'text', text: text.slice(0, 200), place, colour }];
			break;
		}
		case 'scale':
			if (change.what.name === 'it') return [{ do: 'scale', factor: change.factor > 1 ? 2 : 0.5 }];
			break;
		case 'add':
		case 'put':
		case 'give':
			return [{ do: 'paste', subjects: related(change.subjects) }];
		case 'move': {
			const { figure, name, colour } = change.what;
			const thing = { id: 1, name, count: 1, scale: 1, aloft: false, side: change.side, colour };
			if (figure) return [{ do: 'paste', subjects: [{ ...thing, figure }] }];
		}
	}
	impossible.push(impossibleWith(change));
	return [];
}

/** What only a scene could do, in words. */
function impossibleWith(change: Change): string {
	const templates: Readonly<Record<string, string>> = captions.impossible;
	const { weather = [], sky = [], season } = change.do === 'clear' ? change.of : {};
	const things = list([...weather, ...sky, ...(season ? [season] : [])]) || 'a style';
	return filled(templates[change.do] ?? '', { name: 'what' in change ? change.what.name : '', things });
}

/** Weather and season of one look are toned once; the sun and clouds come with the weather that has them. */
function surroundings(
	{ place, time, season, weather = [], sky = [], mood, style, tint }: Surroundings,
	impossible: string[],
): Operation[] {
	if (place) impossible.push('another place');
	const shown = weather.flatMap((one) => (one === 'clear' ? ['sun'] : one === 'cloudy' ? ['clouds'] : []));
	const things = sky.filter((one) => !shown.includes(one) && !(one === 'sun' && time));
	if (things.length > 0) impossible.push(`adding ${list(things)}`);
	return [
		...(season ? [look(season)] : []),
		...weather.flatMap((one) => (one === 'clear' && time ? [] : (weathers[one] ?? []))),
		...(time ? [look(time)] : []),
		...(mood ? [moods[mood]] : []),
		...(style ? [styles[style]] : []),
		...(tint ? [{ do: 'tint' as const, colour: tint, amount: 1 }] : []),
	];
}
