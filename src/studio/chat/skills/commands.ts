import { listed, type Skill } from '../talk.ts';

type Topic = {
	/** Pattern of the question. */
	asked: RegExp;
	answer: string;
};

const IMAGINE = `**\`/imagine\`** draws a picture from words.
- \`prompt\`: what to draw, 1 to 2000 characters
- \`size\`: width × height such as \`1024x1024\` (the default) or \`1536x1024\`
- \`n\`: 1 to 4 variations; all of them together count as one image
- \`model\`: \`alpha-image\`, or \`beta\` for sharper text
- \`private\`: only you see the answer

Example: \`/imagine prompt: a red fox in the snow at dusk\``;

const EDIT = `**\`/edit\`** changes a picture and keeps the rest of it.
- \`image\`: PNG, JPEG, WebP or GIF, at most 10 MB
- \`prompt\`: what to change, 1 to 2000 characters
- \`n\`: 1 to 4 variations, \`model\`, \`private\`

It understands tones (warmer, black and white, sepia, brighter, more contrast), seasons, weather and time of day (make it night, autumn, snow), blur and sharpen, crop, rotate, flip, frames, text (*write "Hello" at the bottom*), another colour for a named one (*make the red blue*) and taking the background away. Several can stand in one prompt: *make it night, then add a white frame*.`;

const COMPOSE = `**\`/compose\`** makes one picture out of two or three.
- \`image1\`, \`image2\`, and \`image3\` if you like: at most 10 MB each
- \`prompt\`: how to join them, 1 to 2000 characters; call them "image 1", "image 2" by their order
- \`size\`, \`n\` (1 to 4), \`private\`

Examples: *put image 2 into the corner of image 1*, *side by side*, *blend them*, *use the colours of image 2*.`;

const CHAT = `**\`/chat\`** opens a thread. What you write in it goes to the chat model, and the answer grows in one message while it comes.
- \`prompt\`: the first message, if you like
- \`model\`: the chat model`;

const USAGE = `**\`/usage\`** shows what is used and left: yours, this server's and the plan's, and when each resets.
- \`member\`: somebody else's instead of yours

One call counts as one image, whatever \`n\` is. What failed or was refused is not counted.`;

const MODELS = `**\`/models\`** lists what the service offers. Here there are:
- \`alpha-image\`: pictures, the default
- \`beta\`: pictures with sharper text, and edits that keep more of the subject
- \`alpha3.6-35b\`: chat; in this studio, that's me, a rule-based stand-in
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
	'A size is width × height, such as `1024x1024` (the default, and recommended), `1536x1024` for a landscape or `1024x1536` for a portrait. In this studio each side may have 64 to 2048 pixels. Give it as `size` to `/imagine` or `/compose`; an edit keeps the size of its picture unless it crops.';

const FILES =
	'Pictures can be PNG, JPEG, WebP or GIF (its first frame), at most 10 MB each. HEIC from telephones is not taken: send it as JPEG or PNG.';

const PRICE =
	'One call counts as one image, whatever `n` is. Calls beyond the monthly plan cost what the operator has set (0.03 USD unless they chose otherwise) out of the balance; when neither is left, calls are refused. `/usage` shows where you stand.';

const BUTTONS =
	'Under each picture there are buttons: **Again** asks once more for the same, **Edit** changes that picture, **Use as reference** takes it into a composition, and **Delete** removes it.';

/** Named commands first, then what people call these things without knowing the names. */
const TOPICS: readonly Topic[] = [
	{ asked: /\/imagine\b/i, answer: IMAGINE },
	{ asked: /\/edit\b/i, answer: EDIT },
	{ asked: /\/compose\b/i, answer: COMPOSE },
	{ asked: /\/chat\b/i, answer: CHAT },
	{ asked: /\/usage\b/i, answer: USAGE },
	{ asked: /\/models\b/i, answer: MODELS },
	{ asked: /\/limits\b/i, answer: LIMITS },
	{ asked: /\bcommands?\b|how (?:do|does) (?:i start|this (?:bot )?work|easel)/i, answer: OVERVIEW },
	{
		asked: /\b(?:sizes?|resolution|dimensions|aspect|landscape format|portrait format|how (?:big|large|wide))\b/i,
		answer: SIZES,
	},
	{ asked: /\bmodels?\b/i, answer: MODELS },
	{ asked: /\b(?:heic|jpe?g|png|webp|gif|file (?:types?|formats?)|formats?|upload|10 ?mb)\b/i, answer: FILES },
	{ asked: /\b(?:price|cost|costs|pay|paid|money|expensive|quota|balance)\b/i, answer: PRICE },
	{ asked: /\bbuttons?\b/i, answer: BUTTONS },
	{ asked: /\blimits?\b|\bcaps?\b|\boverage\b/i, answer: LIMITS },
	{ asked: /\busage\b|\bhow many\b.*\b(?:left|used|images|pictures)\b/i, answer: USAGE },
	{
		asked: /\b(?:compos\w*|combin\w*|join|merge|blend|collage|side by side|two (?:pictures|images|photos))\b/i,
		answer: COMPOSE,
	},
	{
		asked: /\b(?:edit(?:s|ing)?|change|crop|rotate|flip|blur|sharpen|recolou?r|background|sepia|brighter|darker)\b/i,
		answer: EDIT,
	},
	{
		asked: /\b(?:imagine|draw|paint|generate|create|make)\b.*\b(?:pictures?|images?|drawings?|art)\b/i,
		answer: IMAGINE,
	},
];

/** Explains the commands. A question about two of them gets both answers. */
export const explainCommands: Skill = ({ said }) => {
	const found = TOPICS.filter(({ asked }) => asked.test(said)).map(({ answer }) => answer);
	const named = (said.match(/\/(?:imagine|edit|compose|chat|usage|models|limits)\b/gi) ?? []).length;
	const answers = [...new Set(found)].slice(0, Math.max(1, Math.min(named, 3)));
	if (answers.length > 0) return answers.join('\n\n');
	const drawing = /^(?:please )?(?:draw|paint|sketch|imagine|show me)\s+(?:me )?(.{2,})$/is.exec(said)?.[1];
	if (!drawing) return undefined;
	const prompt = drawing.replaceAll(/\s+/g, ' ').slice(0, 300);
	return `I can't draw in this conversation, but the studio can:\n${listed([`\`/imagine prompt: ${prompt.replaceAll('`', "'")}\``])}`;
};
