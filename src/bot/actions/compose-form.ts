import type { Field } from '../../domain/command.ts';
import { COMPOSE_IMAGES, menuEntryOf } from '../../domain/message-menu.ts';
import type { Button } from '../../domain/reply.ts';
import type { ButtonPress, FormSubmission } from '../../domain/requests.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { actionButton } from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import { TRAY_SIZE } from '../repositories/reference-tray.ts';
import type { BotServices } from '../services.ts';
import { type ActionHandler, type ActionResult, type SubmissionResult, say } from './action.ts';
import {
	type CommandDescriptions,
	composition,
	fieldsOf,
	pictureChoices,
	privateDefault,
	separateFiles,
} from './form-fields.ts';

/** Composes the pictures of a message, or those on a person's tray. */
export const composeAction = (services: BotServices, commands: CommandDescriptions): ActionHandler => ({
	press: (press) => openComposeForm(services, commands, press),
	submit: (submission) => submitComposeForm(services, submission),
});

/** The buttons under a person's references. */
export const trayButtons = (t: Translate): Button[] => [
	actionButton(t, 'compose', 'tray'),
	actionButton(t, 'clear', 'tray'),
];

/**
 * Opens the form of a composition: of the person's references and then the message's pictures, with fields for those that are
 * missing. A message with more pictures than fit gets a field to choose them.
 */
async function openComposeForm(
	{ referenceTray }: BotServices,
	commands: CommandDescriptions,
	press: ButtonPress,
): Promise<ActionResult> {
	const t = translatorFor(press.person.locale);
	const fromMenu = menuEntryOf(press.button) !== undefined;
	const { attached } = press;
	const references = (await referenceTray.pictures(press.channel.place, press.person)).length;
	if (!fromMenu && references === 0) return say(t('references.expired'));
	const room = TRAY_SIZE - references;
	if (fromMenu && room === 0)
		return { say: { ...privately(t('references.tooMany', { count: references })), buttons: trayButtons(t) } };
	const choosing = fromMenu && attached.length > room;
	const given = references + (fromMenu && !choosing ? attached.length : 0);
	await press.open({
		id: press.button,
		command: 'compose',
		title: t(COMPOSE_IMAGES.name),
		note: noteOf(t, given, references, choosing),
		fields: [
			...(choosing ? [pictureChoices(press, room)] : []),
			...remainingFields(t, commands, choosing ? references + 1 : given, choosing),
		],
		// The message with the buttons of the references is always private. It says nothing about the pictures.
		...(fromMenu && privateDefault(press)),
	});
	return 'answered';
}

/** Lists the pictures that are given already. */
function noteOf(t: Translate, given: number, references: number, choosing: boolean): string {
	const lines = Array.from({ length: given }, (_, index) => {
		const number = index + 1;
		return index < references ? t('forms.compose.reference', { number }) : t('forms.compose.attached', { number });
	});
	if (choosing) lines.push(t('forms.compose.order'));
	return lines.join('\n');
}

/** Returns the fields of a composition, with files only for the pictures that are not given. */
function remainingFields(t: Translate, commands: CommandDescriptions, given: number, optional: boolean): Field[] {
	const files = fieldsOf(t, commands, 'compose', ['image1', 'image2', 'image3'].slice(given));
	return [
		...fieldsOf(t, commands, 'compose', ['prompt']),
		...files.map((field) => (optional ? { ...field, required: false } : field)),
		...fieldsOf(t, commands, 'compose', ['size', 'private', 'n']),
	];
}

/** Returns the composition that the form describes. The tray is cleared once all its options have been found valid. */
async function submitComposeForm(
	{ referenceTray }: BotServices,
	submission: FormSubmission,
): Promise<SubmissionResult> {
	const t = translatorFor(submission.person.locale);
	const { channel, person } = submission;
	const attached = menuEntryOf(submission.form) ? (submission.attached ?? []) : [];
	const { which, ...rest } = submission.options;
	const { others, files } = separateFiles(rest);
	const references = await referenceTray.pictures(channel.place, person);
	const numbers = which === undefined ? undefined : [which].flat().map(Number);
	if (numbers && !(numbers.every((number) => attached[number - 1]) && new Set(numbers).size === numbers.length))
		return { refused: t('forms.compose.errors.which', { count: attached.length }) };
	// The tray may have grown since the form was opened without this field.
	if (!numbers?.length && references.length + attached.length > TRAY_SIZE)
		return { refused: t('forms.compose.errors.missing') };
	const chosen = numbers?.length ? numbers.flatMap((number) => attached[number - 1] ?? []) : attached;
	const pictures = [...references, ...chosen, ...files];
	if (pictures.length > TRAY_SIZE) return { refused: t('forms.compose.errors.count', { count: pictures.length }) };
	return {
		...composition(submission, others, pictures),
		accepted: () => referenceTray.clear(channel.place, person),
	};
}
