import { colourOf, colourPattern } from '../colours.ts';
import type { Adjustment, LookName, Operation } from '../operation.ts';
import { type Rule, table, words } from './rule.ts';

const adjust =
	(what: Adjustment, direction: 1 | -1) =>
	(amount: number): Operation => ({ do: 'adjust', what, amount: direction * amount });

const look =
	(name: LookName) =>
	(amount: number): Operation => ({ do: 'look', name, amount });

const less = '(?:less|reduce|decrease|lower|turn down|weniger|moins|menos|not so|not as|too)';
const more = '(?:more|increase|raise|boost|higher|add|turn up|extra|mehr|plus de|más)';
const the = '(?: the| a bit| a bit of| a little| some| its| die| den| das| de| la| le)*';

/** Light, contrast and colour of the whole picture. Denials (“less dark”, “too dark”) stand before what they deny. */
export const tones: readonly Rule[] = [
	...table([
		[`${less}${the} (?:dark|darkness|dunkel)`, adjust('brightness', 1)],
		[`${less}${the} (?:bright|brightness|light|hell|helligkeit|exposure|exposed)`, adjust('brightness', -1)],
		[`${less}${the} (?:contrast|contrasty|kontrast)`, adjust('contrast', -1)],
		[`${less}${the} (?:colou?r|colou?rs|colou?rful|saturation|saturated|vivid|farbe|bunt)`, adjust('saturation', -1)],
		[`${less}${the} (?:warm|warmth|yellow|orange)`, adjust('warmth', -1)],
		[`${less}${the} (?:cold|cool|blue)`, adjust('warmth', 1)],
		[`(?:lift|brighten|open|lighten|raise)${the} shadows|brighter shadows`, adjust('shadows', 1)],
		[`(?:deepen|darken|crush)${the} shadows|darker shadows|deeper shadows`, adjust('shadows', -1)],
		[`(?:recover|darken|lower|reduce)${the} highlights`, adjust('highlights', -1)],
		[`(?:brighten|raise|boost)${the} highlights|brighter highlights`, adjust('highlights', 1)],
		[
			`${more}${the} (?:contrast|kontrast|contraste)|contrasty|contrastier|high contrast|punchy|punchier|crisper colou?rs`,
			adjust('contrast', 1),
		],
		[`low contrast|softer contrast|flatter|flat colou?rs`, adjust('contrast', -1)],
		[
			`${more}${the} (?:saturation|vibrance|vibrancy|colou?r|colou?rs|farbe)|saturate|saturated|saturation|vibrant|vivid|colou?rful|more colou?rful|pop(?! art)|bunter|farbenfroher|coloré|colorido`,
			adjust('saturation', 1),
		],
		[`desaturate|desaturated|muted|mute(?:${the} colou?rs)?|washed out|dull`, adjust('saturation', -1)],
		[
			`brighter|brighten(?: up| it| this)*|brightness|bright|lighter|lighten(?: up| it)*|more light|overexposed?|heller|aufhellen|hell|plus clair|plus lumineux|éclaircir|más claro|más brillante|aclarar`,
			adjust('brightness', 1),
		],
		[
			`darker|darken|dim|dimmer|dunkler|abdunkeln|dunkel|plus sombre|assombrir|más oscur[oa]|oscurecer|underexposed?|make it dark|dark`,
			adjust('brightness', -1),
		],
		[`warmer|warm|warmth|wärmer|plus chaud|más cálid[oa]`, adjust('warmth', 1)],
		[
			`cooler|cool (?:tones?|colou?rs?|light|down)|colder|cold|kühler|kälter|plus froid|más frí[oa]`,
			adjust('warmth', -1),
		],
		[`faded?|matte`, adjust('fade', 1)],
		[
			`black (?:and|&|n) white|black-and-white|b ?(?:&|/|n) ?w|bw|monochrome|grey ?scale|gray ?scale|schwarz ?(?:-|&)? ?wei(?:ß|ss)|noir & blanc|blanco & negro|without colou?rs?|no colou?rs?|colou?rless|(?:remove|drop) (?:the |all )*colou?rs?|(?:turn|make) it (?:grey|gray)`,
			look('greyscale'),
		],
		[`sepia|sépia|antique`, look('sepia')],
		[
			`vintage|retro|old photo|old photograph|nostalgic|analog(?:ue)?|film look|polaroid colou?rs|1970s|70s|60s`,
			look('vintage'),
		],
		[`noir|film noir`, look('noir')],
		[`cinematic|movie|teal and orange|blockbuster|kinoreif`, look('cinematic')],
		[`dramatic|epic|hdr|intense|dramatisch|dramatique|dramático`, look('dramatic')],
		[`dreamy|dreamlike|ethereal|soft light|verträumt`, look('dreamy')],
		[`moody|gloomy|sad|melancholic|mysterious|düster`, look('moody')],
		[`cyberpunk|synthwave|vaporwave|futuristic|sci-?fi`, look('cyberpunk')],
		[`pastel(?: colou?rs| tones)?`, look('pastel')],
		[`co[sz]y|homely|hygge|gemütlich|autumnal warmth`, look('cosy')],
		[`spooky|scary|creepy|haunted|halloween|horror|gruselig`, look('spooky')],
		[`romantic|lovely|valentine|romantisch`, look('romantic')],
		[`magic|magical|fairy ?tale|fantasy|enchanted|mystical|magisch`, look('magical')],
		[`matrix|hacker|night vision`, look('matrix')],
		[`infrared`, look('infrared')],
		[`underwater|under water|unter wasser`, look('underwater')],
		[`x-?ray`, look('x-ray')],
		[`thermal|heat ?map|thermal camera`, look('thermal')],
		[`invert|inverted|negative|invertieren|opposite colou?rs|invert(?: the)? colou?rs`, () => ({ do: 'invert' })],
		[`threshold|stencil|pure black and white|stamp`, () => ({ do: 'threshold' })],
	]),
	[
		words(
			'posteri[sz]ed?(?: it)?(?: (?:to|with|into))?(?: (?<levels>\\d{1,2}))?(?: levels| colou?rs)?|(?:only|with) (?<few>\\d{1,2}) colou?rs',
		),
		({ groups }) => ({ do: 'posterize', levels: clamp(Number(groups['levels'] ?? groups['few'] ?? 4), 2, 16) }),
	],
	[
		words(`duo ?tone(?: (?:of|in|with))?(?: (?<one>${colourPattern})(?: (?:and|to|&) (?<two>${colourPattern}))?)?`),
		({ groups }) => {
			const one = colourOf(groups['one'] ?? 'indigo')?.rgb ?? [70, 48, 158];
			const two = colourOf(groups['two'] ?? 'orange')?.rgb ?? [242, 140, 40];
			const weight = (colour: readonly number[]) => colour.reduce((sum, part) => sum + part, 0);
			return weight(one) <= weight(two)
				? { do: 'duotone', dark: one, light: two }
				: { do: 'duotone', dark: two, light: one };
		},
	],
	[
		words(
			'(?:shift|rotate|change)(?: the)? hues?(?: by)?(?: (?<degrees>-?\\d{1,3}))?(?: ?°| degrees?)?|hue shift|psychedelic|trippy|(?:change|swap|switch|shift)(?: all)?(?: the| its)? colou?rs|different colou?rs',
		),
		({ groups }) => ({ do: 'hue', degrees: Number(groups['degrees'] ?? 120) }),
	],
	[
		words(
			`(?:(?:a|an|add a|with a|give it a|in) )?(?<colour>${colourPattern})(?: tint| tinted| tone| toned| tones| cast| hue| filter| wash| overlay| colou?r grade)|(?:tint|colou?ri[sz]e|colou?r|tone|dye|färbe) (?:it |this |everything |the (?:whole )?(?:picture|image|photo) )*(?:in )?(?<colour>${colourPattern})|(?:make|turn|paint) (?:it|this|everything|all|the (?:whole )?(?:picture|image|photo|scene))(?: all| look| more| a bit| slightly)* (?<colour>${colourPattern})`,
		),
		({ groups, amount }) => {
			const colour = colourOf(groups['colour'] ?? '');
			return colour && { do: 'tint', colour: colour.rgb, amount };
		},
	],
	[
		words(`(?:a bit |a little |much )?(?:(?<base>green|blu|redd|yellow|pink)er|more (?<colour>${colourPattern}))`),
		({ groups, amount }) => {
			const colour = colourOf(groups['colour'] ?? groups['base']?.replace('redd', 'red').replace('blu', 'blue') ?? '');
			return colour && { do: 'tint', colour: colour.rgb, amount: 0.5 * amount };
		},
	],
];

function clamp(value: number, low: number, high: number): number {
	return Math.min(high, Math.max(low, value));
}
