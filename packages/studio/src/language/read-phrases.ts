import type { Figure } from '../drawing/subjects/figure.ts';
import { figures, figuresIn } from '../drawing/subjects/figures.ts';
import { adjust } from '../drawing/tools/colour.ts';
import { isWorn } from '../scene/find-subjects.ts';
import type { Relation, SkyThing, Weather } from '../scene/names.ts';
import type { Hex, Subject } from '../scene/scene.ts';
import { renumbered } from '../scene/subject.ts';
import type { Surroundings } from '../scene/surroundings.ts';
import { lookUp, MAX_PHRASE, type Meaning, nameOfFigure } from './lexicon.ts';
import { type Token, tokensOf } from './tokens.ts';
import { colours, ignored, settings } from './vocabulary/vocabulary.ts';

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
	const { tokens, texts } = tokensOf(text);
	const reader = new PhraseReader();
	reader.readAll(tokens);
	return { ...reader.result(), texts };
}

/** What was said of the noun that is still to come. */
type Pending = { colour?: Hex; shade?: NonNullable<Meaning['shade']>; size?: number; count?: number; aloft?: true };

class PhraseReader {
	readonly #subjects: Subject[] = [];
	readonly #weather = new Set<Weather>();
	readonly #sky = new Set<SkyThing>();
	readonly #absent: Absence[] = [];
	readonly #notUnderstood: string[] = [];
	#surroundings: Surroundings = {};
	#pending: Pending = {};
	#relation: Relation | undefined;
	#side: Subject['side'];
	#isNegated = false;
	/** The subject whose noun phrase may still go on: "golden retriever" before "puppy". */
	#open: Subject | undefined;
	/** The last subject of this clause that something may be said of. */
	#last: Subject | undefined;
	/** The relation that a clause began with: "under the tree a dog". */
	#leading: { kind: Relation; to: Subject } | undefined;
	#isOf = false;
	/** Whose clothes were named just now: in some languages their colour follows. */
	#dressed: Subject | undefined;
	/** An "and" after a hat: a scarf that follows is worn as well. */
	#wearsMore = false;
	/** What was named just now, and right before: of "a mountain lake", the last word says what it is. */
	#named: { subject?: true; place?: true } = {};
	#before: { subject?: true; place?: true } = {};
	/** The last subject is drawn by something else of its kind. */
	#isStandIn = false;
	/** A colour was said of a word that means nothing here. */
	#isColourLost = false;
	/** Colours that belong to no subject, in the order of the text. */
	readonly #colours: Hex[] = [];
	/** The colour of hair that was named before its person. */
	#hair: Hex | undefined;
	/** What ideas bring along, where the text says nothing else. */
	#usual: Surroundings = {};

	readAll(tokens: readonly Token[]): void {
		for (let index = 0; index < tokens.length; ) {
			const { word, written } = tokens[index] as Token;
			if (word === ',') {
				this.#endClause();
				index++;
				continue;
			}
			const length = this.#lengthAt(tokens, index);
			this.#before = this.#named;
			this.#named = {};
			if (length === 0) this.#readOther(word, written);
			else this.#readKnown(tokens.slice(index, index + length), this.#isNounAt(tokens, index + length));
			index += Math.max(1, length);
		}
		this.#endClause();
	}

	result(): Omit<Phrases, 'texts'> {
		const { tint = this.#colours[0] } = this.#surroundings;
		const second = this.#colours.find((colour) => colour !== tint);
		if (tint && (this.#subjects.length === 0 || this.#surroundings.framing))
			this.#surroundings = { ...this.#surroundings, tint, ...(second && { second }) };
		return {
			subjects: this.#subjects,
			surroundings: {
				...this.#usual,
				...this.#surroundings,
				...(this.#weather.size > 0 && { weather: [...this.#weather] }),
				...(this.#sky.size > 0 && { sky: [...this.#sky] }),
			},
			absent: this.#absent,
			notUnderstood: [...new Set(this.#notUnderstood)],
		};
	}

	#lengthAt(tokens: readonly Token[], index: number): number {
		for (let length = MAX_PHRASE; length > 0; length--) {
			const part = tokens.slice(index, index + length);
			if (part.length === length && lookUp(part.map(({ word }) => word).join(' '))) return length;
		}
		return 0;
	}

	#readOther(word: string, written: string): void {
		if (word === 'of') {
			this.#isOf = true;
			// Of "a painting of sunflowers", one is the number of paintings.
			if (!this.#open) delete this.#pending.count;
			this.#closePhrase();
			return;
		}
		if (/^(?:and|the|that|who|which|then|while|but)$/.test(word)) this.#closePhrase();
		if (word === 'but') this.#isNegated = false;
		if (word === 'and') {
			this.#relation = undefined;
			this.#wearsMore = this.#last?.relation?.kind === 'worn by';
		}
		if (ignored.has(word) || word.length < 3 || /ly$|^\d+/.test(word)) return;
		this.#notUnderstood.push(written);
		this.#isColourLost ||= this.#pending.colour !== undefined;
		// With "cat ears", no cat is meant.
		if (this.#before.subject && this.#open && OF_AN_ANIMAL.test(word)) {
			this.#notUnderstood.push(this.#open.name);
			this.#takeBack(this.#open);
			return;
		}
		// Of "maple syrup", the tree is not meant.
		if (this.#before.subject && !word.endsWith('ing')) this.#leaveOutModifier();
	}

	/** Tells whether a subject or a place follows: "orange" and "rose" are colours before it. */
	#isNounAt(tokens: readonly Token[], index: number): boolean {
		const next = lookUp(tokens[index]?.word ?? '')?.meaning;
		return next !== undefined && (next.subject ?? next.place ?? next.clothes ?? next.framing) !== undefined;
	}

	#readKnown(tokens: readonly Token[], isBeforeNoun: boolean): void {
		const phrase = tokens.map(({ word }) => word).join(' ');
		const { meaning, singular, isPlural } = lookUp(phrase) as NonNullable<ReturnType<typeof lookUp>>;
		const isStandIn = meaning.standsIn === true;
		if (isStandIn && !this.#isNegated) this.#notUnderstood.push(tokens.map(({ written }) => written).join(' '));
		if (meaning.idea !== undefined) this.#readIdea(meaning.idea);
		else if (meaning.hair) this.#readHair(meaning.colour);
		else if (meaning.side) this.#readSide(meaning.side);
		else if (meaning.negation) {
			this.#closePhrase();
			this.#isNegated = true;
		} else if (this.#readRelation(meaning)) {
			if (meaning.clothes) this.#readClothes(tokens);
			else if (this.#isNegated) this.#absent.push({ ...meaning, name: singular });
			else this.#readPresence(meaning, isStandIn ? undefined : singular, isPlural, isBeforeNoun);
		}
	}

	/** @returns whether the words say something else, too */
	#readRelation({ relation, subject, place, count }: Meaning): boolean {
		if (!relation || subject || place) return true;
		this.#closePhrase();
		// "with" and "in a" say less than a verb before them.
		if (!(this.#relation === 'held by' && relation === 'on')) this.#relation = relation;
		return count !== undefined;
	}

	/** @param name undefined for what is drawn by something else of its kind */
	#readPresence(meaning: Meaning, name: string | undefined, isPlural: boolean, isBeforeNoun: boolean): void {
		const { colour, ...others } = meaning;
		const isColour = isBeforeNoun || (this.#pending.count === undefined && (this.#relation === 'in' || !isPlural));
		const isSubject = meaning.subject !== undefined && !(colour && isColour);
		this.#readQualities(isSubject ? others : meaning);
		if (meaning.subject && isSubject) {
			this.#addSubject(meaning.subject, name ?? nameOfFigure(meaning.subject.figure), isPlural);
			this.#isStandIn = name === undefined;
		}
		this.#readSurroundings(meaning);
	}

	#readHair(colour = shaded(this.#pending)): void {
		const person = [this.#open, this.#holderOf(this.#last)].find((each) => each && figures[each.figure].clothed);
		delete this.#pending.colour;
		this.#relation = undefined;
		const natural = asHair(colour);
		if (person && natural) person.hair = natural;
		else this.#hair = natural;
	}

	#readIdea(idea: string): void {
		this.#closePhrase();
		const inner = new PhraseReader();
		inner.readAll(tokensOf(idea).tokens);
		const { subjects, surroundings } = inner.result();
		const offset = this.#subjects.length;
		this.#subjects.push(...renumbered(subjects.slice(0, MAX_SUBJECTS - offset), (id) => id + offset));
		for (const each of surroundings.weather ?? []) this.#weather.add(each);
		for (const each of surroundings.sky ?? []) this.#sky.add(each);
		this.#usual = { ...surroundings, ...this.#usual };
		this.#last = this.#subjects.at(-1);
		this.#pending = {};
	}

	#readQualities({ shade, size, count, aloft, colour }: Meaning): void {
		if (shade) this.#pending.shade = shade;
		if (size !== undefined) this.#pending.size = size;
		if (count !== undefined && !(count === 1 && this.#pending.count)) {
			if (this.#open) this.#closePhrase();
			this.#pending.count = count;
		}
		if (aloft) {
			if (this.#open ?? this.#last) (this.#open ?? this.#last)!.aloft = true;
			else this.#pending.aloft = true;
		}
		if (colour && this.#pending.colour && !this.#open) this.#colours.push(shaded(this.#pending) as Hex);
		if (colour) this.#pending.colour = colour;
	}

	#addSubject(subject: NonNullable<Meaning['subject']>, name: string, isPlural: boolean): void {
		this.#named.subject = true;
		const isMore = this.#isOf && this.#last?.figure === subject.figure;
		const noun = isMore ? this.#last : this.#relation ? undefined : this.#open;
		if (noun && noun.figure === subject.figure) {
			this.#goOn(noun, name, isPlural);
			this.#isOf = false;
			return;
		}
		if (noun && this.#before.subject) this.#leaveOutModifier();
		// A "dog astronaut" is a dog.
		const animal = noun && this.#before.subject && !figures[noun.figure].clothed && figures[noun.figure].head && noun;
		if (subject.figure === 'astronaut' && animal) {
			const relation = { kind: 'worn by', to: animal.id } as const;
			const helmet = { figure: 'spaceHelmet', name: 'space helmet', count: 1, scale: 1, aloft: false } as const;
			this.#subjects.push({ ...helmet, id: this.#subjects.length + 1, relation });
			this.#usual = { place: 'moonscape', ...this.#usual };
			return;
		}
		if (this.#subjects.length >= MAX_SUBJECTS) return;
		const usual = isPlural ? (GROUPS.get(subject.figure) ?? 3) : 1;
		const count = Math.min(MAX_COUNT, this.#pending.count ?? usual);
		const said = shaded(this.#pending) ?? subject.colour;
		const colour = subject.figure === 'beard' ? asHair(said) : said;
		const added: Subject = {
			id: this.#subjects.length + 1,
			figure: subject.figure,
			name,
			count: isPlural && !GROUPS.has(subject.figure) ? Math.max(2, count) : count,
			scale: this.#pending.size ?? 1,
			aloft: this.#pending.aloft ?? false,
			colour,
			hair: figures[subject.figure].clothed ? this.#hair : undefined,
			side: this.#side,
		};
		this.#relate(added);
		this.#side = undefined;
		if (added.hair) this.#hair = undefined;
		this.#pending = {};
		this.#subjects.push(added);
		this.#open = added;
		this.#last = added;
	}

	/** A further name of the same thing: "red fox vixen". */
	#goOn(open: Subject, name: string, isPlural: boolean): void {
		const kind = nameOfFigure(open.figure);
		if (open.name === kind) open.name = name;
		else if (open.name !== name) open.name = [open.name, ...(this.#isOf ? ['of'] : []), name].join(' ').slice(0, 80);
		if (isPlural && open.count === 1) open.count = 3;
	}

	/** Relates a subject to the one before it, by the words between them. */
	#relate(added: Subject): void {
		const kind = this.#relation ?? (this.#wearsMore && isWorn(added) ? 'worn by' : undefined);
		this.#wearsMore = false;
		const before = this.#holderOf(this.#last);
		this.#relation = undefined;
		// "An old man, white beard"
		if (!kind && added.figure === 'beard' && before && figures[before.figure].clothed) {
			added.relation = { kind: 'worn by', to: before.id };
			return;
		}
		if (!kind) {
			const isInside = this.#isOf && before && settings.containers.split(', ').includes(before.figure);
			if (isInside) added.relation = { kind: 'in', to: before.id };
			else if (!this.#isOf && this.#leading) {
				added.relation = { kind: this.#leading.kind, to: this.#leading.to.id };
				this.#leading = undefined;
			}
			this.#isOf = false;
			return;
		}
		if (!before) {
			this.#leading = { kind, to: added };
			return;
		}
		this.#isOf = false;
		if (kind === 'held by' && added.figure === 'fire') Object.assign(added, { figure: 'flames', name: 'flames' });
		if (kind === 'held by' || (kind === 'worn by' && isWorn(added))) {
			added.relation = { kind: carriedAs(added, before, kind), to: before.id };
			return;
		}
		// "in a hat" is worn, and nobody is inside of a hat.
		if (kind === 'in' && isWorn(added)) added.relation = { kind: 'worn by', to: before.id };
		else before.relation ??= { kind: kind === 'worn by' ? 'in' : kind, to: added.id };
	}

	/** What is said of a thing that is held or worn is said of who has it: "a robot with a flower in front of a house". */
	#holderOf(subject: Subject | undefined): Subject | undefined {
		const { kind, to } = subject?.relation ?? {};
		const isCarried = kind === 'held by' || kind === 'worn by';
		return isCarried ? this.#subjects.find(({ id }) => id === to) : subject;
	}

	/** Clothes colour their wearer, animals wear none, and those that nobody wears are shown on a person. */
	#readClothes(tokens: readonly Token[]): void {
		const colour = shaded(this.#pending);
		this.#pending = {};
		this.#relation = undefined;
		if (this.#isNegated) return;
		if (!(this.#open ?? this.#last)) this.#addSubject({ figure: 'woman' }, 'person', false);
		const wearer = this.#holderOf(this.#open ?? this.#last);
		if (wearer && !figures[wearer.figure].clothed)
			this.#notUnderstood.push(tokens.map(({ written }) => written).join(' '));
		else if (wearer && colour) wearer.accent = colour;
		else this.#dressed = wearer;
	}

	#readSide(side: NonNullable<Subject['side']>): void {
		this.#closePhrase();
		if (this.#last && this.#last.side === undefined) this.#last.side = side;
		else this.#side = side;
	}

	#readSurroundings({ subject, place, time, season, weather, sky, mood, style, framing, relation }: Meaning): void {
		// The colour of a background is the one that counts.
		const ground = place === 'backdrop' || place === 'table' ? shaded(this.#pending) : undefined;
		if (ground) {
			this.#surroundings = { ...this.#surroundings, tint: ground };
			delete this.#pending.colour;
		}
		if (weather) this.#weather.add(weather);
		if (sky) this.#sky.add(sky);
		const found = { place, time, season, mood, style, framing };
		for (const [name, value] of Object.entries(found))
			if (
				value &&
				(!(name in this.#surroundings) ||
					(name === 'place' && this.#before.place && !ALL_AROUND.has(this.#surroundings.place)))
			)
				this.#surroundings = { ...this.#surroundings, [name]: value };
		if (place) this.#named.place = true;
		if (subject || relation || !(place || sky || weather || time)) return;
		// Of "a pine forest", the pine says which forest.
		if (place && this.#open && PLANTS.has(this.#open.figure)) this.#takeBack(this.#open);
		// A colour before a place or the sky belongs to the whole.
		this.#tint();
		this.#closePhrase();
		this.#relation = undefined;
		this.#pending = {};
	}

	/** A plant, a food or what has no drawing of its own says of the noun after it what kind that is: "apple pie". */
	#leaveOutModifier(): void {
		const { name, figure } = this.#open ?? {};
		if (!this.#open || !figure || !(this.#isStandIn || PLANTS.has(figure) || FOOD.has(figure))) return;
		if (!this.#isStandIn) this.#notUnderstood.push(name ?? '');
		this.#takeBack(this.#open);
	}

	#takeBack(subject: Subject): void {
		this.#subjects.splice(this.#subjects.indexOf(subject), 1);
		for (const other of this.#subjects) if (other.relation?.to === subject.id) delete other.relation;
		this.#open = undefined;
		this.#last = this.#subjects.at(-1);
	}

	#tint(): void {
		const tint = shaded(this.#pending);
		if (!tint) return;
		this.#colours.push(tint);
		this.#surroundings = { tint, ...this.#surroundings };
	}

	/** Ends a noun phrase. A colour after its noun belongs to it: "chat noir", "the car light blue". */
	#closePhrase(): void {
		const colour = shaded(this.#pending);
		const owner = this.#dressed ?? this.#open;
		if (owner && colour) {
			if (this.#dressed) owner.accent = colour;
			else owner.colour = colour;
			this.#pending = {};
		}
		this.#dressed = undefined;
		this.#open = undefined;
		if (this.#isColourLost && this.#subjects.length > 0) delete this.#pending.colour;
		this.#isColourLost = false;
	}

	#endClause(): void {
		this.#closePhrase();
		this.#tint();
		this.#pending = {};
		this.#relation = undefined;
		this.#isNegated = false;
		this.#isOf = false;
	}
}

/** Of an "underwater city" and of "abstract waves", the first word counts. */
const ALL_AROUND: ReadonlySet<Surroundings['place']> = new Set(['underwater', 'space', 'abstract']);

const shaded = ({ colour, shade }: Pending): Hex | undefined => (colour && shade ? adjust(colour, shade) : colour);

/** How many drawings show several of what comes in pairs, stacks and bowls. */
const GROUPS: ReadonlyMap<string, number> = new Map(
	Object.entries({ shoe: 2, pancakes: 1, fries: 1, sushi: 1, ramen: 1, pasta: 1 }),
);

const OF_AN_ANIMAL = /^(?:ears?|costume|onesie|mask|tattoo|print)$/;

/** Red hair is no red. */
const asHair = (colour: Hex | undefined): Hex | undefined => (colour === colours['red'] ? '#c23f26' : colour);

const PLANTS: ReadonlySet<Subject['figure']> = new Set([...figuresIn('plants'), 'pumpkin']);

const FOOD: ReadonlySet<Subject['figure']> = new Set(
	'apple citrus strawberry egg cup avocado bread cookie'.split(' ') as Subject['figure'][],
);

/** A thing is held by one who has hands; animals and large things stand beside. */
function carriedAs(thing: Subject, holder: Subject, kind: 'held by' | 'worn by'): Relation {
	if (isWorn(thing)) return 'worn by';
	const [figure, by]: [Figure, Figure] = [figures[thing.figure], figures[holder.figure]];
	return by.hands && figure.habitat !== 'deep' && (figure.held || figure.share <= 0.3) && kind === 'held by'
		? 'held by'
		: 'beside';
}
