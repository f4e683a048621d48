import type { Keyv } from 'keyv';
import type { Form } from '../../domain/command.ts';
import type { Upload } from '../../domain/reply.ts';
import type { ButtonPress, Invocation } from '../../domain/requests.ts';
import { isUpload } from '../declaration/option-kinds.ts';
import type { PictureStore } from './picture-store.ts';
import { splitOptions } from './requests.ts';

/** Long enough to think of something better. */
const KEPT_MS = 3600_000;

/** A picture by the name that it is found under on the shelf. */
type Kept = { name: string; shelf: string };

type Read = (upload: Upload) => Promise<Uint8Array>;

/** A form as it was sent, when it could not be taken. */
type Attempt = {
	form: string;
	person: string;
	words: Record<string, unknown>;
	/** By field name. */
	files: Record<string, Kept>;
	/** The pictures of the message that the form was opened from. */
	attached: Kept[];
};

/**
 * Forms that could not be taken as they were filled in, kept for an hour with their pictures, so that a button can open them
 * once more as they were sent: platforms close a form with its submission.
 */
export type FormDrafts = ReturnType<typeof createFormDrafts>;

export function createFormDrafts(keyv: Keyv, shelf: PictureStore) {
	const keep = async (upload: Upload, read: Read): Promise<Kept> => ({
		name: upload.name,
		shelf: await shelf.keepInput(await read(upload)),
	});

	/** Read when it is needed: whoever opens a form is not to wait for its pictures. */
	const uploadOf = ({ name, shelf: on }: Kept): Upload => ({
		name,
		async read() {
			const bytes = await shelf.input(on);
			if (!bytes) throw new Error('A picture of a form is no longer kept');
			return bytes;
		},
	});

	return {
		/** Rejects as `read` does when a picture can't be had any more; then there is nothing to be tried again. */
		async save({ id, form, options, attached = [], person }: Invocation & { form: string }, read: Read): Promise<void> {
			const { words, uploads } = splitOptions(options);
			const files: Record<string, Kept> = {};
			for (const [name, upload] of uploads) files[name] = await keep(upload, read);
			const pictures: Kept[] = [];
			for (const upload of attached) pictures.push(await keep(upload, read));
			await keyv.set(id, { form, person: person.id, words, files, attached: pictures } satisfies Attempt, KEPT_MS);
		},

		/** The pressing that opened the form, once more: what it opens is filled in. Undefined when it is no longer kept. */
		async press(press: ButtonPress, id: string): Promise<ButtonPress | undefined> {
			const attempt = await keyv.get<Attempt>(id);
			if (attempt?.person !== press.person.id) return undefined;
			const { form: button, words, files, attached } = attempt;
			const filledIn = (form: Form): Form => ({
				...form,
				id: press.button,
				values: words,
				fields: form.fields.map((field) => {
					const file = files[field.name];
					return file ? { ...field, description: file.name, required: false } : field;
				}),
			});
			return { ...press, button, attached: attached.map(uploadOf), open: (form) => press.open(filledIn(form)) };
		},

		/** The form that was opened once more, as if it were the first: with the pictures that came with that. */
		async submission(
			invocation: Invocation & { form: string },
			id: string,
		): Promise<(Invocation & { form: string }) | undefined> {
			const attempt = await keyv.get<Attempt>(id);
			if (attempt?.person !== invocation.person.id) return undefined;
			const { form, files, attached } = attempt;
			const kept = Object.entries(files).map(([name, file]) => [name, uploadOf(file)] as const);
			const options = { ...Object.fromEntries(kept), ...withoutNothing(invocation.options) };
			return { ...invocation, form, options, attached: attached.map(uploadOf) };
		},
	};
}

/** An input that is left empty leaves the picture that was brought before. */
const withoutNothing = (options: Readonly<Record<string, unknown>>) =>
	Object.fromEntries(Object.entries(options).filter(([, value]) => isUpload(value) || (value ?? '') !== ''));
