import { figuresIn } from '../../drawing/subjects/figures.ts';
import type { Subject } from '../subject.ts';
import { colourName, namesColour } from './colour-names.ts';
import { asPlural, counted } from './wording.ts';

/** Returns a subject with its count, size, colour and article: "three big red apples". */
export function subjectPhrase(subject: Subject): string {
	const side =
		subject.side === undefined ? '' : subject.side === 'centre' ? ' in the centre' : ` on the ${subject.side}`;
	// The colour of a person is the one of their clothes.
	const worn = subject.accent ?? (isPerson(subject) ? subject.colour : undefined);
	const accent =
		(subject.hair ? ` with ${colourName(subject.hair)} hair` : '') + (worn ? ` in ${colourName(worn)}` : '');
	return counted(nameOf(subject), subject.count) + accent + side;
}

const isPerson = ({ figure, name }: Subject) => PEOPLE.has(figure) && !namesColour(name);

const PEOPLE: ReadonlySet<string> = new Set(figuresIn('people').filter((figure) => figure !== 'snowman'));

/** Returns the name of a subject with its size and colour. */
export function nameOf(subject: Subject): string {
	const { name, colour, scale, aloft, figure } = subject;
	const size = scale >= 1.6 ? 'huge' : scale >= 1.25 ? 'big' : scale <= 0.5 ? 'tiny' : scale <= 0.8 ? 'small' : '';
	const sized = /\b(?:huge|big|tiny|small|giant|large|little)\b/.test(name);
	return [
		aloft && !FLIERS.has(figure) && !/fl(?:y|oat)ing/.test(name) && 'flying',
		!sized && size,
		colour && !isPerson(subject) && !namesColour(name) && colourName(colour),
		name,
	]
		.filter(Boolean)
		.join(' ');
}

const FLIERS: ReadonlySet<string> = new Set(
	'songbird eagle butterfly bee plane hotAirBalloon airship ufo rocket kite'.split(' '),
);

/** Returns the name of a subject with "the": "the three foxes". */
export function theSubject({ name, count }: Pick<Subject, 'name' | 'count'>): string {
	return `the ${count > 1 ? asPlural(name) : name}`;
}
