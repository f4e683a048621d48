import { actionButton, isAvailable } from '../bot/declaration/actions.ts';
import { remainingMessage } from '../bot/messages/usage-messages.ts';
import type { Button, Picture } from '../domain/channel.ts';
import { encodeActionId, parseActionId } from '../domain/command.ts';
import { inCode, oneLine, quoted } from '../domain/text.ts';
import type { Easel } from '../easel.ts';
import type { Translate } from '../i18n/translator.ts';
import { readMarks } from '../pictures/marks.ts';
import { sniff } from '../pictures/parts.ts';
import type { UsageStatus } from '../usage/caps.ts';
import type { PictureRequest } from './requests.ts';

/** Slack allows 1,000 characters of alt text, Discord 1,024. https://docs.slack.dev/reference/methods/files.getUploadURLExternal/ */
export const MAX_ALT = 1000;

/** A description of what was drawn is shown to its end, where it names what was not understood. */
const MAX_SHOWN_REVISION = 700;

/** The longest part of a flag that a caption repeats. */
const MAX_FLAG = 40;

/**
 * Returns pictures to post: exactly the service's bytes, with file names and alt text.
 * @param alts what each picture shows, where it was described; the prompt by default
 */
export function picturesOf(
	t: Translate,
	images: readonly Uint8Array[],
	prompt: string,
	isSpoiler = false,
	alts: readonly (string | null | undefined)[] = [],
): Picture[] {
	const description = oneLine(prompt);
	return images.map((bytes, index) => {
		const count = images.length;
		return {
			name: `${fileName(description)}-${index + 1}.${endingOf(bytes)}`,
			bytes,
			alt: altOf(t, alts[index] ?? prompt, index, count),
			...(count > 1 && { number: index + 1 }),
			...(isSpoiler && { spoiler: true as const }),
		};
	});
}

/** Returns the alt text of the picture at this index among so many: the text, and the number of the picture where there are several. */
export function altOf(t: Translate, text: string, index: number, count: number): string {
	const number = count > 1 ? ` ${t('results.number', { index: index + 1, count })}` : '';
	return oneLine(text, MAX_ALT - number.length) + number;
}

/**
 * Returns the text above a result: the prompt, the person, the result that it repeats, the model, the size, how
 * its pictures are numbered, what is left of the nearest cap, and what the service says that it has drawn.
 */
export function caption(
	t: Translate,
	{ prompt, command, model, person, source, revisedPrompt, unknownFlags = [], ...request }: PictureRequest,
	images: readonly Uint8Array[],
	usage: readonly UsageStatus[],
): string {
	const size = images[0] && sniff(images[0]);
	const facts = [
		// Rules that draw, as the studio's, are no AI.
		t(isByRules(images) ? 'results.byRules' : 'results.alt', { name: quoted(person.name) }),
		source && sourceMessage(t, command, source),
		model && quoted(model),
		size && `${size.width} × ${size.height}`,
		images.length > 1 && t('results.order', { count: images.length }),
		usage.length > 0 && remainingMessage(t, usage),
	];
	const revised = revisedPrompt ? `\n${t('results.revised', { text: quoted(revisedPrompt, MAX_SHOWN_REVISION) })}` : '';
	const flags = unknownFlags.map((flag) => inCode(flag, MAX_FLAG)).join(' ');
	const unknown = flags ? `\n${t('results.unknownFlags', { flags })}` : '';
	return `**${quoted(prompt)}**\n${facts.filter(Boolean).join(' · ')}${revised}${unknown}${request.background ? `\n${backgroundMessage(t, request)}` : ''}`;
}

/** Returns the sentence about a background that should be transparent. Pictures that were fetched later were not looked at. */
export const backgroundMessage = (t: Translate, { made }: Pick<PictureRequest, 'made'>): string =>
	t(BACKGROUNDS[made?.background ?? 'mixed']);

const BACKGROUNDS = {
	native: 'results.background.native',
	keyed: 'results.background.keyed',
	kept: 'results.background.kept',
	mixed: 'results.background.mixed',
} as const;

/** Drawn, altered or composed, whatever those pictures were made by. */
const BY_RULES: ReadonlySet<string> = new Set(['algorithmicMedia', 'algorithmicallyEnhanced', 'composite']);

/** The studio names itself in its files; of other tools, nobody knows whether they have a model. */
function isByRules([first]: readonly Uint8Array[]): boolean {
	const { source = '', tool } = first ? readMarks(first) : {};
	return BY_RULES.has(source) && tool === 'Easel studio';
}

function sourceMessage(t: Translate, command: string, { link }: { link?: string }): string {
	if (command === 'vary') return link ? t('results.variedLink', { link }) : t('results.varied');
	return link ? t('results.repeatedLink', { link }) : t('results.repeated');
}

/** Returns the buttons under a result, without those that the service cannot carry out; that for alt texts where they are described. */
export const resultButtons = (t: Translate, job: string, { service, altTexts }: Easel): Button[] =>
	(['again', 'vary', 'edit', 'reference', 'download', 'alt', 'delete'] as const)
		.filter((action) => isAvailable(action, service.capabilities) && (action !== 'alt' || altTexts !== undefined))
		.map((action) => actionButton(t, action, job));

/** Returns the file ending of a picture's type. */
export const endingOf = (bytes: Uint8Array) =>
	(sniff(bytes)?.type ?? 'image/png').replace('image/', '').replace('jpeg', 'jpg');

/** Returns up to six words of a prompt, in characters that every file system allows. */
const fileName = (prompt: string) =>
	prompt
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.match(/[a-z0-9]+/g)
		?.slice(0, 6)
		.join('-')
		.slice(0, 60) || 'picture';

/** The pictures of a result that one of its messages shows, as the subject of that message's buttons. */
export type ResultSubject = {
	job: string;
	/** The index of the message's first picture in the whole result. */
	first: number;
};

/** Reads a subject: `job` under the message with the first picture, `job#2` under the one that begins with the third. */
export function parseResultSubject(subject: string): ResultSubject {
	const [job = '', first = '0'] = subject.split('#');
	return { job, first: Number(first) || 0 };
}

/** The actions that apply to a picture of their message, so that they have to know which pictures it shows. */
const OF_PICTURES: readonly (string | undefined)[] = ['edit', 'vary', 'reference', 'download', 'sticker', 'alt'];

/** Returns the buttons of a result for the message that begins with the picture at this index. */
export const buttonsFrom = (buttons: readonly Button[], first: number): Button[] =>
	buttons.map((button) => {
		const id = parseActionId(button.id);
		if (first === 0 || !id || !OF_PICTURES.includes(id.action)) return button;
		return { ...button, id: encodeActionId({ ...id, subject: `${id.subject}#${first}` }) };
	});
