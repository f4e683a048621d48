import type { Figure } from '../drawing/subjects/figures.ts';
import { figures, figuresIn, shows } from '../drawing/subjects/figures.ts';
import { adjust } from '../drawing/tools/colour.ts';
import { isWorn } from '../scene/find-subjects.ts';
import type { Relation, SkyThing, Weather } from '../scene/names.ts';
import type { Hex, Subject } from '../scene/scene.ts';
import { renumbered } from '../scene/scene.ts';
import type { Surroundings } from '../scene/surroundings.ts';
import { type Unit, unitsOf } from './english.ts';
import { colours, type Found, type Meaning, nameOfFigure, settings } from './lexicon.ts';
import { setQuotesAside } from './quotes.ts';
import ignoredWords from './vocabulary/ignored.json' with { type: 'json' };

export type Phrases = {
	/** Numbered from 1 in the order of the text. */
	subjects: Subject[];
	/** What the text says; nothing is added to it. */
	surroundings: Surroundings;
	/** What the text says shall not be there. */
	absent: Absence[];
	texts: string[];
	/** The words that mean nothing here, as they were written. */
	notUnderstood: string[];
};

export type Absence = Meaning & { name: string };

const MAX_SUBJECTS = 8;
const MAX_COUNT = 12;

/** Reads the noun phrases of a text: what is there, how it looks, and how one thing stands to another. */
export function readPhrases(text: string): Phrases {
	const { text: plain, quotes } = setQuotesAside(text, 'prompt');
	const units = unitsOf(plain.replace(/⟦\d+⟧/gu, ' '));
	return { ...new PhraseReader(units).result(), texts: quotes.slice(0, 3) };
}

/** What is said of one noun, before it or, as in some languages, after it. */
type NounPhrase = {
	colour?: Hex;
	shade?: NonNullable<Meaning['shade']>;
	size?: number;
	count?: number;
	aloft?: true;
	/** Further nouns may be names of the same: "golden retriever" before "puppy". */
	noun?: Subject;
	/** Whose clothes were named. */
	dressed?: Subject;
	/** The colour is one of a word that means nothing here. */
	isOfUnknown?: true;
};

/** What stands between one noun and the next. */
type Link = { kind?: Relation; side?: Subject['side']; isOf?: true /** An "and" after a hat. */; wearsMore?: boolean };

class PhraseReader {
	readonly #subjects: Subject[] = [];
	readonly #absent: Absence[] = [];
	readonly #notUnderstood = new Set<string>();
	#surroundings: Surroundings = {};
	/** Weather and things in the sky come together; of everything else, what is said first counts. */
	readonly #weather = new Set<Weather>();
	readonly #sky = new Set<SkyThing>();
	/** What ideas bring along, where the text says nothing else. */
	#usual: Surroundings = {};
	/** Colours that belong to no subject, in the order of the text. */
	readonly #colours: Hex[] = [];
	/** The colour of hair that was named before its person. */
	#hair: Hex | undefined;
	#phrase: NounPhrase = {};
	#link: Link = {};
	#isNegated = false;
	/** The last subject that something may be said of. */
	#last: Subject | undefined;
	/** The relation that a clause began with: "under the tree a dog". */
	#leading: { kind: Relation; to: number } | undefined;

	constructor(units: readonly Unit[]) {
		for (const [index, unit] of units.entries()) {
			if (unit.word === ',') this.#endClause();
			else if (unit.found) this.#readKnown(unit, unit.found, units[index + 1]);
			else this.#readOther(unit);
		}
		this.#endClause();
	}

	result(): Omit<Phrases, 'texts'> {
		const { tint = this.#colours[0], framing } = this.#surroundings;
		const second = this.#colours.find((colour) => colour !== tint);
		const ofWhole = tint && (this.#subjects.length === 0 || framing) ? { tint, second } : {};
		const [weather, sky] = [[...this.#weather], [...this.#sky]];
		return {
			subjects: this.#subjects,
			surroundings: { ...this.#usual, ...this.#surroundings, weather, sky, ...ofWhole },
			absent: this.#absent,
			notUnderstood: [...this.#notUnderstood],
		};
	}

	#readOther({ word, written }: Unit): void {
		if (word === 'of') {
			this.#link.isOf = true;
			// Of "a painting of sunflowers", one is the number of paintings.
			if (!this.#phrase.noun) delete this.#phrase.count;
		}
		if (/^(?:of|and|the|that|who|which|then|while|but)$/.test(word)) this.#closePhrase();
		if (word === 'but') this.#isNegated = false;
		if (word === 'and') this.#link = { ...this.#link, kind: undefined, wearsMore: isClothing(this.#last) };
		if (!saysNothing(word)) this.#leaveOut(written);
	}

	#leaveOut(written: string): void {
		this.#notUnderstood.add(written);
		if (this.#phrase.colour) this.#phrase.isOfUnknown = true;
	}

	#readKnown(unit: Unit, { meaning, singular, isPlural }: Found, next: Unit | undefined): void {
		if (meaning.standsIn && !this.#isNegated) this.#notUnderstood.add(unit.written);
		if (meaning.idea !== undefined) this.#readIdea(meaning.idea);
		else if (meaning.hair) this.#readHair(meaning.colour);
		else if (meaning.side) this.#readSide(meaning.side);
		else if (meaning.negation) {
			this.#closePhrase();
			this.#isNegated = true;
		} else {
			const isRelation = meaning.relation && !meaning.subject && !meaning.place;
			if (isRelation) this.#closePhrase();
			// "with" and "in a" say less than a verb before them.
			if (isRelation && !(this.#link.kind === 'held by' && meaning.relation === 'on'))
				this.#link.kind = meaning.relation;
			if (isRelation && meaning.count === undefined) return;
			if (meaning.clothes) this.#readClothes(unit.written);
			else if (this.#isNegated) this.#absent.push({ ...meaning, name: singular });
			else this.#readPresence(unit, { meaning, singular, isPlural }, next);
		}
	}

	#readPresence(unit: Unit, { meaning, singular, isPlural }: Found, next: Unit | undefined): void {
		const { colour, subject, place, ...others } = meaning;
		const { count } = this.#phrase;
		const { kind } = this.#link;
		const isColour = colour && (isNoun(next) || (count === undefined && (kind === 'in' || !isPlural)));
		// A café is a place to be in, and a house to stand before.
		const isPlace = place && !(subject && kind && OUTSIDE.has(kind));
		const isSubject = subject && !isColour && !(isPlace && kind !== undefined);
		this.#readQualities(isSubject ? others : { ...others, colour });
		if (isSubject) {
			const name = meaning.standsIn ? nameOfFigure(subject.figure) : singular;
			const role = roleBefore(meaning, next);
			if (role === 'names' || role === 'adorns') this.#leaveOut(meaning.standsIn ? unit.written : singular);
			if (role === undefined) this.#addSubject(subject, singular, isPlural, name);
		}
		this.#readSurroundings(isPlace ? meaning : { ...meaning, place: undefined }, next);
	}

	#readHair(colour = shaded(this.#phrase)): void {
		const person = [this.#phrase.noun, this.#holderOf(this.#last)].find((each) => each && figures[each.figure].clothed);
		delete this.#phrase.colour;
		this.#link.kind = undefined;
		const natural = asHair(colour);
		if (person && natural) person.hair = natural;
		else this.#hair = natural;
	}

	#readIdea(idea: string): void {
		this.#closePhrase();
		const { subjects, surroundings } = new PhraseReader(unitsOf(idea)).result();
		const offset = this.#subjects.length;
		this.#subjects.push(...renumbered(subjects.slice(0, MAX_SUBJECTS - offset), (id) => id + offset));
		const { weather, sky, ...usual } = surroundings;
		this.#gather({ weather, sky });
		this.#usual = { ...usual, ...this.#usual };
		this.#last = this.#subjects.at(-1);
		this.#phrase = {};
	}

	#readQualities({ shade, size, count, aloft, colour }: Meaning): void {
		if (shade) this.#phrase.shade = shade;
		if (size !== undefined) this.#phrase.size = size;
		if (count !== undefined && !(count === 1 && this.#phrase.count)) {
			if (this.#phrase.noun) this.#closePhrase();
			this.#phrase.count = count;
		}
		if (aloft) (this.#phrase.noun ?? this.#phrase).aloft = true;
		if (colour && this.#phrase.colour && !this.#phrase.noun) this.#colours.push(shaded(this.#phrase) as Hex);
		if (colour) this.#phrase.colour = colour;
	}

	#addSubject(
		{ figure, colour: own }: NonNullable<Meaning['subject']>,
		word: string,
		isPlural: boolean,
		name = word,
	): void {
		const { kind, isOf, side } = this.#link;
		const { noun, size = 1, aloft = false, count = isPlural ? (GROUPS[figure] ?? 3) : 1 } = this.#phrase;
		const before = this.#holderOf(this.#last);
		const container = kind === 'in' ? this.#subjects.find(({ id }) => id === this.#last?.relation?.to) : undefined;
		const same = [isOf && this.#last, container, kind ? undefined : noun].find(
			(each) => each && each.figure === figure,
		);
		if (same) {
			this.#goOn(same, name);
			same.colour ??= own;
			this.#link = { side };
			return;
		}
		// The drawing of a cake has candles.
		const isShown = kind ? kind.endsWith(' by') : isOf;
		if (before && isShown && !this.#phrase.colour && shows(before.figure).includes(word)) return;
		const isAnimal = noun && !kind && !figures[noun.figure].clothed && figures[noun.figure].head;
		const costume = isAnimal ? COSTUMES[figure] : undefined;
		const worn = costume && { ...costume, count: noun?.count ?? 1, colour: undefined };
		if (worn?.figure === 'spaceHelmet') this.#usual = { place: 'moonscape', ...this.#usual };
		if (this.#subjects.length >= MAX_SUBJECTS) return;
		const said = shaded(this.#phrase) ?? own;
		const added: Subject = {
			id: this.#subjects.length + 1,
			figure,
			name,
			count: Math.min(MAX_COUNT, isPlural && !(figure in GROUPS) ? Math.max(2, count) : count),
			scale: size,
			aloft,
			colour: figure === 'beard' ? asHair(said) : said,
			hair: figures[figure].clothed ? this.#hair : undefined,
			side,
			...worn,
		};
		if (worn) added.relation = { kind: 'worn by', to: noun?.id ?? 0 };
		else this.#relate(added, before);
		if (added.hair) this.#hair = undefined;
		this.#subjects.push(added);
		this.#phrase = worn && noun ? { noun } : { noun: added };
		this.#last = worn ? this.#last : added;
	}

	/** A further name of the same thing: "red fox vixen". */
	#goOn(noun: Subject, name: string): void {
		const of = this.#link.isOf ? ['of'] : [];
		if (noun.name === nameOfFigure(noun.figure)) noun.name = name;
		else if (noun.name !== name) noun.name = [noun.name, ...of, name].join(' ').slice(0, 80);
	}

	/** Relates a subject to the one before it, by the words between them. */
	#relate(added: Subject, before: Subject | undefined): void {
		const { isOf, wearsMore } = this.#link;
		const kind = this.#link.kind ?? (wearsMore && isWorn(added) ? 'worn by' : undefined);
		this.#link = {};
		if (!before) {
			this.#leading = kind && { kind, to: added.id };
			return;
		}
		const { clothed, contents } = figures[before.figure];
		// "A vase of roses", "a vase with roses".
		const isInside = kind
			? kind === 'held by' && PLANTS.has(added.figure) && contents
			: isOf && settings.containers.split(', ').includes(before.figure);
		if (isInside) added.relation = { kind: 'in', to: before.id };
		else if (kind) this.#relateBy(kind, added, before);
		// "An old man, white beard".
		else if (added.figure === 'beard' && clothed) added.relation = { kind: 'worn by', to: before.id };
		else if (!isOf) [added.relation, this.#leading] = [this.#leading, undefined];
	}

	#relateBy(kind: Relation, added: Subject, before: Subject): void {
		if (kind === 'held by' && added.figure === 'fire') Object.assign(added, { figure: 'flames', name: 'flames' });
		// "in a hat" is worn, and nobody is inside of a hat.
		const isCarried = kind === 'held by' || (isWorn(added) && (kind === 'worn by' || kind === 'in'));
		if (isCarried) added.relation = { kind: carriedAs(added, before, kind), to: before.id };
		else before.relation ??= { kind: kind === 'worn by' ? 'in' : kind, to: added.id };
	}

	/** What is said of a thing that is held or worn is said of who has it: "a robot with a flower in front of a house". */
	#holderOf(subject: Subject | undefined): Subject | undefined {
		const { kind, to } = subject?.relation ?? {};
		const isCarried = kind === 'held by' || kind === 'worn by';
		return isCarried ? this.#subjects.find(({ id }) => id === to) : subject;
	}

	/** Clothes colour their wearer, animals wear none, and those that nobody wears are shown on a person. */
	#readClothes(written: string): void {
		const { noun } = this.#phrase;
		const colour = shaded(this.#phrase);
		this.#phrase = { noun };
		this.#link.kind = undefined;
		if (this.#isNegated) return;
		if (!(noun ?? this.#last)) this.#addSubject({ figure: 'woman' }, 'person', false);
		const wearer = this.#holderOf(this.#phrase.noun ?? this.#last);
		if (wearer && !figures[wearer.figure].clothed) this.#notUnderstood.add(written);
		else if (wearer && colour) wearer.accent = colour;
		else this.#phrase.dressed = wearer;
	}

	#readSide(side: NonNullable<Subject['side']>): void {
		this.#closePhrase();
		if (this.#last && this.#last.side === undefined) this.#last.side = side;
		else this.#link.side = side;
	}

	#readSurroundings(meaning: Meaning, next: Unit | undefined): void {
		const { subject, time, season, weather, sky, mood, style, framing, relation } = meaning;
		// Of "a mountain lake", the last word says what it is; of "an underwater city", the first one.
		const isNext = next?.found?.meaning.place !== undefined && !ALL_AROUND.test(meaning.place ?? '');
		const place = isNext ? undefined : meaning.place;
		// The colour of a background is the one that counts.
		const ground = place === 'backdrop' || place === 'table' ? shaded(this.#phrase) : undefined;
		if (ground) {
			this.#surroundings = { ...this.#surroundings, tint: ground };
			delete this.#phrase.colour;
		}
		this.#gather({ place, time, season, mood, style, framing, weather: weather && [weather], sky: sky && [sky] });
		if (subject || relation || !(meaning.place || sky || weather || time)) return;
		// A colour before a place or the sky belongs to the whole.
		this.#tint();
		this.#closePhrase();
		this.#link.kind = undefined;
		this.#phrase = {};
	}

	#gather({ weather = [], sky = [], ...others }: Surroundings): void {
		for (const one of weather) this.#weather.add(one);
		for (const one of sky) this.#sky.add(one);
		const found = Object.entries(others).filter(([, value]) => value);
		this.#surroundings = { ...Object.fromEntries(found), ...this.#surroundings };
	}

	#tint(): void {
		const tint = shaded(this.#phrase);
		if (!tint) return;
		this.#colours.push(tint);
		this.#surroundings = { tint, ...this.#surroundings };
	}

	/** A colour after its noun belongs to it: "chat noir", "the car light blue". */
	#closePhrase(): void {
		const { noun, dressed, isOfUnknown, ...said } = this.#phrase;
		const colour = shaded(said);
		if (colour && dressed) dressed.accent = colour;
		else if (colour && noun) noun.colour = colour;
		this.#phrase = (noun || dressed) && colour ? {} : said;
		if (isOfUnknown && this.#subjects.length > 0) delete this.#phrase.colour;
	}

	#endClause(): void {
		this.#closePhrase();
		this.#tint();
		this.#phrase = {};
		this.#link = { side: this.#link.side, wearsMore: this.#link.wearsMore };
		this.#isNegated = false;
	}
}

const shaded = ({ colour, shade }: NounPhrase): Hex | undefined => (colour && shade ? adjust(colour, shade) : colour);

const isClothing = (subject: Subject | undefined) => subject?.relation?.kind === 'worn by';

/** Words that name nothing to be seen. */
const ignored: ReadonlySet<string> = new Set(ignoredWords.split(' '));
const saysNothing = (word: string) => ignored.has(word) || word.length < 3 || /ly$|^\d+/.test(word);

/** Tells whether a subject or a place follows: "orange" and "rose" are colours before it. */
function isNoun(next: Unit | undefined): boolean {
	const { subject, place, clothes, framing } = next?.found?.meaning ?? {};
	return (subject ?? place ?? clothes ?? framing) !== undefined;
}

/**
 * Tells what a noun is to the one right after it: it names its kind, as in "apple pie" and "maple syrup", or the kind of a place, as in "a
 * pine forest", or only adorns somebody, as in "cat ears". Otherwise it is there itself.
 */
function roleBefore({ subject, standsIn }: Meaning, next: Unit | undefined): 'names' | 'places' | 'adorns' | undefined {
	if (!subject || !next || next.word === ',') return undefined;
	if (ADORNMENTS.test(next.word)) return 'adorns';
	const { subject: other, place, colour } = next.found?.meaning ?? {};
	const isUnknown = !next.found && !saysNothing(next.word) && !/^of$|ing$/.test(next.word);
	if (place && !other) return PLANTS.has(subject.figure) ? 'places' : undefined;
	const isKind = standsIn || PLANTS.has(subject.figure) || FOOD.test(subject.figure);
	return isKind && (isUnknown || (other && !colour && other.figure !== subject.figure)) ? 'names' : undefined;
}

/** Where somebody stands who is not in a place. */
const OUTSIDE: ReadonlySet<Relation> = new Set(['in front of', 'behind', 'under', 'above']);

const ALL_AROUND = /^(?:underwater|space|abstract)$/;

/** How many drawings show several of what comes in pairs, stacks and bowls. */
const GROUPS: Readonly<Record<string, number>> = settings.groups;

const [CROWN, HAT] = [{ figure: 'crown', name: 'crown' } as const, { figure: 'hat', name: 'hat' } as const];
/** What an animal wears that is named by it: a "dog astronaut" is a dog. */
const COSTUMES: Readonly<Record<string, Pick<Subject, 'figure' | 'name'>>> = {
	...{ king: CROWN, princess: CROWN, wizard: HAT, witch: HAT, pirate: HAT },
	astronaut: { figure: 'spaceHelmet', name: 'space helmet' },
};

const ADORNMENTS = /^(?:ears?|costume|onesie|mask|tattoo|print)$/;

/** Red hair is no red. */
const asHair = (colour: Hex | undefined): Hex | undefined => (colour === colours['red'] ? '#c23f26' : colour);

const PLANTS: ReadonlySet<Subject['figure']> = new Set([...figuresIn('plants'), 'pumpkin']);

const FOOD = /^(?:apple|citrus|strawberry|egg|cup|avocado|bread|cookie)$/;

/** A thing is held by one who has hands; animals and large things stand beside. */
function carriedAs(thing: Subject, holder: Subject, kind: Relation): Relation {
	if (isWorn(thing)) return 'worn by';
	const [figure, by]: [Figure, Figure] = [figures[thing.figure], figures[holder.figure]];
	return by.hands && figure.habitat !== 'deep' && (figure.held || figure.share <= 0.3) && kind === 'held by'
		? 'held by'
		: 'beside';
}
