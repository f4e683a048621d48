import type { Operation } from '../../scene/operation.ts';
import { colourIn } from '../colour-words.ts';
import { words } from './words.ts';

/** A match, the clause around it, and how strongly it is asked for. */
type Found = { groups: Readonly<Record<string, string | undefined>>; own: string; around: string; amount: number };
type Rule = readonly [pattern: RegExp, make: (found: Found) => Operation | undefined];

const DEGREES: readonly (readonly [RegExp, number])[] = [
	[
		words(
			'slightly|slight|a bit|a little bit|a little|a touch|a tad|subtle|subtly|gently|gentle|softly|somewhat|thin|etwas|leicht|ein wenig|ein bisschen|un peu|légèrement|un poco|ligeramente',
		),
		0.5,
	],
	[words('extremely|extreme|completely|totally|fully|maximum|ganz|völlig|extrem|complètement|totalmente'), 2],
	[
		words(
			'much|very|a lot|lots of|many|strongly|strong|really|super|heavily|heavy|intensely|so|way|thick|viel|sehr|stark|kräftig|beaucoup|très|muy|mucho',
		),
		1.6,
	],
];

/** Returns the strength that these words ask for, as a factor; 1 when they name none. 40 % is clearly visible, as the bare word is. */
function amountOf(text: string): number {
	const share = /(\d{1,3})(?:\.\d+)?\s*(?:%|percent|prozent)/u.exec(text)?.[1];
	if (share !== undefined) return Math.min(2, Math.max(0.1, Number(share) / 40));
	return DEGREES.find(([pattern]) => text.search(pattern) >= 0)?.[1] ?? 1;
}

const THE =
	'(?: (?:it|this|the|all|its|whole|entire|picture|image|photo|scene|das|bild|es|l’image|la|el|los|les|imagen))*';
const MORE = `(?:more|increase${THE}|boost${THE}|raise${THE}|higher|stronger|add|mehr|plus de|más)`;
const LESS = `(?:less|reduce${THE}|lower${THE}|decrease${THE}|fewer|weaker|weniger|moins de|menos|not so|too much)`;

const adjust =
	(what: Extract<Operation, { do: 'adjust' }>['what'], sign: 1 | -1) =>
	({ amount }: Found): Operation => ({ do: 'adjust', what, amount: amount * sign });
const look = (name: Extract<Operation, { do: 'look' }>['name']) => (): Operation => ({ do: 'look', name });
const effect =
	(name: 'sharpen' | 'vignette' | 'pixelate' | 'grain' | 'glow') =>
	({ amount }: Found): Operation => ({ do: name, amount });
const frame =
	(style: Extract<Operation, { do: 'frame' }>['style'], fallback: `#${string}`) =>
	({ own, amount }: Found): Operation => {
		const colour = colourIn(own) ?? (/wood|holz|bois|madera/u.test(own) ? '#74462e' : fallback);
		return { do: 'frame', style, colour, ...(amount !== 1 && { amount }) };
	};

const side = (text: string) => {
	if (/left|links|gauche|izquierda/u.test(text)) return 'left' as const;
	if (/right|rechts|droite|derecha/u.test(text)) return 'right' as const;
	return /top|upper|oben|haut|arriba/u.test(text) ? ('top' as const) : ('bottom' as const);
};

const OPPOSITE = { left: 'right', right: 'left', top: 'bottom', bottom: 'top' } as const;

const RATIOS: Readonly<Record<string, number>> = {
	square: 1,
	portrait: 3 / 4,
	landscape: 4 / 3,
	widescreen: 16 / 9,
	panorama: 21 / 9,
	quadratisch: 1,
	carré: 1,
	cuadrado: 1,
};

function crop({ groups, around }: Found): Operation | undefined {
	const ratio = groups['width'] ? Number(groups['width']) / Number(groups['height']) : RATIOS[groups['shape'] ?? ''];
	if (ratio !== undefined) return { do: 'crop', ratio: Math.min(10, Math.max(0.1, ratio)) };
	return /(?:left|right|top|bottom|upper|lower)/u.test(around) ? undefined : { do: 'zoom', factor: 1.25 };
}

function rotation({ groups, around }: Found): Operation {
	const degrees = groups['degrees']
		? Number(groups['degrees'])
		: /slightly|a bit|a little|leicht|etwas/u.test(around)
			? 8
			: 90;
	const isLeft = /left|counter-?clockwise|anti-?clockwise|links|gauche|izquierda|gegen den uhrzeigersinn/u.test(around);
	return { do: 'rotate', degrees: Math.max(-360, Math.min(360, isLeft ? -degrees : degrees)) };
}

function resize({ groups }: Found): Operation | undefined {
	const { width, height, percent, times } = groups;
	const side = (pixels: string) => Math.min(2048, Math.max(1, Number(pixels)));
	if (width && height) return { do: 'resize', width: side(width), height: side(height) };
	const factor = percent ? Number(percent) / 100 : Number(times ?? 2);
	return { do: 'scale', factor: Math.min(8, Math.max(0.05, factor)) };
}

const WAY =
	'(?: (?:by|to the|to|the|about|um|nach|vers la|à|hacia la|a la|left|right|links|rechts|gauche|droite|izquierda|derecha|(?:counter-?|anti-?)?clockwise|slightly|a bit|a little|(?<degrees>-?\\d{1,3})(?:\\.\\d+)?(?: ?(?:°|degrees?|deg|grad|degrés|grados))?))+';

/** What is asked of the whole picture, whatever it shows. First come, first served: a rule takes its words away from those after it. */
const RULES: readonly Rule[] = [
	[
		words(
			`(?:black (?:and|&|n) white|black-and-white|b ?(?:&|/) ?w|monochrome|gr[ea]y ?scale|schwarz ?(?:-|&|und)? ?wei(?:ß|ss)|noir (?:&|et) blanc|blanco (?:&|y) negro|(?:without|no|remove(?: the| all)*|drop the) colou?rs?|colou?rless)(?! (?:cat|dog|cow|horse|rabbit|bird|panda|stripes?))`,
		),
		look('greyscale'),
	],
	[words('sepia|sépia'), look('sepia')],
	[words('cinematic|movie look|teal and orange|kinoreif'), look('cinematic')],
	[
		words(
			'invert(?:ed)?(?: the| its)*(?: colou?rs)?|negative|invertieren|farben umkehren|invierte(?: los colores)?|inverse les couleurs',
		),
		look('invert'),
	],
	[words(`${LESS}${THE} contrast|low contrast|softer contrast|weniger kontrast`), adjust('contrast', -1)],
	[words(`${MORE}${THE} (?:contrast|kontrast|contraste)|high contrast|punchier`), adjust('contrast', 1)],
	[
		words(
			`${LESS}${THE} (?:saturation|saturated|colou?rful|colou?rs?|farbe|vivid|vibrant)|desaturated?|muted|too colou?rful`,
		),
		adjust('saturation', -1),
	],
	[
		words(
			`${MORE}${THE} (?:saturation|saturated|vibrance|vibrant|vivid|colou?rful|colou?r|farbe|intense colou?rs)|saturate|vibrant|vivid|colou?rful|bunter|farbenfroher|plus colorée?|más colorid[oa]`,
		),
		adjust('saturation', 1),
	],
	[
		words(
			`${LESS} (?:bright|light)|too (?:bright|light)|darker|darken|dim|dimmer|dunkler|abdunkeln|verdunkle|plus sombre|assombris|más oscur[oa]|oscurece|underexposed`,
		),
		adjust('brightness', -1),
	],
	[
		words(
			`${LESS} dark|too dark|brighter|brighten(?: up)?|more (?:light|brightness)|lighter|lighten|heller|aufhellen|plus clair|plus lumineu(?:x|se)|éclaircis|más clar[oa]|más brillante|aclara`,
		),
		adjust('brightness', 1),
	],
	[
		words(`less warm|too warm|cooler|colder|cool (?:blue )?tones?|cool colou?rs|kühler|kälter|plus froid|más frí[oa]`),
		adjust('warmth', -1),
	],
	[words(`less cold|too cold|warmer|warm tones?|warm colou?rs|wärmer|plus chaud|más cálid[oa]`), adjust('warmth', 1)],
	[
		words(
			'blur(?:red)?(?: out)? (?:the |its )*(?:background|backdrop|edges|surroundings)|blurry (?:background|edges)|(?:background|bokeh|edge) blur|shallow depth of field|tilt[- ]?shift|hintergrund (?:unscharf|verschwommen)',
		),
		({ amount }) => ({ do: 'blur', where: 'edges', amount }),
	],
	[
		words('blur(?:red|ry)?|out of focus|soft focus|verschwommen|unscharf|weichzeichnen|flou(?:te)?|desenfoca|borroso'),
		({ amount }) => ({ do: 'blur', where: 'everything', amount }),
	],
	[
		words('sharpen(?:ed)?|sharper|crisper|more detailed?|schärfer|schärfen|plus net(?:te)?|más nítid[oa]|enfoca'),
		effect('sharpen'),
	],
	[words('(?:make )?(?:the colou?rs )?pop|more punch'), adjust('saturation', 1)],
	[
		words(
			`(?:enhance|improve|retouch)${THE}|fix${THE} (?:light(?:ing)?|exposure|contrast)|auto(?:matic)? (?:levels|contrast|fix)`,
		),
		() => ({ do: 'adjust', what: 'contrast', amount: 0.6 }),
	],
	[words('anime|manga|comic(?: book)?'), () => ({ do: 'style', name: 'poster' })],
	[words('vignette|dark(?:er)? (?:corners|edges)'), effect('vignette')],
	[words('pixelated?|pixelate|mosaic|verpixeln|verpixelt|pixelisé'), effect('pixelate')],
	[words('(?:film )?grain(?:y)?|noise|noisy|körnig'), effect('grain')],
	[words('glow(?:ing)? (?:effect|look)|bloom effect|soft glow|(?:add|with) (?:a )?glow'), effect('glow')],
	[
		words(
			`(?:crop|cut|trim|schneide|recadre|recorta)${THE}(?: (?:to|into|as|as a|a|in|zu|auf|en|au format))* ?(?:(?<width>\\d{1,2}(?:\\.\\d+)?) ?(?::|by|x) ?(?<height>\\d{1,2}(?:\\.\\d+)?)|(?<shape>square|portrait|landscape|widescreen|panorama|quadratisch|carré|cuadrado))`,
		),
		crop,
	],
	[
		words(
			'(?<width>\\d{1,2}):(?<height>\\d{1,2})(?: (?:format|ratio|aspect ratio))?|(?:make it |a |as a )?(?<shape>square|widescreen|(?:portrait|landscape|panorama)(?= (?:format|orientation|mode|crop)))(?: (?:format|picture|image|crop|orientation|mode))?',
		),
		crop,
	],
	[
		words(
			'(?:crop|keep|show|cut|trim|chop)?(?: (?<away>out|off|away))?(?: to)?(?: only| just)?(?: the)? ?(?:left|right|top|bottom|upper|lower) half',
		),
		({ groups, own }) => ({ do: 'half', side: groups['away'] ? OPPOSITE[side(own)] : side(own) }),
	],
	[
		words(
			`(?:crop|trim|cut|zuschneiden|recadre|recorta)(?: it| in| closer| tighter)*(?! to a (?:round|small|circle|badge|disc))`,
		),
		crop,
	],
	[words('upside ?-?down|auf den kopf|à l’envers|boca abajo'), () => ({ do: 'rotate', degrees: 180 })],
	[
		words(
			`(?:flip(?:ped)?|mirror(?:ed)?|spiegeln|spiegle|retourne|voltea|refleja)${THE} (?:vertically|vertical|top to bottom|vertikal|verticalement|verticalmente)|vertical(?:ly)? (?:flip|mirror|flipped|mirrored)`,
		),
		() => ({ do: 'flip', axis: 'vertical' }),
	],
	[
		words(
			`flip(?:ped)?${THE}(?: horizontally| horizontal| left to right| around)?|mirror(?:ed)? (?:it|this|the (?:picture|image|photo|scene))(?: horizontally)?|mirror(?:ed)?(?: horizontally| image)|^mirror|spiegeln|spiegle|gespiegelt|retourne l’image|voltea|horizontal(?:ly)? (?:flip|mirror)(?:ped|ed)?|other way (?:round|around)`,
		),
		() => ({ do: 'flip', axis: 'horizontal' }),
	],
	[words(`(?:rotate[ds]?|drehe?n?|gedreht|tourne|pivote|gira|rota)${THE}(?:${WAY})?`), rotation],
	[words(`straighten(?:ed)?${THE}(?:${WAY})`), (found) => (found.groups['degrees'] ? rotation(found) : undefined)],
	[
		words(`(?:turn(?:ed)?|spin|tilt(?:ed)?)${THE}(?:${WAY})(?<=degrees|°|deg|wise|left|right|slightly|bit|little)`),
		rotation,
	],
	[
		words(
			`(?:resize|scale|size|make|shrink|enlarge)?${THE}(?: down| up)?(?: to)? ?(?<width>\\d{2,4}) ?(?:x|×|by) ?(?<height>\\d{2,4})(?: ?(?:px|pixels?))?|(?:resize|scale|shrink|enlarge)${THE}(?: down| up)? to (?<percent>\\d{1,3}) ?(?:%|percent)`,
		),
		resize,
	],
	[words('half (?:the |its )?size(?: of the (?:picture|image))?'), () => ({ do: 'scale', factor: 0.5 })],
	[words(`(?:(?:resize|scale)${THE} down|downscale)`), () => ({ do: 'scale', factor: 0.5 })],
	[words(`(?:upscale|(?:resize|scale)${THE} up)${THE}`), () => ({ do: 'scale', factor: 2 })],
	[
		words(
			'(?:add |with |as |like |in |into )*(?:a |an |the )?polaroid(?: frame| photo| picture| border| style)?|instant photo',
		),
		frame('polaroid', '#faf8f3'),
	],
	[
		words(
			'(?:rounded?|soft) corners|round(?:ed)?(?: the| its| off)* corners|abgerundete ecken|coins arrondis|esquinas redondeadas',
		),
		frame('rounded', '#ffffff'),
	],
	[
		words(
			'(?:crop(?:ped)? |cut |shape |make )?(?:it |this |the picture )?(?:to|into|in|as|in the shape of) a (?:round |small )?(?:circle|badge|disc)|(?:make|crop) it (?:round|circular)|round(?:ed)? (?:crop|picture|avatar)|circular crop|avatar',
		),
		frame('circle', '#ffffff'),
	],
	[
		words(
			'(?:(?:add|with|in|put it in|give it)(?: it)? )?(?:a |an |the )*(?:\\p{L}+ )?(?:ornate|gold|golden|wooden|antique|museum|picture|baroque)(?: \\p{L}+)? frame|goldrahmen|holzrahmen|bilderrahmen|cadre (?:doré|en bois)|marco de madera|marco dorado',
		),
		frame('ornate', '#c99e3c'),
	],
	[
		words(
			'(?:(?:add|with|in|put it in|give it|füge|mit|ajoute|avec|añade|con)(?: it)? )?(?:a |an |the |einen |einem |un |une )*(?:\\p{L}+ ){0,3}?(?:frame|border|framed|passe-?partout|rahmen|bordure|cadre|marco|borde)(?: it| this)?(?: (?:of|in|with|around it|around the \\p{L}+|made of|hinzu|noir|blanc|bleu|rouge|vert|dorado|negro|blanco|rojo|azul|verde))*(?: \\p{L}+)?',
		),
		frame('plain', '#f7f5f0'),
	],
];

/** Returns what is asked of the whole picture, and the clause without these words. */
export function readOperations(clause: string): { operations: Operation[]; rest: string } {
	if (
		/^(?:remove|delete|erase|take away|take off|get rid of|without|no|undo|entferne|enlève|supprime|quita|elimina) /u.test(
			clause,
		)
	) {
		if (!/colou?rs?$/u.test(clause)) return { operations: [], rest: clause };
	}
	const found: { at: number; operation: Operation }[] = [];
	let rest = clause;
	for (const [pattern, make] of RULES) {
		for (const match of rest.matchAll(pattern)) {
			if (match[0].trim() === '') continue;
			const operation = make({ groups: match.groups ?? {}, own: match[0], around: clause, amount: amountOf(clause) });
			if (!operation) continue;
			found.push({ at: match.index, operation });
			rest = rest.slice(0, match.index) + '\u0002'.repeat(match[0].length) + rest.slice(match.index + match[0].length);
		}
	}
	const operations = found.sort((one, other) => one.at - other.at).map(({ operation }) => operation);
	return {
		operations,
		rest: rest
			.replace(/\u0002+/gu, ' ')
			.replace(/\s+/gu, ' ')
			.trim(),
	};
}

export const holdsOperation = (clause: string) => readOperations(clause).operations.length > 0;
