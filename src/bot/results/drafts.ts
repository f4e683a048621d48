import type { Upload } from '../../domain/channel.ts';
import { type Form, formKeyOf, formKeysOf } from '../../domain/command.ts';
import type { ButtonPress, FormSubmission, Invocation, Origin } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/translator.ts';
import { separateUploads } from '../../requests/requests.ts';
import type { ReadUpload } from '../../requests/uploads.ts';
import { Collection, HOUR_MS, personKey } from '../../store/store.ts';
import type { ActionHandler, ActionResult, SubmissionResult } from '../declaration/actions.ts';
import { isUpload } from '../declaration/options.ts';

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

export const drafts = new Collection<FormDraft>('forms/', {
	owner: 'person',
	holds: 'what a person has entered in a form',
	lifetime: HOUR_MS,
	erasure: 'deleted',
	erasedBy: 'Eraser',
});

/**
 * Keeps a form or options that were refused for an hour with their pictures, so that a button opens a form with what was typed: platforms
 * close a form when it is submitted, and forget the options of a command. A file that cannot be used as a picture is left out. Rejects as
 * `read` does when a picture of the message cannot be read.
 */
export async function saveDraft(easel: Easel, input: Invocation, read: ReadUpload): Promise<void> {
	const { id, form, command, options: all, attached = [], person, channel } = input;
	const { options, uploads } = separateUploads(all);
	const keep = async (upload: Upload): Promise<StoredUpload> => ({
		name: upload.name,
		shelf: await easel.temporaryUploads.keep({ place: channel.place, person }, await read(upload)),
	});
	const pictures: StoredUpload[] = [];
	for (const upload of attached) pictures.push(await keep(upload));
	const files: Record<string, StoredUpload> = {};
	for (const [name, upload] of uploads) {
		const kept = await keep(upload).catch(unlessRefused);
		if (kept) files[name] = kept;
	}
	const draft: FormDraft = { id, form, command, person: person.id, words: options, files, attached: pictures };
	await drafts.set(easel, keyOf(id, input), draft);
}

function unlessRefused(error: unknown): undefined {
	if (!(error instanceof SentenceError)) throw error;
}

/** Only the person who submitted the form can open it again. */
async function findDraft(easel: Easel, id: string, request: Origin): Promise<FormDraft | undefined> {
	const draft = await drafts.get(easel, keyOf(id, request));
	return draft?.id === id && draft.person === request.person.id ? draft : undefined;
}

/** Returns a temporary upload, whose bytes are read when they are needed: a form opens at once. */
export const uploadOf = ({ temporaryUploads }: Easel, { name, shelf }: StoredUpload): Upload => ({
	name,
	read: async () => {
		const bytes = await temporaryUploads.read(shelf);
		if (!bytes) throw new Error('A picture of a form is no longer kept');
		return bytes;
	},
});

const keyOf = (id: string, { person, channel: { place } }: Origin) =>
	formKeyOf(personKey({ platform: place.platform, id: person.id }), id);

/** Returns the keys of all drafts that a person may have. */
export const draftKeysOf = ({ platform, id }: { platform: string; id: string }): string[] =>
	formKeysOf(personKey({ platform, id }));

/** The handling of presses and forms, for the form that a draft came from. */
type Actions = {
	press(easel: Easel, press: ButtonPress): Promise<ActionResult>;
	submit(easel: Easel, submission: FormSubmission): Promise<SubmissionResult>;
};

/** Opens the form of input that was refused, filled in with it. The subject is the request that was refused. */
export const reopenAction = (actions: Actions): ActionHandler => ({
	async press(press, id, { easel, t }) {
		const draft = await findDraft(easel, id, press);
		if (!draft) return new SentenceError('errors.expired.form');
		const { form: button, command, words, files, attached } = draft;
		const open = (form: Form) =>
			press.open({ ...form, id: press.button, values: words, fields: fieldsOf(form, files) });
		if (button !== undefined)
			return actions.press(easel, { ...press, button, attached: attached.map((file) => uploadOf(easel, file)), open });
		const fields = easel.catalogue.formFields(t, command);
		await open({ id, command, title: `/${command}`, fields });
		return 'answered';
	},
	async submit({ form: _, ...submission }, id, { easel }) {
		const draft = await findDraft(easel, id, submission);
		if (!draft) return new SentenceError('errors.expired.form');
		const { form, command, files, attached } = draft;
		const pictures = Object.entries(files).map(([name, file]) => [name, uploadOf(easel, file)] as const);
		// A file input that is left empty keeps its picture.
		const options = { ...Object.fromEntries(pictures), ...withoutEmpty(submission.options) };
		// What is kept is complete, so that it does not depend on the draft before it.
		if (form === undefined) {
			const invocation = { ...submission, command, options };
			return { invoke: invocation, draft: invocation };
		}
		const first = { ...submission, form, options, attached: attached.map((file) => uploadOf(easel, file)) };
		const result = await actions.submit(easel, first);
		if (typeof result === 'string' || result instanceof SentenceError || 'reply' in result) return result;
		return { ...result, draft: first };
	},
});

/** Returns the fields of a form. Those with a stored picture show its name, and may be left empty. */
const fieldsOf = ({ fields }: Form, files: FormDraft['files']) =>
	fields.map((field) => {
		const file = files[field.name];
		return file ? { ...field, description: file.name, required: false } : field;
	});

const withoutEmpty = (options: Readonly<Record<string, unknown>>) =>
	Object.fromEntries(Object.entries(options).filter(([, value]) => isUpload(value) || (value ?? '') !== ''));
