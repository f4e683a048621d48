import type { Button, Picture } from '../../domain/reply.ts';
import { clip, oneLine } from '../../domain/text.ts';
import type { Translate } from '../../i18n/translator.ts';
import { sniff } from '../../pictures/sniff.ts';
import type { Capabilities } from '../../service/capabilities.ts';
import type { UsageStatus } from '../../usage/usage-status.ts';
import { actionButton, isAvailable } from '../declaration/actions.ts';
import { remainingMessage } from '../messages/usage-messages.ts';
import type { PictureRequest } from '../repositories/requests.ts';

/** Slack allows 1,000 characters of alt text, Discord 1,024. https://docs.slack.dev/reference/methods/files.getUploadURLExternal/ */
const MAX_ALT = 1000;

/** Enough of a prompt to recognise it by; also with a picture, a message stays short. */
const MAX_SHOWN_PROMPT = 300;

/** A prompt as one line of Markdown in which nothing is markup. */
export const quotedPrompt = (prompt: string, most = MAX_SHOWN_PROMPT) => escaped(clip(oneLine(prompt), most));

/** Pictures as they are posted: exactly the service's bytes, named and described, and covered where that is asked for. */
export function picturesOf(t: Translate, images: readonly Uint8Array[], prompt: string, isCovered = false): Picture[] {
	const words = oneLine(prompt);
	return images.map((bytes, index) => {
		const count = images.length;
		const number = count > 1 ? ` ${t('results.number', { index: index + 1, count })}` : '';
		return {
			name: `${fileName(words)}-${index + 1}.png`,
			bytes,
			alt: clip(words, MAX_ALT - number.length) + number,
			...(isCovered && { spoiler: true as const }),
		};
	});
}

/** The text of a result: what was asked for, what it is, what it cost. */
export function caption(
	t: Translate,
	{ prompt, model, person }: PictureRequest,
	images: readonly Uint8Array[],
	standing: readonly UsageStatus[],
): string {
	const size = images[0] && sniff(images[0]);
	const facts = [
		t('results.alt', { name: quotedPrompt(person.name) }),
		model && quotedPrompt(model),
		size && `${size.width} × ${size.height}`,
		standing.length > 0 && remainingMessage(t, standing),
	];
	return `**${quotedPrompt(prompt)}**\n${facts.filter(Boolean).join(' · ')}`;
}

/** Returns the buttons under a result, of which the service can carry out all. */
export const resultButtons = (t: Translate, job: string, capabilities: Capabilities): Button[] =>
	(['again', 'edit', 'reference', 'delete'] as const)
		.filter((action) => isAvailable(action, capabilities))
		.map((action) => actionButton(t, action, job));

/** The characters that are markup within a line. https://spec.commonmark.org/0.31.2/#backslash-escapes */
const escaped = (text: string) => text.replace(/[\\`*_[\]<>|~]/g, (character) => `\\${character}`);

/** A few words of the prompt that every file system takes. */
const fileName = (prompt: string) =>
	prompt
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.toLowerCase()
		.match(/[a-z0-9]+/g)
		?.slice(0, 6)
		.join('-')
		.slice(0, 60) || 'picture';
