import { colourOf, colourPattern, type Rgb } from '../colours.ts';
import type { Operation } from '../operation.ts';
import { colourIn } from './hints.ts';
import { type Found, type Rule, table, words } from './rule.ts';

const white: Rgb = [255, 255, 255];

const halves: Readonly<Record<string, { left: number; top: number; width: number; height: number }>> = {
	left: { left: 0, top: 0, width: 0.5, height: 1 },
	right: { left: 0.5, top: 0, width: 0.5, height: 1 },
	top: { left: 0, top: 0, width: 1, height: 0.5 },
	upper: { left: 0, top: 0, width: 1, height: 0.5 },
	bottom: { left: 0, top: 0.5, width: 1, height: 0.5 },
	lower: { left: 0, top: 0.5, width: 1, height: 0.5 },
};

function cropHalf({ groups }: Found): Operation | undefined {
	const box = halves[groups['half'] ?? ''];
	return box && { do: 'crop', shape: box };
}

const it = '(?: (?:it|this|the (?:picture|image|photo)))?';
const way = '(?: (?:(?:to )?(?:the )?(?:left|right)|(?:counter-? ?|anti-? ?)?clockwise|nach (?:links|rechts)))?';
const slightly = '(?<slightly> (?:slightly|a bit|a little))?';
const angle = '(?: (?:by )?(?<degrees>-?\\d{1,3}(?:\\.\\d+)?) ?(?:°|degrees?|deg|grad|degrés|grados)?)?';

/** “Cut off the left side”: the other three quarters stay. */
function cropSide({ groups }: Found): Operation {
	const side = groups['side'];
	const share = 0.75;
	const width = side === 'left' || side === 'right' ? share : 1;
	const height = width === 1 ? share : 1;
	return {
		do: 'crop',
		shape: { left: side === 'left' ? 1 - share : 0, top: side === 'top' ? 1 - share : 0, width, height },
	};
}

function rotation({ groups, clause }: Found): Operation {
	const left = /counter-? ?clockwise|anti-? ?clockwise|\bleft\b|\blinks\b|gauche|izquierda/u.test(clause);
	const degrees = Number(groups['degrees'] ?? (groups['slightly'] ? 6 : 90));
	return { do: 'rotate', degrees: left ? -degrees : degrees };
}

function resize({ groups }: Found): Operation {
	const scale = groups['percent'] ? Number(groups['percent']) / 100 : Number(groups['times'] ?? 1);
	if (groups['width'] === undefined) return { do: 'resize', scale: Math.min(8, Math.max(0.02, scale)) };
	const width = Number(groups['width']);
	return { do: 'resize', width, height: Number(groups['height'] ?? width) };
}

/** Crop, turn, size, borders and repetition. */
export const shapes: readonly Rule[] = [
	// Cropping.
	[
		words(
			'(?:crop|cut|trim|take|chop)(?: out| off| away)(?: the| from)* (?<side>left|right|top|bottom)(?:-hand)?(?: side| part| edge| third)?',
		),
		cropSide,
	],
	[
		words(
			'(?:crop|cut|keep|show|take|zuschneiden)?(?: it| to| only| just| me| on| out)*(?: the)? ?(?<half>left|right|top|upper|bottom|lower)(?:-hand)? half(?: only)?',
		),
		cropHalf,
	],
	[
		words(
			'(?:crop|cut|trim|format|make|turn|change)?(?: it| this)?(?: (?:to|into|as|in))?(?: an?)? ?(?<w>\\d{1,2}(?:\\.\\d+)?) ?(?::|by|/) ?(?<h>\\d{1,2}(?:\\.\\d+)?)(?: (?:ratio|aspect ratio|format|crop))?',
		),
		({ groups }) => ({
			do: 'crop',
			shape: { ratio: Math.min(8, Math.max(0.125, Number(groups['w']) / Math.max(0.1, Number(groups['h'])))) },
		}),
	],
	...table([
		[
			'(?:crop|cut|trim|make)(?: it| this)*(?: to| into)?(?: an?)?(?: the)? square|square crop|squared?|quadratisch|carré|cuadrado',
			() => ({ do: 'crop', shape: { ratio: 1 } }),
		],
		[
			'(?:crop|cut|make)(?: it)?(?: to| into)? portrait(?: format| mode| orientation)?|portrait (?:format|crop|orientation|mode)|vertical (?:format|crop)|hochformat',
			() => ({ do: 'crop', shape: { ratio: 0.75 } }),
		],
		[
			'(?:crop|cut|make)(?: it)?(?: to| into)? landscape(?: format| mode| orientation)?|landscape (?:format|crop|orientation|mode)|horizontal (?:format|crop)|querformat',
			() => ({ do: 'crop', shape: { ratio: 4 / 3 } }),
		],
		[
			'wide ?screen|cinemascope|panoramic?|panorama(?: crop)?|banner|ultra ?wide',
			() => ({ do: 'crop', shape: { ratio: 21 / 9 } }),
		],
		[
			'trim|crop to content|remove (?:the )?(?:margins?|empty space|borders?)|auto ?crop',
			() => ({ do: 'crop', shape: 'content' }),
		],
		[
			'zoom(?: it)? out|farther away|further away|smaller in the frame|herauszoomen',
			(amount) => ({ do: 'extend', colour: 'blurred', amount: amount * 1.5, sides: 'all' }),
		],
		[
			'zoom(?: it)? in(?: on| to)?|zoom|closer|close-?up|crop in|enlarge the subject|heranzoomen|näher|zoomer',
			(amount) => ({ do: 'zoom', amount }),
		],
		['crop|cut|zuschneiden|recadrer|recortar', (amount) => ({ do: 'zoom', amount: amount * 0.5 })],
	]),
	// Turning.
	...table([
		['upside ?-?down|auf den kopf|à l’envers|boca abajo', () => ({ do: 'rotate', degrees: 180 })],
		[
			'(?:flip|mirror|reflect|spiegeln|spiegel)(?: it| this)? (?:vertically|vertical|top to bottom|vertikal)|vertical(?:ly)? (?:flip|mirror|flipped|mirrored)',
			() => ({ do: 'flip', axis: 'vertical' }),
		],
		['kaleidoscope|kaleidoskop|mandala', (amount) => ({ do: 'repeat', pattern: 'kaleidoscope', amount })],
		[
			'symmetrical|symmetric|symmetry|mirror(?:ed)? (?:half|halves|effect)|mirror (?:the )?(?:left|right) (?:side|half)',
			(amount) => ({ do: 'repeat', pattern: 'mirror', amount }),
		],
		[
			'flip(?:ped)?(?: it| this)?(?: horizontally| horizontal| left to right| around)?|mirror(?:ed)?(?: it| this| image)?(?: horizontally)?|horizontal(?:ly)? (?:flip|mirror|flipped|mirrored)|reflect(?:ed)?|spiegeln|gespiegelt|spiegle|miroir|voltear|reflejar|other way (?:round|around)',
			() => ({ do: 'flip', axis: 'horizontal' }),
		],
	]),
	[words(`(?:rotate[ds]?|drehe?n?|gedreht|pivoter|girar|rotar)${it}${way}${slightly}${angle}${way}`), rotation],
	[
		words(
			`(?:turn(?:ed)?|spin|tilt(?:ed)?|tourner|rotated?)${it}(?:${way}${slightly}${angle}${way})(?<=degrees|°|deg|wise|left|right|slightly|bit|little|links|rechts)`,
		),
		rotation,
	],
	[
		words('(?<degrees>-?\\d{1,3}(?:\\.\\d+)?) ?(?:°|degrees?|deg)(?: (?:rotation|turn|clockwise|counter-?clockwise))?'),
		rotation,
	],
	// Size.
	[
		words(
			'(?:resize|scale|size|make|shrink|enlarge)?(?: it| this)?(?: down| up)?(?: to)? ?(?<width>\\d{2,5}) ?(?:x|×|by|\\*) ?(?<height>\\d{2,5})(?: ?(?:px|pixels?))?|(?:resize|scale|shrink|enlarge)(?: it| this)?(?: down| up)? to (?<percent>\\d{1,3}) ?(?:%|percent)',
		),
		resize,
	],
	[
		words('(?<width>\\d{2,4}) ?(?:px|pixels?) wide|(?:resize|scale)(?: it)? to (?<percent>\\d{1,3}) ?%'),
		(found) => resize(found),
	],
	[
		words(
			'(?<times>[2-8])(?: ?x| times) (?:larger|bigger|as (?:big|large)|the size)|upscale(?: it)?(?: (?<percent>\\d{3}) ?%)?',
		),
		({ groups }) => ({ do: 'resize', scale: Number(groups['times'] ?? 2) }),
	],
	...table([
		[
			'half(?: the| its)? size|half as (?:big|large)|(?:shrink|scale)(?: it)?(?: down)?|(?:make it )?smaller|downscale|resize|kleiner|verkleinern|plus petit|más pequeño',
			() => ({ do: 'resize', scale: 0.5 }),
		],
		[
			'(?:double|twice)(?: the| its)? size|twice as (?:big|large)|bigger|larger|enlarge|größer|vergrößern|plus grand|más grande',
			() => ({ do: 'resize', scale: 2 }),
		],
	]),
	// Around the picture.
	[
		words('(?:a |an |the )?polaroid(?: frame| photo| picture| border| style)?|instant photo'),
		({ amount }) => ({ do: 'frame', style: 'polaroid', colour: [250, 248, 243], amount }),
	],
	[
		words('film strip|negative strip|film frame|film border'),
		({ amount }) => ({ do: 'frame', style: 'film', colour: [18, 18, 20], amount }),
	],
	[
		words(
			`(?:(?:ornate|golden?|wooden|picture|antique|museum) )(?:picture )?(?:frame|rahmen)|goldrahmen|holzrahmen|cadre doré|marco dorado`,
		),
		({ around, clause, amount }) => ({
			do: 'frame',
			style: 'ornate',
			colour: /wood|holz/u.test(clause) ? [116, 70, 36] : (colourIn(around) ?? [201, 158, 60]),
			amount,
		}),
	],
	[
		words(
			`(?:(?<colour>${colourPattern}) )?(?:thick |thin |wide |big |small |round |simple )*(?:frame|framed|border|bordered|edge around it|passe-?partout|mat|rahmen|bordure|cadre|marco|borde)(?: (?:of|in|with|made of) (?<other>${colourPattern}))?`,
		),
		({ groups, around, amount }) => {
			const colour = colourOf(groups['colour'] ?? groups['other'] ?? '')?.rgb ?? colourIn(around) ?? white;
			return { do: 'frame', style: 'plain', colour, amount };
		},
	],
	[
		words(
			`(?:extend|expand|uncrop|outpaint|pad|add padding|add (?:more )?space|padding|letterbox|margins?)(?: the| it| this| picture| image| canvas| scene| on| to| at)*(?: (?<side>top|bottom|left|right|sides))?(?: (?:with|in) (?<colour>${colourPattern}))?`,
		),
		({ groups, around, amount }) => {
			const side = groups['side'];
			const sides = side === 'top' || side === 'bottom' || side === 'left' || side === 'right' ? side : 'all';
			return {
				do: 'extend',
				colour: colourOf(groups['colour'] ?? '')?.rgb ?? colourIn(around) ?? 'blurred',
				amount,
				sides,
			};
		},
	],
	...table([
		[
			'round(?:ed)?(?: the| its)? corners?|soft corners|abgerundete ecken|coins arrondis',
			(amount) => ({ do: 'round', shape: 'corners', amount }),
		],
		[
			'heart[- ]?(?:shape|shaped|crop)(?: crop| cut-?out)?|(?:in|into) (?:a|the shape of a) heart',
			() => ({ do: 'round', shape: 'heart', amount: 1 }),
		],
		['star[- ](?:shape|shaped)(?: crop)?', () => ({ do: 'round', shape: 'star', amount: 1 })],
		[
			'circle|circular|round(?: crop| picture| avatar)?|avatar|as a badge|rund|kreis|cercle|rond|círculo|redondo',
			() => ({ do: 'round', shape: 'circle', amount: 1 }),
		],
		['pop ?-?art|warhol', (amount) => ({ do: 'repeat', pattern: 'pop-art', amount })],
		[
			'til(?:e|ed|es)|repeat(?: it| the picture)?|repeating pattern|wallpaper pattern|seamless pattern|pattern|kacheln|mosaïque répétée',
			(amount) => ({ do: 'repeat', pattern: 'tiles', amount }),
		],
		['collage|photo ?strip|contact sheet|photo ?booth', (amount) => ({ do: 'repeat', pattern: 'collage', amount })],
	]),
];
