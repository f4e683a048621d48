import type { Operation, StyleName } from '../operation.ts';
import { type Rule, table, words } from './rule.ts';

const style =
	(name: StyleName) =>
	(amount: number): Operation => ({ do: 'style', name, amount });

const blurring = '(?:blur(?:red|ry)?|defocus(?:ed)?|out of focus|unscharf|flou|desenfoc\\p{L}+)';
const back = '(?:background|backdrop|hintergrund|arrière-plan|fondo)';

/** Sharpness, texture and the manner of drawing. */
export const effects: readonly Rule[] = [
	[
		words(
			'(?:auto ?)?(?:restore|repair|retouch|enhance|improve|fix)(?: (?:the|this|that|my|an?|old|faded))*(?: (?:photo|picture|image|photograph|lighting|light|exposure|colou?rs?|quality))?|better quality|restaurier\\p{L}*',
		),
		({ amount }) => [
			{ do: 'denoise', amount: 0.5 },
			{ do: 'adjust', what: 'contrast', amount: 0.6 * amount },
			{ do: 'adjust', what: 'saturation', amount: 0.5 * amount },
			{ do: 'sharpen', amount: 0.6 * amount },
		],
	],
	...table([
		[
			`${blurring}(?: out)?(?: the| its| den| l’| el)* ${back}|${back} ${blurring}|(?:bokeh|blurred|blurry|soft) ${back}|portrait mode|shallow depth of field|depth of field`,
			(amount) => ({ do: 'blur', where: 'background', amount }),
		],
		['tilt-? ?shift|miniature|toy town|diorama', (amount) => ({ do: 'blur', where: 'tilt-shift', amount })],
		[
			'motion blur|speed|fast motion|moving fast|bewegungsunschärfe',
			(amount) => ({ do: 'blur', where: 'motion', amount }),
		],
		[
			'(?:remove|reduce|less)(?: the| any)* blur|unblur|deblur|(?:make it )?sharp(?:er)?|sharpen|crisp(?:er)?|in focus|clearer|more detail(?:s|ed)?|high definition|hd|4k|schärfer|schärfen|scharf|plus net|más nítid[oa]',
			(amount) => ({ do: 'sharpen', amount }),
		],
		[
			'(?:remove|reduce|less)(?: the| any)* (?:noise|grain)|denoise|clean up|smooth(?:er)?|smooth skin|glätten',
			(amount) => ({ do: 'denoise', amount }),
		],
		['stained glass|church window|glasmalerei', style('stained glass')],
		[
			`${blurring}|soft(?:en|er)? focus|soften|weichzeichnen|gaussian`,
			(amount) => ({ do: 'blur', where: 'everything', amount }),
		],
		['grain|grainy|film grain|noise|noisy|gritty|körnig|körnung', (amount) => ({ do: 'grain', amount })],
		[
			'vignette|dark(?:en)? (?:the )?(?:edges|corners|borders)|spotlight|viñeta',
			(amount) => ({ do: 'vignette', amount }),
		],
		['glow|glowing|bloom|soft glow|leuchten', (amount) => ({ do: 'glow', amount })],
		[
			'pixel(?:ate|ated|ize|ise|s)?|pixel art|8-?bit|16-?bit|minecraft|lego|blocky|verpixel\\p{L}*|censor(?:ed)?',
			(amount) => ({ do: 'pixelate', amount }),
		],
		[
			'pencil(?: sketch| drawing)?|sketch|sketched|drawing|drawn|hand-?drawn|charcoal|graphite|line art|line drawing|ink drawing|colou?ring book|bleistift(?:zeichnung)?|zeichnung|skizze|dessin|croquis|dibujo',
			style('sketch'),
		],
		['blue ?print|technical drawing|bauplan', style('blueprint')],
		['edges?|outlines?|contours?|edge detection|konturen', style('edges')],
		[
			'oil(?: painting| paint| painted)?|impasto|impressionist(?:ic)?|van gogh|monet|painting|painterly|painted|ölgemälde|gemälde|peinture(?: à l’huile)?|pintura|óleo|canvas',
			style('oil'),
		],
		['water ?-?colou?r(?: painting)?|aquarell|aquarelle|acuarela|gouache', style('watercolour')],
		['comic(?: book)?|manga|graphic novel', style('comic')],
		[
			'cartoon|cartoonish|anime|ghibli|pixar|disney|cel[- ]?shad(?:ed|ing)|toon|simpsons|illustration|vector(?: art)?|zeichentrick|dessin animé|caricatura',
			style('cartoon'),
		],
		['neon(?: lights?| glow| edges| style| sign)?', style('neon')],
		['half ?tone|newspaper|newsprint|dots|raster', style('halftone')],
		['emboss(?:ed)?|relief|engraved?|carved|stone|marble|prägung', style('emboss')],
		['mosaic|low ?-?poly|polygons?|voronoi|crystalli[sz]e|mosaik|geometric', style('mosaic')],
		['glitch(?:y|ed)?|vhs|distorted|corrupted|broken tv', style('glitch')],
	]),
];
