import type { Keyv } from 'keyv';
import { formKeyOf } from '../../domain/command.ts';

/** How long a form can be submitted, in milliseconds. On Discord, the addresses of its pictures expire about as soon. */
const FORM_MS = 24 * 3600 * 1000;

/** The forms that people have opened, at most 16 each, with what they submit. */
export class OpenForms<Submitted extends object> {
	readonly #keyv: Keyv;

	constructor(keyv: Keyv) {
		this.#keyv = keyv;
	}

	/** @param id unique for the person; a new form may take the place of one that was left open */
	async save(person: string, id: string, submitted: Submitted): Promise<void> {
		await this.#keyv.set(formKeyOf(`form:${person}`, id), { ...submitted, id }, FORM_MS);
	}

	/** Returns undefined for a form that is not open any more. */
	async find(person: string, id: string): Promise<Submitted | undefined> {
		const open = await this.#keyv.get<Submitted & { id: string }>(formKeyOf(`form:${person}`, id));
		return open?.id === id ? open : undefined;
	}
}
