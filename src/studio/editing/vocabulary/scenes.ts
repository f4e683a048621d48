import type { Operation, SceneName, Thing } from '../operation.ts';
import { placeOf } from './hints.ts';
import { type Rule, table, words } from './rule.ts';

const scene =
	(name: SceneName) =>
	(amount: number): Operation => ({ do: 'scene', name, amount });

const things: readonly (readonly [Thing, string])[] = [
	['stars', 'stars?|starry|sterne?|étoiles?|estrellas?'],
	['moon', '(?:full |crescent )?moon|mond|lune|luna'],
	['sun', 'sun(?! ?set| ?rise| ?flower| ?glass| ?light)|sonne|soleil|sol'],
	['rainbow', 'rainbows?|regenbogen|arc-en-ciel|arcoíris'],
	['snow', 'snow ?flakes?|falling snow|schneeflocken?'],
	['hearts', 'hearts?|herzen|herz|cœurs?|corazones'],
	['confetti', 'confetti|streamers|party|konfetti'],
	['clouds', 'clouds?|wolken?|nuages?|nubes?'],
	['lightning', 'lightning|thunderbolts?|blitze?'],
	['bubbles', 'bubbles?|seifenblasen'],
	['sparkles', 'sparkles?|glitter|fairy dust|twinkles?|sparkling|shiny|glitzer'],
	['balloons', 'balloons?|luftballons?'],
	['birds', 'birds?|seagulls?|vögel'],
	['flowers', 'flowers?|blossoms?|petals?|blumen|fleurs|flores'],
	['leaves', 'falling leaves|leaves|blätter'],
	['fireworks', 'fireworks?|feuerwerk'],
	['aurora', 'aurora(?: borealis)?|northern lights?|polarlichter|nordlichter'],
	['light rays', 'light rays?|sun ?rays?|god rays?|sun ?beams?|light beams?|rays of light|lichtstrahlen'],
	['bokeh', 'bokeh|light spots'],
	['butterflies', 'butterfly|butterflies|schmetterlinge?'],
	['grid', 'grid(?: lines)?|gitter'],
	['scanlines', 'scan ?lines?|crt|tv lines'],
	['lens flare', 'lens flares?'],
];

/** Time of day, season and weather, then the things that can be put into a picture. */
export const scenes: readonly Rule[] = [
	...table([
		[
			'(?:at |by )?(?:the )?(?:night|night ?time|midnight|nightfall|nacht|nachts|nuit|noche)|starry night|moonlit|moonlight',
			scene('night'),
		],
		['blue hour|twilight|dusk|evening|dämmerung|abend|crépuscule|atardecer tarde', scene('blue hour')],
		['sun ?set|sunset light|sonnenuntergang|coucher de soleil|puesta de sol|atardecer', scene('sunset')],
		['golden hour|golden light|late afternoon|goldene stunde|heure dorée|hora dorada', scene('golden hour')],
		['dawn|sun ?rise|morning|daybreak|morgen|morgengrauen|sonnenaufgang|aube|lever du soleil|amanecer', scene('dawn')],
		[
			'sunny|sun ?shine|sun ?light|sunlit|bright day|day ?time|day|noon|sonnig|tag|ensoleillée?|jour|soleado|soleada|clear sky|clear weather',
			scene('day'),
		],
		['snow ?storm|blizzard', () => ({ do: 'scene', name: 'winter', amount: 1.8 })],
		[
			'winter|wintry|wintertime|snow|snowy|snowing|snowfall|snow-covered|covered in snow|frozen|icy|frosty|christmas|schnee|verschneit|schneit|hiver|neige|invierno|nieve|nevado',
			scene('winter'),
		],
		[
			'autumn|autumnal|fall (?:colou?rs|season|foliage)|in (?:the )?fall|fall|herbst|herbstlich|automne|otoño',
			scene('autumn'),
		],
		['spring|springtime|in bloom|cherry blossoms?|frühling|frühlingshaft|printemps|primavera', scene('spring')],
		['summer|summery|summertime|sommer|sommerlich|été|verano', scene('summer')],
		['thunder ?storm|storm|stormy|thunder|gewitter|sturm|orage|tormenta', scene('storm')],
		['rain(?! ?bow)|rainy|raining|rainfall|drizzle|wet|regen|regnerisch|es regnet|pluie|lluvia', scene('rain')],
		['fog|foggy|mist|misty|haze|hazy|smoke|smoky|nebel|neblig|brouillard|brume|niebla', scene('fog')],
		['overcast|cloudy|bewölkt|nuageux|nublado', scene('overcast')],
	]),
	...things.map(
		([thing, spelling]): Rule => [
			words(spelling),
			({ around, amount }) => {
				const place = placeOf(around);
				return { do: 'add', thing, amount, ...(place && { place }) };
			},
		],
	),
];
