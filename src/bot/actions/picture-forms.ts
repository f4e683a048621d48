import type { CommandDescription, Field, Form } from '../../domain/command.ts';
import type { Button, Reply, Upload } from '../../domain/reply.ts';
import type { ButtonPress, Invocation } from '../../domain/requests.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { isUpload, privately } from '../declaration/command.ts';
import { TRAY_SIZE } from '../repositories/reference-tray.ts';
import type { BotServices } from '../services.ts';

type Commands = ReadonlyMap<string, CommandDescription>;

const NO_PICTURE = 'There is no picture in this message.';

/** What a submission comes to: a command, or a sentence about what is wrong with it. */
export type FormResult = { invoke: Invocation; accepted?: () => Promise<void> } | { refused: string };

/**
 * Asks how a picture is to be changed. With further pictures it becomes a composition of them, this one first, which is why a
 * size can be given. The most wanted inputs come first, since not every platform's forms have room for all of them.
 */
export async function openEdit(
	commands: Commands,
	press: Pick<ButtonPress, 'button' | 'attached' | 'person' | 'private' | 'open'>,
): Promise<Reply | undefined> {
	const t = translatorFor(press.person.locale);
	const { attached } = press;
	if (attached.length === 0) return privately(t(NO_PICTURE));
	const further = fieldsOf(t, commands, 'compose', ['image2', 'image3']).map((field) => ({
		...field,
		description: t('A further picture: then they are composed, this one first'),
		required: false,
	}));
	const size = fieldsOf(t, commands, 'compose', ['size']).map((field) => ({
		...field,
		description: t('With further pictures: width x height of what they become'),
	}));
	await press.open({
		id: press.button,
		command: 'edit',
		title: t('Edit image'),
		fields: [
			...(attached.length > 1 ? [chooser(press)] : []),
			...fieldsOf(t, commands, 'edit', ['prompt']),
			...[...further, ...size],
			...fieldsOf(t, commands, 'edit', ['private', 'n', 'model']),
		],
		...asPrivateAs(press),
	});
	return undefined;
}

/** What the edit form means: an edit of the picture, or a composition of it with the files. */
export function editAsked(invocation: Invocation): FormResult {
	const t = translatorFor(invocation.person.locale);
	const { which = 1, ...rest } = invocation.options;
	const picture = invocation.attached?.[Number(which) - 1];
	const { words, files } = split(rest);
	if (!picture) return { refused: t(NO_PICTURE) };
	if (files.length === 0) {
		if (words['size'])
			return {
				refused: t(
					'`size` is for several pictures: one that is edited keeps its size. Add a picture, or leave it out.',
				),
			};
		return { invoke: { ...invocation, options: { ...words, image: picture } } };
	}
	if (words['model'])
		return {
			refused: t('`model` is for one picture: a composition has its own. Leave it out, or the further pictures.'),
		};
	return compose(invocation, words, [picture, ...files]);
}

/**
 * Asks how pictures are to be put together: those on the person's tray and then the message's are given, what is missing can
 * be added. A message with more pictures than fit is asked about.
 */
export async function openCompose(
	services: BotServices,
	commands: Commands,
	press: ButtonPress,
): Promise<Reply | undefined> {
	const t = translatorFor(press.person.locale);
	const fromMenu = isMenu(press.button);
	const { attached } = press;
	if (fromMenu && attached.length === 0) return privately(t(NO_PICTURE));
	const references = (await services.referenceTray.pictures(press.channel.place, press.person)).length;
	if (!fromMenu && references === 0)
		return privately(t('Your references were kept for an hour and are gone; choose them anew.'));
	const room = TRAY_SIZE - references;
	if (fromMenu && room === 0)
		return {
			...privately(t('You have chosen {count} references already, which is the most.', { count: references })),
			buttons: trayButtons(t),
		};
	const asks = fromMenu && attached.length > room;
	const given = references + (fromMenu && !asks ? attached.length : 0);
	const lines = Array.from({ length: given }, (_, index) => {
		const number = index + 1;
		return index < references
			? t('Image {number}: your reference.', { number })
			: t('Image {number}: from this message.', { number });
	});
	if (asks) lines.push(t('What you choose comes next, then the files.'));
	await press.open({
		id: press.button,
		command: 'compose',
		title: t('Compose images'),
		note: lines.join('\n'),
		fields: [...(asks ? [severalOf(press, room)] : []), ...composing(t, commands, asks ? references + 1 : given, asks)],
		...asPrivateAs(press),
	});
	return undefined;
}

/** What comes of something that one person sees is for them alone as well, unless they say otherwise. */
const asPrivateAs = ({ private: isPrivate }: Pick<ButtonPress, 'private'>) =>
	isPrivate ? { values: { private: true } } : {};

/** The inputs of a composition of which so many pictures are given, or may be. */
function composing(t: Translate, commands: Commands, given: number, mayBeEnough: boolean): Field[] {
	const missing = ['image1', 'image2', 'image3'].slice(given);
	return [
		...fieldsOf(t, commands, 'compose', ['prompt']),
		...fieldsOf(t, commands, 'compose', missing).map((field) => (mayBeEnough ? { ...field, required: false } : field)),
		...fieldsOf(t, commands, 'compose', ['size', 'private', 'n']),
	];
}

/** Which of a message's pictures is meant. */
export const chooser = ({ attached, person }: Pick<ButtonPress, 'attached' | 'person'>): Field => ({
	kind: 'choice',
	name: 'which',
	required: true,
	choices: numbersOf(attached),
	description: translatorFor(person.locale)('Which picture of the message'),
});

const severalOf = ({ attached, person }: ButtonPress, max: number): Field => ({
	kind: 'choices',
	name: 'which',
	required: true,
	choices: numbersOf(attached),
	min: 1,
	max,
	description: translatorFor(person.locale)('Which pictures of the message'),
});

const numbersOf = (attached: readonly Upload[]) => attached.map((_, index) => String(index + 1));

/** What the form for a composition means. The tray is put away once everything has been found right. */
export async function composeAsked(
	services: BotServices,
	invocation: Invocation & { form: string },
): Promise<FormResult> {
	const t = translatorFor(invocation.person.locale);
	const { channel, person } = invocation;
	const attached = isMenu(invocation.form) ? (invocation.attached ?? []) : [];
	const { which, ...rest } = invocation.options;
	const { words, files } = split(rest);
	const tray = await services.referenceTray.pictures(channel.place, person);
	const numbers = which === undefined ? undefined : [which].flat().map(Number);
	if (numbers && !(numbers.every((number) => attached[number - 1]) && new Set(numbers).size === numbers.length))
		return {
			refused: t('`which` names pictures of the message, each once: 1 to {count}.', { count: attached.length }),
		};
	// The tray may have grown since the form was opened, which then did not ask.
	if (!numbers?.length && tray.length + attached.length > TRAY_SIZE)
		return { refused: t('`which` is missing: choose the pictures of the message.') };
	const chosen = numbers?.length ? numbers.flatMap((number) => attached[number - 1] ?? []) : attached;
	const pictures = [...tray, ...chosen, ...files];
	if (pictures.length > TRAY_SIZE)
		return {
			refused: t('That makes {count} pictures; a composition takes two or three.', { count: pictures.length }),
		};
	return {
		...compose(invocation, words, pictures),
		accepted: () => services.referenceTray.clear(channel.place, person),
	};
}

const compose = (invocation: Invocation, words: Record<string, unknown>, pictures: readonly Upload[]) => ({
	invoke: {
		...invocation,
		command: 'compose',
		options: { ...words, ...Object.fromEntries(pictures.map((upload, index) => [`image${index + 1}`, upload])) },
	},
});

/** What can be done with the references that somebody has gathered. */
export const trayButtons = (t: Translate): Button[] => [
	{ id: 'compose:1:tray', label: t('Compose') },
	{ id: 'clear:1:tray', label: t('Start over') },
];

/** `compose:1:menu`, on any message; the other button for it is under the person's own tray. */
const isMenu = (button: string) => button.endsWith(':menu');

/** A command's fields of these names, in this order, described in somebody's language. */
function fieldsOf(t: Translate, commands: Commands, command: string, names: readonly string[]): Field[] {
	const fields: Form['fields'] = commands.get(command)?.fields ?? [];
	return names.flatMap((name) => {
		const field = fields.find((one) => one.name === name);
		return field ? { ...field, description: t.declared(field.description) } : [];
	});
}

/** Files in the order of their inputs, apart from words. */
function split(options: Readonly<Record<string, unknown>>) {
	const entries = Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1));
	return {
		words: Object.fromEntries(entries.filter(([, value]) => !isUpload(value))),
		files: entries.flatMap(([, value]) => (isUpload(value) ? [value] : [])),
	};
}
