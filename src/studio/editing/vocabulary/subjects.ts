import { colourOf, colourPattern } from '../colours.ts';
import type { Operation } from '../operation.ts';
import { colourIn, placeOf } from './hints.ts';
import { type Found, type Rule, words } from './rule.ts';

const back = '(?:background|backdrop|back ground|hintergrund|arrière-plan|fond|fondo)';
const change =
	'(?:make|turn|change|paint|colou?r|recolou?r|dye|set|switch|mach(?:e)?|färbe|male|mets|rends|peins|haz|pinta|pon|cambia)';
const article = '(?:(?:the|its|his|her|their|that|this|all|every|my|a|den|die|das|der|le|la|les|l’|el|los|las) )*';
const colour = (name: string) => `(?<${name}>${colourPattern})`;
/** A few words that name a thing whose colour is said elsewhere. */
const thing =
	'(?:(?!(?:it|this|everything|picture|image|photo|light|pale|bright|dark|deep|pastel|hot|neon|vivid)\\b)[\\p{L}’-]{2,20} ?){1,3}';

function recolour(from: string, { groups, amount }: Found): Operation | undefined {
	const to = colourOf(groups['to'] ?? '')?.rgb;
	return to && { do: 'recolour', from, to, amount };
}

const plainColour = (text: string | undefined) => colourOf(text ?? '')?.name ?? 'subject';

/** Places in a picture that are found without their colour being named. */
const regions: readonly (readonly [region: string, spelling: string])[] = [
	['sky', 'sky|heavens?|himmel|ciel|cielo'],
	[
		'plants',
		'grass|trees?|leaves|foliage|plants?|forest|lawn|meadow|hills?|gras|bäume|wiese|arbres?|herbe|árboles|hierba',
	],
	['water', 'water|sea|ocean|lake|river|pool|wasser|meer|see|mer|lac|agua|mar|lago'],
];

function text(found: Found): Operation | undefined {
	const said = found.quoted(found.groups['quote']);
	if (!said) return undefined;
	const { clause, amount } = found;
	const watermark = /water ?mark|wasserzeichen|copyright/u.test(clause);
	const caption = /caption|subtitle|bildunterschrift|légende|banner|meme/u.test(clause);
	const place = placeOf(found.around) ?? (watermark ? { x: 1, y: 1 } : { x: 0.5, y: 1 });
	const colour = colourIn(found.around) ?? colourIn(clause);
	const style = watermark ? 'watermark' : caption ? 'caption' : 'plain';
	return { do: 'text', text: said, style, place, amount, ...(colour && { colour }) };
}

const cutWords =
	'(?:remove|delete|erase|cut out|take out|get rid of|without|no|clear|entferne?|ohne|enlève|supprime|sans|quita|elimina|sin)';

/** Text, and everything that is done to one part of a picture and not to another. */
export const subjects: readonly Rule[] = [
	[/(?<quote>⟦\d+⟧)/gu, text],
	[
		words(
			`${cutWords} ${article}${back}|${back} (?:removal|removed|transparent|weg|entfernen)|transparent ${back}|cut-? ?out(?: (?:the )?(?:subject|object|person))?|isolate ${article}(?:subject|object|person)|freistellen|make ${article}${back} transparent|détourer`,
		),
		() => ({ do: 'background', to: 'transparent' }),
	],
	[
		words(
			`(?:${change}|give it|replace|with|put it on|on|in front of|against|use)? ?(?:it )?${article}${back}(?: (?:with|to|by|be|in|into|as|par|por|durch))?(?: an?)?(?: plain| solid| pure| completely| totally)? ${colour('to')}(?: one)?|(?:an? |auf )?(?:plain |solid |pure )?${colour('to')}(?:er|en)? ${back}`,
		),
		({ groups }) => {
			const to = colourOf(groups['to'] ?? '')?.rgb;
			return to && { do: 'background', to };
		},
	],
	[
		words(
			`${back} (?:in )?(?:black and white|grey ?scale|gray ?scale|monochrome|desaturated)|(?:desaturate) ${article}${back}`,
		),
		() => ({ do: 'background', to: 'greyscale' }),
	],
	[
		words(
			`(?:darken|dim|darker) ${article}${back}|${change}? ?${article}${back} (?:much )?(?:darker|dimmer)|(?:highlight|emphasi[sz]e|focus on) ${article}subject`,
		),
		() => ({ do: 'background', to: 'dark' }),
	],
	[
		words(
			`(?:keep|leave|show)(?: only| just)? ${article}${colour('only')}(?: ${thing})?|(?:only|just) ${article}${colour('only')}(?: ${thing})?(?: in colou?r| colou?red| remains?| stays?)?|colou?r splash(?:(?: (?:of|in|on))? ${colour('only')})?|selective colou?r(?: ${colour('only')})?`,
		),
		({ groups }) => ({ do: 'only', colour: plainColour(groups['only']) }),
	],
	[words('silhouettes?|scherenschnitt|silueta'), () => ({ do: 'silhouette' })],
	[
		words('(?:as |like |into |make it )?(?:a |an )?(?:die-?cut )?sticker|aufkleber|autocollant|pegatina'),
		() => ({ do: 'sticker' }),
	],
	...regions.map(
		([region, spelling]): Rule => [
			words(
				`${change} ${article}(?:${spelling})(?: look| to| into| in| be| more| a| an| bright)* ${colour('to')}|${colour('to')} (?:${spelling})`,
			),
			(found) => recolour(region, found),
		],
	),
	[
		words(
			`(?:replace|swap|exchange|ersetze|remplace|reemplaza) ${article}${colour('from')}(?: ${thing})? ?(?:with|by|for|durch|mit|par|por|con) ${article}${colour('to')}`,
		),
		(found) => recolour(plainColour(found.groups['from']), found),
	],
	[
		words(
			`${change} ${article}(?:${thing})??${colour('from')} ?(?:${thing})??(?: ?(?:to|into|in|look|be|en) )?(?:a |an |more |bright )*${colour('to')}`,
		),
		(found) => recolour(plainColour(found.groups['from']), found),
	],
	[
		words(`${colour('from')} (?:into|to|becomes?|→|->|wird zu|nach|en) ${colour('to')}`),
		(found) => recolour(plainColour(found.groups['from']), found),
	],
	[
		words(
			`${change} ${article}${thing}(?: ?(?:to|into|in|look|be|all|en) )?(?:a |an |more |bright |completely )*${colour('to')}`,
		),
		(found) => recolour('subject', found),
	],
	[
		words(`${article}${thing} ?(?:should|must|shall|has to|needs to) (?:be|become|turn) ${colour('to')}`),
		(found) => recolour('subject', found),
	],
];
