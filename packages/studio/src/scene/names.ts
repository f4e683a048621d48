/** The names that a scene uses. Words of many languages lead to them, and each has a drawing. */

export const PLACES = [
	'meadow',
	'forest',
	'mountains',
	'snowfield',
	'desert',
	'sea',
	'beach',
	'lake',
	'city',
	'street',
	'village',
	'garden',
	'space',
	'moonscape',
	'mars',
	'underwater',
	'room',
	'kitchen',
	'table',
	'stage',
	'backdrop',
	'cave',
	'clouds',
	'abstract',
] as const;

export const TIMES = ['dawn', 'day', 'golden', 'sunset', 'dusk', 'night'] as const;
export const SEASONS = ['spring', 'summer', 'autumn', 'winter'] as const;
export const WEATHERS = ['snow', 'rain', 'storm', 'fog', 'wind', 'cloudy', 'clear'] as const;
export const MOODS = ['calm', 'cosy', 'eerie', 'joyful', 'dramatic', 'dreamy', 'lonely'] as const;

export const STYLES = [
	'watercolour',
	'minimal',
	'pixel',
	'flat',
	'noir',
	'neon',
	'pastel',
	'ink',
	'oil',
	'poster',
	'vintage',
] as const;

/** What kind of picture it is, which decides what its middle shows. */
export const FRAMINGS = ['portrait', 'logo', 'icon', 'sticker', 'product', 'meme'] as const;

/** Things in the sky, apart from weather. */
export const SKY_THINGS = [
	'moon',
	'sun',
	'stars',
	'clouds',
	'rainbow',
	'aurora',
	'comet',
	'fireflies',
	'leaves',
] as const;

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
