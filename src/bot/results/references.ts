import type { Button, Reply, Upload } from '../../domain/channel.ts';
import { COMPOSE_IMAGES, type Field, menuEntryOf } from '../../domain/command.ts';
import type { Person, Place } from '../../domain/place.ts';
import type { ButtonPress, FormSubmission, Origin } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { whyNotPermitted } from '../../jobs/request-permission.ts';
import { withUploads } from '../../requests/read-upload.ts';
import { parseResultSubject } from '../../requests/result-subject.ts';
import type { Store } from '../../store/store.ts';
import {
	type ActionHandler,
	type ActionHandlers,
	type ActionResult,
	actionButton,
	type SubmissionResult,
	say,
} from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import type { TemporaryUploads } from '../repositories/temporary-uploads.ts';
import {
	type CommandDescriptions,
	chosenPicture,
	composition,
	fieldsOf,
	pictureChoice,
	pictureChoices,
	privateDefault,
	separateFiles,
} from './forms.ts';

/** A composition takes two or three pictures. */
const TRAY_SIZE = 3;

const TRAY_TTL_MS = 3600_000;

/** The references of a person for their next composition in a server: at most three, for an hour. */
type Tray = { store: Store; temporaryUploads: TemporaryUploads };

/**
 * Adds a picture, in place of the oldest when the tray is full. Returns how many there are now.
 * @throws PictureError when it is not a picture that can be sent to the service
 */
export async function addReference(tray: Tray, place: Place, person: Person, bytes: Uint8Array): Promise<number> {
	const key = keyOf(place, person);
	const name = await tray.temporaryUploads.keep({ place, person }, bytes);
	const names = [...(await namesOn(tray, key)).filter((other) => other !== name), name].slice(-TRAY_SIZE);
	await tray.store.space('tray').keyv.set(key, names, TRAY_TTL_MS);
	return names.length;
}

/** Returns the references that are still there, oldest first. Their bytes are read when they are needed. */
export async function referencesOf(tray: Tray, place: Place, person: Person): Promise<Upload[]> {
	const { temporaryUploads } = tray;
	const uploads: Upload[] = [];
	for (const name of await namesOn(tray, keyOf(place, person))) {
		if (!(await temporaryUploads.has({ place, person }, name))) continue;
		const read = async () => {
			const bytes = await temporaryUploads.read(name);
			if (!bytes) throw new Error('A reference is no longer kept');
			return bytes;
		};
		uploads.push({ name: `image${uploads.length + 1}`, read });
	}
	return uploads;
}

async function clearTray({ store }: Tray, place: Place, person: Person): Promise<void> {
	await store.space('tray').keyv.delete(keyOf(place, person));
}

const namesOn = async ({ store }: Tray, key: string) => (await store.space('tray').keyv.get<string[]>(key)) ?? [];

const keyOf = ({ platform, server }: Place, { id }: Person) => `${platform}:${server}:${id}`;

/** Composes the pictures of a message, or those on a person's tray. */
export const composeAction = (easel: Tray, commands: CommandDescriptions): ActionHandler => ({
	press: (press) => openComposeForm(easel, commands, press),
	submit: (submission) => submitComposeForm(easel, submission),
});

/** The buttons under a person's references. */
const trayButtons = (t: Translate): Button[] => [actionButton(t, 'compose', 'tray'), actionButton(t, 'clear', 'tray')];

/**
 * Opens the form of a composition: of the person's references and then the message's pictures, with fields for those that are
 * missing. A message with more pictures than fit gets a field to choose them.
 */
async function openComposeForm(easel: Tray, commands: CommandDescriptions, press: ButtonPress): Promise<ActionResult> {
	const t = translatorFor(press.person.locale);
	const fromMenu = menuEntryOf(press.button) !== undefined;
	const { attached } = press;
	const references = (await referencesOf(easel, press.channel.place, press.person)).length;
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
async function submitComposeForm(easel: Tray, submission: FormSubmission): Promise<SubmissionResult> {
	const t = translatorFor(submission.person.locale);
	const { channel, person } = submission;
	const attached = menuEntryOf(submission.form) ? (submission.attached ?? []) : [];
	const { which, ...rest } = submission.options;
	const { others, files } = separateFiles(rest);
	const references = await referencesOf(easel, channel.place, person);
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
		accepted: () => clearTray(easel, channel.place, person),
	};
}

/** The actions on a person's references: adding a picture, and clearing the tray. */
export const referenceActions = (easel: Easel): ActionHandlers<'reference' | 'clear'> => ({
	reference: {
		press: (press, subject) => useAsReference(easel, press, parseResultSubject(subject).first),
		submit: (submission, subject) => submitChoice(easel, submission, parseResultSubject(subject).first),
	},
	clear: {
		async press({ channel, person }) {
			await clearTray(easel, channel.place, person);
			return say(translatorFor(person.locale)('references.cleared'));
		},
	},
});

/** Adds a message's picture to the tray; opens a form to choose it where the message has several. */
async function useAsReference(easel: Easel, press: ButtonPress, first: number): Promise<ActionResult> {
	const t = translatorFor(press.person.locale);
	if (press.attached.length <= 1) return { say: await addToTray(t, easel, press, press.attached[0]) };
	await press.open({
		id: press.button,
		command: 'compose',
		title: t('buttons.reference'),
		fields: [pictureChoice(press, first)],
	});
	return 'answered';
}

async function submitChoice(easel: Easel, submission: FormSubmission, first: number): Promise<SubmissionResult> {
	const t = translatorFor(submission.person.locale);
	return { say: await addToTray(t, easel, submission, chosenPicture(submission, first)) };
}

async function addToTray(
	t: Translate,
	easel: Easel,
	{ channel, person }: Origin,
	picture: Upload | undefined,
): Promise<Reply> {
	if (!picture) return privately(t('references.noPicture'));
	const refusal = await whyNotPermitted(easel, channel, person);
	if (refusal !== undefined) return privately(refusal);
	const { place } = channel;
	const count = await withUploads(easel, { place, person }, [picture], async (read) =>
		addReference(easel, place, person, await read(picture)),
	);
	const more = count < TRAY_SIZE ? t('references.next', { label: t('buttons.reference') }) : t('references.full');
	return {
		...privately(`${t('references.kept', { count })} ${more}`),
		buttons: trayButtons(t),
	};
}
