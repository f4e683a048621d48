import type { Upload } from '../../domain/channel.ts';
import { type Form, formKeyOf, formKeysOf } from '../../domain/command.ts';
import type { ButtonPress, FormSubmission, Invocation, Origin } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { separateUploads } from '../../requests/requests.ts';
import { personKey } from '../../store/kinds.ts';
import type { Store } from '../../store/store.ts';
import { type ActionHandler, type ActionResult, type SubmissionResult, say } from '../declaration/actions.ts';
import { isUpload } from '../declaration/options.ts';
import type { TemporaryUploads } from '../repositories/temporary-uploads.ts';
import { type CommandDescriptions, fieldsOf } from './forms.ts';

const DRAFT_TTL_MS = 3600_000;

/** A picture, and its name among the temporary uploads. */
type StoredUpload = { name: string; shelf: string };

/** A form as it was submitted, or the options of a command as they were given. */
type FormDraft = {
	/** The request that was refused. */
	id: string;
	/** Absent for the options of a command. */
	form?: string;
	command: string;
	person: string;
	/** The values, without the pictures. */
	words: Record<string, unknown>;
	/** The pictures, by field. */
	files: Record<string, StoredUpload>;
	/** The pictures of the message that the form was opened from. */
	attached: StoredUpload[];
};

type ReadUpload = (upload: Upload) => Promise<Uint8Array>;

/** A form to open again: the press that opened it, or the command whose options it has. `open` fills it in. */
type Reopened = { first: ButtonPress } | { command: string; open: ButtonPress['open'] };

/** The space of the store, and the pictures that are kept beside it. */
type Drafts = { store: Store; temporaryUploads: TemporaryUploads };

/**
 * Keeps a form or options that were refused for an hour with their pictures, so that a button opens a form with what was typed: platforms
 * close a form when it is submitted, and forget the options of a command. Rejects as `read` does when a picture cannot be read, and with
 * `PictureError` when a file is not a picture.
 */
export async function saveDraft(
	{ store, temporaryUploads }: Drafts,
	input: Invocation,
	read: ReadUpload,
): Promise<void> {
	const { id, form, command, options: all, attached = [], person, channel } = input;
	const { options, uploads } = separateUploads(all);
	const keep = async (upload: Upload): Promise<StoredUpload> => ({
		name: upload.name,
		shelf: await temporaryUploads.keep({ place: channel.place, person }, await read(upload)),
	});
	const pictures: StoredUpload[] = [];
	for (const upload of attached) pictures.push(await keep(upload));
	const files: Record<string, StoredUpload> = {};
	for (const [name, upload] of uploads) files[name] = await keep(upload);
	const draft: FormDraft = { id, form, command, person: person.id, words: options, files, attached: pictures };
	await store.space('forms').keyv.set(keyOf(id, input), draft, DRAFT_TTL_MS);
}

/** Returns undefined when the draft is no longer kept. */
export async function reopenDraft(drafts: Drafts, press: ButtonPress, id: string): Promise<Reopened | undefined> {
	const draft = await findDraft(drafts, id, press);
	if (!draft) return undefined;
	const { form: button, command, words, files, attached } = draft;
	const fillIn = (form: Form): Form => ({
		...form,
		id: press.button,
		values: words,
		fields: form.fields.map((field) => {
			const file = files[field.name];
			return file ? { ...field, description: file.name, required: false } : field;
		}),
	});
	const open = (form: Form) => press.open(fillIn(form));
	if (button === undefined) return { command, open };
	return { first: { ...press, button, attached: attached.map((file) => uploadOf(drafts, file)), open } };
}

/** Returns the submission of a form that was opened again as one of the first form or command, with the pictures that it had. */
async function firstSubmission(
	drafts: Drafts,
	{ form: _, ...submission }: FormSubmission,
	id: string,
): Promise<FormSubmission | Omit<Invocation, 'form'> | undefined> {
	const draft = await findDraft(drafts, id, submission);
	if (!draft) return undefined;
	const { form, command, files, attached } = draft;
	const pictures = Object.entries(files).map(([name, file]) => [name, uploadOf(drafts, file)] as const);
	// A file input that is left empty keeps its picture.
	const options = { ...Object.fromEntries(pictures), ...withoutEmpty(submission.options) };
	if (form === undefined) return { ...submission, command, options };
	return { ...submission, form, options, attached: attached.map((file) => uploadOf(drafts, file)) };
}

/** Only the person who submitted the form can open it again. */
async function findDraft({ store }: Drafts, id: string, request: Origin): Promise<FormDraft | undefined> {
	const draft = await store.space('forms').keyv.get<FormDraft>(keyOf(id, request));
	return draft?.id === id && draft.person === request.person.id ? draft : undefined;
}

/** The bytes are read when they are needed, so that a form opens at once. */
const uploadOf = ({ temporaryUploads }: Drafts, { name, shelf }: StoredUpload): Upload => ({
	name,
	read: async () => {
		const bytes = await temporaryUploads.read(shelf);
		if (!bytes) throw new Error('A picture of a form is no longer kept');
		return bytes;
	},
});

const withoutEmpty = (options: Readonly<Record<string, unknown>>) =>
	Object.fromEntries(Object.entries(options).filter(([, value]) => isUpload(value) || (value ?? '') !== ''));

const keyOf = (id: string, { person, channel: { place } }: Origin) =>
	formKeyOf(personKey({ platform: place.platform, id: person.id }), id);

/** Returns the keys of all drafts that a person may have. */
export const draftKeysOf = ({ platform, id }: { platform: string; id: string }): string[] =>
	formKeysOf(personKey({ platform, id }));

/** Opens the form of input that was refused, filled in with it. The subject is the request that was refused. */
export const reopenAction = (
	easel: Easel,
	commands: CommandDescriptions,
	actions: () => {
		press(press: ButtonPress): Promise<ActionResult>;
		submit(submission: FormSubmission): Promise<SubmissionResult>;
	},
): ActionHandler => ({
	async press(press, id) {
		const t = translatorFor(press.person.locale);
		const draft = await reopenDraft(easel, press, id);
		if (!draft) return say(t('errors.expired.form'));
		if ('first' in draft) return actions().press(draft.first);
		const { command, open } = draft;
		const fields = fieldsOf(t, commands, command);
		await open({ id: press.button, command, title: `/${command}`, fields });
		return 'answered';
	},
	async submit(submission, id) {
		const first = await firstSubmission(easel, submission, id);
		if (!first) return say(translatorFor(submission.person.locale)('errors.expired.form'));
		// What is kept is complete, so that it does not depend on the draft before it.
		if (!('form' in first)) return { invoke: first, draft: first };
		const result = await actions().submit(first);
		return typeof result === 'object' && !('say' in result) ? { ...result, draft: first } : result;
	},
});
