import { randomUUID } from 'node:crypto';
import type { Keyv } from 'keyv';
import type { Form } from '../../../domain/command.ts';
import { formKeyOf } from '../../../domain/command.ts';
import type { AttachmentData } from './attachment-reader.ts';

/** A form that is open: what it submits, and the pictures of the message that it was opened from. */
type OpenForm = { id: string; form: string; command: string; attached: AttachmentData[] };

/** How long a form can be submitted, in milliseconds. The URLs of its pictures expire about as soon. */
const FORM_MS = 24 * 3600 * 1000;

/** The forms that a person has opened, at most 16, by the custom id of their modal. */
export class OpenForms {
	readonly #keyv: Keyv;

	constructor(keyv: Keyv) {
		this.#keyv = keyv;
	}

	/** Returns the custom id for the modal. */
	async save(person: string, { id: form, command }: Form, attached: AttachmentData[]): Promise<string> {
		const id = `form:${randomUUID()}`;
		const open: OpenForm = { id, form, command, attached };
		await this.#keyv.set(formKeyOf(`form:${person}`, id), open, FORM_MS);
		return id;
	}

	async find(person: string, customId: string): Promise<OpenForm | undefined> {
		const open = await this.#keyv.get<OpenForm>(formKeyOf(`form:${person}`, customId));
		return open?.id === customId ? open : undefined;
	}
}
