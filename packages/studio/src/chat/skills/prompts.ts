import { contentWords, excerpt, type Skill } from '../talk.ts';
import { texts } from './texts.ts';

/** Bounded: at most 4,000 characters. */
const ASKED =
	/\b(?:improve|better|rephrase|polish|enhance|rewrite|phrase|extend|write|make|help\b.{0,20}\bwith|create|suggest|need|want|give me)\b.{0,30}\bprompts?\b|\bprompt (?:for|about|of)\b|^prompt:/i;
/** Bounded: at most 4,000 characters. */
const SUBJECT =
	/\bprompts?\b\s*(?:for|about|of|with|:|to show|of me)?\s*(?:an? image of|a picture of|me)?\s*[:"“]?\s*(.*)$/is;

/** Aspects that a prompt may lack: the words that show that it has one, and what to add otherwise. */
const ASPECTS = texts.aspects.map(({ has, offers }) => [new RegExp(has, 'i'), offers] as const);

/** Adds what a prompt lacks: place, time, weather, colour, mood. */
export const improvePrompt: Skill = ({ said, random }) => {
	if (!ASKED.test(said)) return undefined;
	const given = (SUBJECT.exec(said)?.[1] ?? '').replaceAll(/["“”`]/g, '').replace(/(?<![\s.!?])[\s.!?]+$/, '');
	if (contentWords(given).length === 0) return texts.advice;
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
