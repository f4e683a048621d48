import type { Skill } from '../talk.ts';

const IMAGINE = `**\`/imagine\`** draws a picture from words.
- \`prompt\`: what to draw, 1 to 2000 characters
- \`size\`: width × height such as \`1024x1024\` (the default) or \`1536x1024\`
- \`n\`: 1 to 4 variations; all of them together count as one image
- \`model\`: \`alpha-image\`, or \`beta\` for sharper text
- \`private\`: only you see the answer

Example: \`/imagine prompt: a red fox in the snow at dusk\``;

const EDIT = `**\`/edit\`** changes a picture (PNG, JPEG, WebP or GIF, at most 10 MB) as the \`prompt\` says; \`n\`, \`model\` and \`private\` as for \`/imagine\`.

The studio's own pictures are drawn again: *make it night*, *remove the horse*, *add a red hat*, *in winter*, *as a watercolour*. Any picture can be brightened, toned, blurred, sharpened, cropped, rotated, flipped, framed and written on (*write "Hello" at the bottom*), but nothing in it can be removed, nor its background. Several changes fit in one prompt: *make it warmer, then add a white frame*.`;

const COMPOSE = `**\`/compose\`** makes one picture out of \`image1\`, \`image2\` and, if you like, \`image3\`, at most 10 MB each. The \`prompt\` says how, and calls them "image 1", "image 2"; \`size\`, \`n\` and \`private\` as for \`/imagine\`.

Examples: *put image 2 into the corner of image 1*, *side by side*, *blend them*, *use the colours of image 2*.`;

const CHAT = `**\`/chat\`** opens a thread. The chat \`model\` answers what you write in it, beginning with the \`prompt\` if you give one.`;

const USAGE = `**\`/usage\`** shows what is used and left: yours (or that of a \`member\`), this server's and the plan's, and when each resets. One call counts as one image, whatever \`n\` is. What failed or was refused is not counted.`;

const MODELS = `**\`/models\`** lists what the service offers. Here there are:
- \`alpha-image\`: pictures, the default
- \`beta\`: pictures with sharper text
- \`alpha3.6-35b\`: chat; in this studio, that's me, a rule-based program
- \`alpha3-embedding\`: embeddings`;

const LIMITS = `**\`/limits\`** is for moderators.
- \`/limits show\`: the rules in force and what is used
- \`/limits set\`: \`scope\` (server, channel, role or member), \`period\` (day or month), \`images\` (0 or more), and which channel, role or member
- \`/limits clear\`: the same without \`images\`
- \`/limits overage\`: \`usd\`, the most that this server may spend a month beyond the plan; 0 unless set
- \`/limits report\`: who used what in a \`month\`, with a CSV file and a chart`;

const OVERVIEW = `These are the commands:
- \`/imagine\`: draw a picture from words
- \`/edit\`: change a picture
- \`/compose\`: make one picture out of two or three
- \`/chat\`: open a thread to talk in
- \`/usage\`: what was used, and what is left
- \`/models\`: what the service offers
- \`/limits\`: caps, for moderators

Ask about any of them, such as *how does /edit work?*`;

const SIZES =
	'A size is width × height, such as `1024x1024` (the default, and recommended), `1536x1024` for a landscape or `1024x1536` for a portrait. In this studio each side may have 64 to 2048 pixels. `/imagine` and `/compose` take a `size`; an edit keeps the size of its picture unless it crops.';

const FILES =
	'Pictures can be PNG, JPEG, WebP or GIF (its first frame), at most 10 MB each. HEIC pictures from phones are not accepted: send them as JPEG or PNG.';

const PRICE =
	'One call counts as one image, whatever `n` is. Calls beyond the monthly plan cost what the operator has set (0.03 USD by default) out of the balance; when neither is left, calls are refused. `/usage` shows what is left.';

const BUTTONS =
	'Under each picture there are buttons: **Again** repeats the request, **Edit** changes that picture, **Use as reference** takes it into a composition, **Download original** gives its file, and **Delete** removes it.';

/** Questions and answers: named commands first, then what people call these things without knowing the names. Bounded: at most 4,000 characters. */
const TOPICS: readonly (readonly [asked: RegExp, answer: string])[] = [
	[/\/imagine\b/i, IMAGINE],
	[/\/edit\b/i, EDIT],
	[/\/compose\b/i, COMPOSE],
	[/\/chat\b/i, CHAT],
	[/\/usage\b/i, USAGE],
	[/\/models\b/i, MODELS],
	[/\/limits\b/i, LIMITS],
	[/\bcommands?\b|how (?:do|does) (?:i start|this (?:bot )?work|easel)/i, OVERVIEW],
	[/\b(?:sizes?|resolution|dimensions|aspect|landscape format|portrait format|how (?:big|large|wide))\b/i, SIZES],
	[/\bmodels?\b/i, MODELS],
	[/\b(?:heic|jpe?g|png|webp|gif|file (?:types?|formats?)|formats?|upload|10 ?mb)\b/i, FILES],
	[/\b(?:price|cost|costs|pay|paid|money|expensive|quota|balance)\b/i, PRICE],
	[/\bbuttons?\b/i, BUTTONS],
	[/\blimits?\b|\bcaps?\b|\boverage\b/i, LIMITS],
	[/\busage\b|\bhow many\b.*\b(?:left|used|images|pictures)\b/i, USAGE],
	[/\b(?:compos\w*|combin\w*|join|merge|blend|collage|side by side|two (?:pictures|images|photos))\b/i, COMPOSE],
	[/\b(?:edit(?:s|ing)?|change|crop|rotate|flip|blur|sharpen|recolou?r|background|sepia|brighter|darker)\b/i, EDIT],
	[/\b(?:imagine|draw|paint|generate|create|make)\b.*\b(?:pictures?|images?|drawings?|art)\b/i, IMAGINE],
];

/** Explains the commands. A question about two of them gets both answers. */
export const explainCommands: Skill = ({ said }) => {
	const found = TOPICS.filter(([asked]) => asked.test(said)).map(([, answer]) => answer);
	const named = (said.match(/\/(?:imagine|edit|compose|chat|usage|models|limits)\b/gi) ?? []).length;
	const answers = [...new Set(found)].slice(0, Math.max(1, Math.min(named, 3)));
	if (answers.length > 0) return answers.join('\n\n');
	const drawing = /^(?:please )?(?:draw|paint|sketch|imagine|show me)\s+(?:me )?(.{2,})$/is.exec(said)?.[1];
	if (!drawing) return undefined;
	const prompt = drawing.replaceAll(/\s+/g, ' ').slice(0, 300);
	return `Begin a message with *draw*, and it is drawn right here: *draw ${prompt.replaceAll('*', '')}*.`;
};
