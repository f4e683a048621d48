import type { Button, Person, Place, Reply, Upload } from '../../domain/channel.ts';
import { COMPOSE_IMAGES, type Field, menuEntryOf } from '../../domain/command.ts';
import type { Origin } from '../../domain/platform.ts';
import { KeyedQueue } from '../../domain/queues.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError, type Translate, translatorFor } from '../../i18n/translator.ts';
import { whyNotPermitted } from '../../jobs/picture-job.ts';
import { prepare } from '../../pictures/prepare.ts';
import { withUploads } from '../../requests/uploads.ts';
import { Collection, HOUR_MS, personIn } from '../../store/store.ts';
import { type ActionHandlers, actionButton, reply } from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import { uploadOf } from './drafts.ts';
import { composition, onePictureAction, privateDefault, separateFiles } from './forms.ts';

/** The names of a person's references among their temporary uploads, oldest first. */
export const trays = new Collection<string[], { place: Place; person: { id: string } }>('tray/', {
	owner: 'person',
	holds: 'the references of a person',
	lifetime: HOUR_MS,
	key: ({ place: { platform, server }, person: { id } }) => `${platform}:${server}:${id}`,
	erasure: 'deleted',
	group: 'drafts',
	peopleOf: (key) => [personIn(key)],
});

/**
 * Adds a picture to a person's references for their next composition in a server, in place of the oldest when there are as many as a
 * composition takes. Returns how many there are now; they are kept for an hour.
 * @throws PictureError when it is not a picture that can be sent to the service
 */
export async function addReference(easel: Easel, place: Place, person: Person, bytes: Uint8Array): Promise<number> {
	const name = await easel.temporaryUploads.keep({ place, person }, bytes);
	// Of two at the same moment, none is lost.
	return adding.run(`${place.platform}:${place.server}:${person.id}`, async () => {
		const earlier = (await trays.get(easel, { place, person })) ?? [];
		const names = [...earlier.filter((other) => other !== name), name].slice(-easel.service.capabilities.maxReferences);
		await trays.set(easel, { place, person }, names);
		return names.length;
	});
}

const adding = new KeyedQueue();

/** Returns the references that are still there, oldest first. */
export async function referencesOf(easel: Easel, place: Place, person: Person): Promise<Upload[]> {
	const uploads: Upload[] = [];
	for (const shelf of (await trays.get(easel, { place, person })) ?? []) {
		if (await easel.temporaryUploads.has({ place, person }, shelf))
			uploads.push(uploadOf(easel, { name: `image${uploads.length + 1}`, shelf }));
	}
	return uploads;
}

const clearTray = (easel: Easel, { channel, person }: Origin) => trays.delete(easel, { place: channel.place, person });

/** The actions on a person's references: adding a picture, clearing them, and composing them with the pictures of a message. */
export const referenceActions: ActionHandlers<'reference' | 'clear' | 'compose'> = {
	reference: onePictureAction(
		{ command: 'compose', title: 'buttons.reference' },
		async (request, { picture }, { easel }) => ({ reply: await addToTray(easel, request, picture) }),
	),
	clear: {
		async press(press, _, { easel, t }) {
			await clearTray(easel, press);
			return reply(t('references.cleared'));
		},
	},
	compose: {
		/**
		 * Opens the form of a composition: of the person's references and then the message's pictures, with fields for those that are
		 * missing. A message with more pictures than fit gets a field to choose them.
		 */
		async press(press, _, { easel, t }) {
			const fromMenu = menuEntryOf(press.button) !== undefined;
			const { attached } = press;
			const references = (await referencesOf(easel, press.channel.place, press.person)).length;
			if (!fromMenu && references === 0) return new SentenceError('references.expired');
			const room = easel.service.capabilities.maxReferences - references;
			if (fromMenu && room === 0)
				return { reply: { ...privately(t('references.tooMany', { count: references })), buttons: trayButtons(t) } };
			const choosing = fromMenu && attached.length > room;
			const given = references + (fromMenu && !choosing ? attached.length : 0);
			const fields = (...names: string[]) => easel.catalogue.formFields(t, 'compose', names);
			// Files only for the pictures that are not given.
			const files = fields(...['image1', 'image2', 'image3'].slice(choosing ? references + 1 : given));
			await press.open({
				id: press.button,
				command: 'compose',
				title: t(COMPOSE_IMAGES.name),
				note: noteOf(t, given, references, choosing),
				fields: [
					...(choosing ? [pictureChoices(t, attached, room)] : []),
					...fields('prompt'),
					...files.map((field) => (choosing ? { ...field, required: false } : field)),
					...fields('size', 'private', 'n'),
				],
				// The message with the buttons of the references is always private. It says nothing about the pictures.
				values: fromMenu ? privateDefault(press) : undefined,
			});
			return 'answered';
		},
		/** Returns the composition that the form describes. The tray is cleared once all its options have been found valid. */
		async submit(submission, _, { easel }) {
			const { channel, person } = submission;
			const attached = menuEntryOf(submission.form) ? (submission.attached ?? []) : [];
			const { which = [], ...rest } = submission.options;
			const { others, files } = separateFiles(rest);
			const references = await referencesOf(easel, channel.place, person);
			const numbers = [which].flat().map(Number);
			if (!numbers.every((number) => attached[number - 1]) || new Set(numbers).size < numbers.length)
				return { refusal: new SentenceError('forms.compose.errors.which', { count: attached.length }) };
			const most = easel.service.capabilities.maxReferences;
			// The tray may have grown since the form was opened without this field.
			if (numbers.length === 0 && references.length + attached.length > most)
				return { refusal: new SentenceError('forms.compose.errors.missing') };
			const chosen = numbers.length > 0 ? numbers.flatMap((number) => attached[number - 1] ?? []) : attached;
			const pictures = [...references, ...chosen, ...files];
			if (pictures.length > most)
				return { refusal: new SentenceError('forms.compose.errors.count', { count: pictures.length, most }) };
			const accepted = async () => void (await clearTray(easel, submission));
			return { ...composition(submission, others, pictures), accepted };
		},
	},
};

const trayButtons = (t: Translate): Button[] => [actionButton(t, 'compose', 'tray'), actionButton(t, 'clear', 'tray')];

async function addToTray(easel: Easel, { channel, person }: Origin, picture: Upload | undefined): Promise<Reply> {
	const t = translatorFor(person.locale);
	const { place } = channel;
	if (!picture) return privately(t('references.noPicture'));
	const refusal =
		(await whyNotPermitted(easel, channel, person)) ?? (await easel.consent.refusalOf({ place, person }, [picture]));
	if (refusal) return privately(refusal.messageIn(t));
	const count = await withUploads(easel, { place, person }, [picture], async (read) => {
		const bytes = await read(picture);
		await easel.consent.check({ place, person }, picture, bytes, (await prepare(bytes)).bytes);
		return addReference(easel, place, person, bytes);
	});
	const more =
		count < easel.service.capabilities.maxReferences
			? t('references.next', { label: t('buttons.reference') })
			: t('references.full');
	return { ...privately(`${t('references.kept', { count })} ${more}`), buttons: trayButtons(t) };
}

const pictureChoices = (t: Translate, attached: readonly Upload[], max: number): Field => ({
	...{ kind: 'choices', name: 'which', required: true, min: 1, max },
	choices: attached.map((_, index) => String(index + 1)),
	description: t('forms.compose.options.which'),
});

function noteOf(t: Translate, given: number, references: number, choosing: boolean): string {
	const lines = Array.from({ length: given }, (_, index) => {
		const number = index + 1;
		return index < references ? t('forms.compose.reference', { number }) : t('forms.compose.attached', { number });
	});
	if (choosing) lines.push(t('forms.compose.order'));
	return lines.join('\n');
}
