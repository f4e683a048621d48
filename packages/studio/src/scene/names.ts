/** The names that a scene uses. Words of many languages lead to them, each has a drawing, and captions say how it is called. */
import captions from './captions/captions.json' with { type: 'json' };

const namesOf = <Name extends string>(table: Readonly<Record<Name, string>>) => Object.keys(table) as Name[];

export const PLACES = namesOf(captions.places);
export const TIMES = namesOf(captions.times);
export const SEASONS = namesOf(captions.seasons);
export const WEATHERS = namesOf(captions.weathers);
export const MOODS = namesOf(captions.moods);
export const STYLES = namesOf(captions.styles);
/** What kind of picture it is, which decides what its middle shows. */
export const FRAMINGS = namesOf(captions.framings);
/** Things in the sky, apart from weather. */
export const SKY_THINGS = namesOf(captions.skies);

/** How a subject stands to another one: the rider is `on` the horse, the book is `held by` its reader. */
export const RELATIONS = [
	'on',
	'in',
	'under',
	'above',
	'behind',
	'in front of',
	'beside',
	'held by',
	'worn by',
] as const;

export const SIDES = ['left', 'centre', 'right'] as const;

/** Tells whether a picture is a sign of its own, its subject on a plain ground. */
export const isMark = (framing: Framing | undefined): boolean =>
	framing === 'logo' || framing === 'icon' || framing === 'sticker';

export type Place = (typeof PLACES)[number];
export type Time = (typeof TIMES)[number];
export type Framing = (typeof FRAMINGS)[number];
export type Season = (typeof SEASONS)[number];
export type Weather = (typeof WEATHERS)[number];
export type Mood = (typeof MOODS)[number];
export type Style = (typeof STYLES)[number];
export type SkyThing = (typeof SKY_THINGS)[number];
export type Relation = (typeof RELATIONS)[number];
export type Side = (typeof SIDES)[number];
