import { hash } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { Form } from '../../domain/command.ts';
import type { Upload } from '../../domain/reply.ts';
import type { ButtonPress, FormSubmission, Invocation } from '../../domain/requests.ts';
import { type PersonRef, personKey } from '../../store/person-key.ts';
import { isUpload } from '../declaration/option-kinds.ts';
import { separateUploads } from './requests.ts';
import type { TemporaryUploads } from './temporary-uploads.ts';

const DRAFT_TTL_MS = 3600_000;

/** How many drafts of a person are kept: what is refused costs nothing, so that nothing else limits how many there are. */
const MAX_DRAFTS = 16;

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

/**
 * Forms and options that were refused, kept for an hour with their pictures, so that a button opens a form with what was typed:
 * platforms close a form when it is submitted, and forget the options of a command.
 */
export class FormDrafts {
	readonly #keyv: Keyv;
	readonly #uploads: TemporaryUploads;

	constructor(keyv: Keyv, uploads: TemporaryUploads) {
		this.#keyv = keyv;
		this.#uploads = uploads;
	}

	/** Rejects as `read` does when a picture cannot be read, and with `PictureError` when a file is not a picture. */
	async save(input: Invocation, read: ReadUpload): Promise<void> {
		const { id, form, command, options: all, attached = [], person, channel } = input;
		const { options, uploads } = separateUploads(all);
		const store = async (upload: Upload): Promise<StoredUpload> => ({
			name: upload.name,
			shelf: await this.#uploads.keep({ place: channel.place, person }, await read(upload)),
		});
		const pictures: StoredUpload[] = [];
		for (const upload of attached) pictures.push(await store(upload));
		const files: Record<string, StoredUpload> = {};
		for (const [name, upload] of uploads) files[name] = await store(upload);
		const draft: FormDraft = {
			id,
			...(form !== undefined && { form }),
			command,
			person: person.id,
			words: options,
			files,
			attached: pictures,
		};
		await this.#keyv.set(keyOf(id, input), draft, DRAFT_TTL_MS);
	}

	/** Returns undefined when the draft is no longer kept. */
	async reopen(press: ButtonPress, id: string): Promise<Reopened | undefined> {
		const draft = await this.#find(id, press);
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
		return { first: { ...press, button, attached: attached.map((file) => this.#upload(file)), open } };
	}

	/** Returns the submission of a form that was opened again as one of the first form or command, with the pictures that it had. */
	async submission(
		{ form: _, ...submission }: FormSubmission,
		id: string,
	): Promise<FormSubmission | Omit<Invocation, 'form'> | undefined> {
		const draft = await this.#find(id, submission);
		if (!draft) return undefined;
		const { form, command, files, attached } = draft;
		const pictures = Object.entries(files).map(([name, file]) => [name, this.#upload(file)] as const);
		// A file input that is left empty keeps its picture.
		const options = { ...Object.fromEntries(pictures), ...withoutEmpty(submission.options) };
		if (form === undefined) return { ...submission, command, options };
		return { ...submission, form, options, attached: attached.map((file) => this.#upload(file)) };
	}

	/** Only the person who submitted the form can open it again. */
	async #find(id: string, request: Pick<Invocation, 'person' | 'channel'>): Promise<FormDraft | undefined> {
		const draft = await this.#keyv.get<FormDraft>(keyOf(id, request));
		return draft?.id === id && draft.person === request.person.id ? draft : undefined;
	}

	/** The bytes are read when they are needed, so that a form opens at once. */
	#upload({ name, shelf }: StoredUpload): Upload {
		return {
			name,
			read: async () => {
				const bytes = await this.#uploads.read(shelf);
				if (!bytes) throw new Error('A picture of a form is no longer kept');
				return bytes;
			},
		};
	}
}

const withoutEmpty = (options: Readonly<Record<string, unknown>>) =>
	Object.fromEntries(Object.entries(options).filter(([, value]) => isUpload(value) || (value ?? '') !== ''));

/** Returns one of the keys of a person: a new draft may replace an older one. */
function keyOf(id: string, { person, channel: { place } }: Pick<Invocation, 'person' | 'channel'>): string {
	const slot = Number.parseInt(hash('sha256', id).slice(0, 8), 16) % MAX_DRAFTS;
	return draftKeysOf({ platform: place.platform, id: person.id })[slot] ?? '';
}

/** Returns the keys of all drafts that a person may have. */
export const draftKeysOf = ({ platform, id }: Pick<PersonRef, 'platform' | 'id'>): string[] =>
	Array.from({ length: MAX_DRAFTS }, (_, slot) => `${personKey({ platform, id })}:${slot}`);
