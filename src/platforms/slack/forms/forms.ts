import { randomUUID } from 'node:crypto';
import { type ViewOutput, webApi } from '@slack/bolt';
import type { Keyv } from 'keyv';
import type { Form } from '../../../domain/command.ts';
import { formKeyOf } from '../../../domain/command.ts';
import type { Place } from '../../../domain/place.ts';
import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';
import type { Translate } from '../../../i18n/translator.ts';
import type { Calls } from '../api/calls.ts';
import { codeOf, refusedErrorOf } from '../api/slack-errors.ts';
import { modalOf } from './modal.ts';

/** https://docs.slack.dev/reference/views/modal-views */
const MAX_METADATA = 3000;
/** The time that a form can stay open. */
const TTL_MS = 24 * 3600 * 1000;

/** Pictures that a form shows. */
const MAX_PICTURES = 10;
/** Errors of a form with pictures that Slack cannot show. https://docs.slack.dev/reference/methods/views.open#errors */
const PICTURE_ERRORS: ReadonlySet<string | undefined> = new Set([
	'invalid_arguments',
	'invalid_blocks',
	'view_too_large',
]);

/** The request that a form belongs to. Slack returns it with the submission, in the form's metadata. */
export type FormState = {
	place: Place;
	command: string;
	/** The core's id of the form; undefined for the form of a command's options. */
	form?: string;
	/** The ids of the pictures of the message that the form was opened from. */
	attached?: readonly string[];
	/** The minimum number of choices, by field names. */
	least?: Readonly<Record<string, number>>;
	responseUrl?: string;
};

/** Metadata of a form whose state is in the store. */
type KeptState = { kept: string; id: string };

/** Translates an open form. Its answers so far stay. */
export type TranslateForm = (t: Translate) => Promise<void>;

/** Opens forms as modals. Their state is in the modal's metadata, or in the store if it is too long for that. */
export class Forms {
	readonly #calls: Calls;
	readonly #keyv: Keyv;

	constructor({ calls, keyv }: { calls: Calls; keyv: Keyv }) {
		this.#calls = calls;
		this.#keyv = keyv;
	}

	/**
	 * Opens a form for the person who acted.
	 *
	 * @param triggerId Slack's permission to open one form within three seconds of the action
	 * @param shown ids of the pictures to show: those to choose from, or the one that the form is about
	 * @throws PlatformRefusedError when Slack does not open it
	 */
	async open(
		{ server, person }: { server: string; person: string },
		triggerId: string,
		form: Omit<Form, 'id'>,
		about: Omit<FormState, 'least' | 'command'>,
		t: Translate,
		shown: readonly string[] = [],
	): Promise<TranslateForm> {
		const state = JSON.stringify({ ...about, command: form.command, least: minimums(form) } satisfies FormState);
		const id = randomUUID();
		const key = formKeyOf(`form:${server}:${person}`, id);
		const isLong = state.length > MAX_METADATA;
		const metadata = isLong ? JSON.stringify({ kept: key, id } satisfies KeptState) : state;
		const pictures = shown.slice(0, MAX_PICTURES);
		try {
			const client = await this.#calls.of(server);
			const stored = isLong ? this.#keyv.set(key, { id, state }, TTL_MS) : undefined;
			// In parallel, because the trigger expires while the store is slow.
			const [translate] = await Promise.all([openModal(client, triggerId, form, metadata, pictures, t), stored]);
			return translate;
		} catch (error) {
			// The trigger expires before the call may be repeated.
			if (error instanceof webApi.WebAPIRateLimitedError)
				throw new PlatformRefusedError('slack.errors.formExpired', undefined, { cause: error });
			throw refusedErrorOf(error);
		}
	}

	/** Returns the state of a submitted form; undefined when it is no longer stored. */
	async stateOf({ private_metadata }: Pick<ViewOutput, 'private_metadata'>): Promise<FormState | undefined> {
		const metadata = JSON.parse(private_metadata || '{}') as FormState | KeptState;
		if (!('kept' in metadata)) return 'command' in metadata ? metadata : undefined;
		const stored = await this.#keyv.get<{ id: string; state: string }>(metadata.kept);
		return stored?.id && stored.id === metadata.id ? (JSON.parse(stored.state) as FormState) : undefined;
	}
}

const minimums = ({ fields }: Pick<Form, 'fields'>): Record<string, number> =>
	Object.fromEntries(fields.flatMap((field) => (field.kind === 'choices' ? [[field.name, field.min]] : [])));

/** Returns whether a form asks for pictures of its message. */
export const choosesPictures = ({ fields }: Pick<Form, 'fields'>): boolean =>
	fields.some(({ name, kind }) => name === 'which' && (kind === 'choice' || kind === 'choices'));

/** Opens the modal with its pictures, or without them if Slack cannot show one, such as WebP. */
async function openModal(
	client: webApi.WebClient,
	triggerId: string,
	form: Omit<Form, 'id'>,
	metadata: string,
	pictures: readonly string[],
	t: Translate,
): Promise<TranslateForm> {
	try {
		const { view } = await client.views.open({ trigger_id: triggerId, view: modalOf(form, metadata, t, pictures) });
		return async (own) => {
			if (!view?.id) return;
			await client.views.update({ view_id: view.id, view: modalOf(form, metadata, own, pictures) });
		};
	} catch (error) {
		if (pictures.length === 0 || !PICTURE_ERRORS.has(codeOf(error))) throw error;
		return openModal(client, triggerId, form, metadata, [], t);
	}
}
