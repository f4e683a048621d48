import { contentWords, excerpt, type Skill } from '../talk.ts';

const ASKED =
	/\b(?:improve|better|rephrase|polish|enhance|rewrite|phrase|extend|write|make|help\b.{0,20}\bwith|create|suggest|need|want|give me)\b.{0,30}\bprompts?\b|\bprompt (?:for|about|of)\b|^prompt:/i;
const SUBJECT =
	/\bprompts?\b\s*(?:for|about|of|with|:|to show|of me)?\s*(?:an? image of|a picture of|me)?\s*[:"“]?\s*(.*)$/is;

/** Aspects that a prompt may lack: the words that show that it has one, and what to add otherwise. */
const ASPECTS: readonly (readonly [has: RegExp, offers: readonly [string, ...string[]]])[] = [
	[
		/\b(?:dawn|morning|noon|sunset|dusk|evening|night|midnight|moon\w*|sunrise|golden hour|twilight|starry)\b/i,
		['at golden hour', 'under a full moon', 'at dusk', 'on a bright morning'],
	],
	[
		/\b(?:snow\w*|rain\w*|storm\w*|fog\w*|mist\w*|sunny|wind\w*|cloud\w*|clear sky|rainbow)\b/i,
		['in light mist', 'after the rain', 'in falling snow', 'under a clear sky'],
	],
	[
		/\b(?:forest|city|street|beach|sea|ocean|mountain\w*|desert|river|lake|field|meadow|garden|village|island|valley)\b/i,
		['by a still lake', 'in a wide meadow', 'before distant mountains', 'at the edge of a forest'],
	],
	[
		/\b(?:red|blue|green|gold\w*|orange|teal|violet|purple|pink|black|white|pastel|colou?r\w*)\b/i,
		['in teal and gold', 'in soft pastel colours', 'in deep blues and violet'],
	],
	[
		/\b(?:calm|peaceful|dramatic|cosy|cozy|gloomy|dreamy|joyful|lonely|mysterious|mood|eerie|serene)\b/i,
		['calm and dreamy', 'mysterious', 'joyful', 'with a dramatic mood'],
	],
];

const ADVICE = `A good prompt for this studio names
1. **a subject**: *a lighthouse*, *two foxes*
2. **a place**: *on a cliff by the sea*
3. **time and weather**: *at dusk, in light mist*
4. **colours and mood**: *in teal and gold, calm*

Give me the subject, such as *improve the prompt: a lighthouse*, and I'll phrase one.`;

/** Adds what a prompt lacks: place, time, weather, colour, mood. */
export const improvePrompt: Skill = ({ said, random }) => {
	if (!ASKED.test(said)) return undefined;
	const given = (SUBJECT.exec(said)?.[1] ?? '').replaceAll(/["“”`]/g, '').replace(/[\s.!?]+$/, '');
	if (contentWords(given).length === 0) return ADVICE;
	const subject = excerpt(given, 300);
	const missing = ASPECTS.filter(([has]) => !has.test(subject));
	if (missing.length === 0)
		return `That has a subject, a place, light, colour and mood already. I'd send it as it is:\n\n\`/imagine prompt: ${subject}\``;
	const phrase = (count: number) =>
		[subject, ...missing.slice(0, count).map(([, offers]) => random.pick(offers))].join(', ');
	const counts = [...new Set([1, 3, 5].map((count) => Math.min(count, missing.length)))];
	const phrased = counts.map((count, index) => `${index + 1}. \`${phrase(count)}\``).join('\n');
	return `Here it is with a little more detail:\n\n${phrased}\n\nSend the one you like with \`/imagine\`. Put words in quotation marks and choose the model \`beta\` if they should be read in the picture.`;
};
