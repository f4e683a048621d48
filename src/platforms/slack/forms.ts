import { randomUUID } from 'node:crypto';
import type { ViewOutput } from '@slack/bolt';
import type { Keyv } from 'keyv';
import type { Form, Place } from '../../bot/platform.ts';
import type { Translate } from '../../i18n/translator.ts';
import { modalOf } from './form-view.ts';
import type { Web } from './parts.ts';
import { refusalOf } from './refused.ts';

/** https://docs.slack.dev/reference/views/modal-views */
const MAX_METADATA = 3000;
/** A form left open longer can't be sent any more. */
const KEPT_MS = 24 * 3600 * 1000;

/** What a submission is about, which Slack does not say: it knows neither the place nor the command. */
export type FormState = {
	place: Place;
	command: string;
	/** The core's own name for the form; a command's own form has none. */
	form?: string;
	/** Files of the message that it was opened from. */
	attached?: readonly string[];
	/** How many have to be chosen, by field names. */
	least?: Readonly<Record<string, number>>;
	responseUrl?: string;
};

export type Forms = ReturnType<typeof createForms>;

/** Forms as modals, and what they stand for, kept in them as long as it has room there. */
export function createForms({ web, keyv }: { web: Web; keyv: Keyv }) {
	return {
		/**
		 * Shows a form to whoever has just done something: within three seconds, and once.
		 * @param trigger Slack's proof that they did
		 */
		async open(
			server: string,
			trigger: string,
			form: Omit<Form, 'id'>,
			about: Omit<FormState, 'least' | 'command'>,
			t: Translate,
		): Promise<void> {
			const least = Object.fromEntries(
				form.fields.flatMap((field) => (field.kind === 'choices' ? [[field.name, field.min]] : [])),
			);
			const state = JSON.stringify({ ...about, command: form.command, least } satisfies FormState);
			const kept = state.length > MAX_METADATA ? `form:${randomUUID()}` : undefined;
			const metadata = kept === undefined ? state : JSON.stringify({ kept });
			try {
				const client = await web.impatient(server);
				// Side by side: Slack does not wait for the store.
				await Promise.all([
					client.views.open({ trigger_id: trigger, view: modalOf(form, metadata, t) }),
					kept !== undefined && keyv.set(kept, state, KEPT_MS),
				]);
			} catch (error) {
				throw refusalOf(error);
			}
		},

		/** Undefined when it is not kept any more. */
		async stateOf({ private_metadata }: Pick<ViewOutput, 'private_metadata'>): Promise<FormState | undefined> {
			const inside = JSON.parse(private_metadata || '{}') as FormState | { kept: string };
			if (!('kept' in inside)) return 'command' in inside ? inside : undefined;
			const state = await keyv.get<string>(inside.kept);
			return state === undefined ? undefined : (JSON.parse(state) as FormState);
		},
	};
}
