import { randomUUID } from 'node:crypto';
import { type ViewOutput, webApi } from '@slack/bolt';
import type { Keyv } from 'keyv';
import { PlatformRefusedError } from '../../../bot/messages/refused-error.ts';
import type { Form } from '../../../domain/command.ts';
import type { Place } from '../../../domain/place.ts';
import type { Translate } from '../../../i18n/translator.ts';
import { codeOf, refusedErrorOf } from '../api/slack-errors.ts';
import type { Web } from '../api/web.ts';
import { modalOf } from './modal-view.ts';

/** https://docs.slack.dev/reference/views/modal-views */
const MAX_METADATA = 3000;
/** A form left open longer can't be sent any more. */
const KEPT_MS = 24 * 3600 * 1000;

/** Pictures that somebody chooses from, as far as one can look over them. */
const MOST_SHOWN = 10;
/** https://docs.slack.dev/reference/methods/views.open#errors */
const NOT_SHOWN: ReadonlySet<string> = new Set(['invalid_arguments', 'invalid_blocks', 'view_too_large']);

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
		 * @returns what shows it in another language; what is filled in by then stays
		 */
		async open(
			server: string,
			trigger: string,
			form: Omit<Form, 'id'>,
			about: Omit<FormState, 'least' | 'command'>,
			t: Translate,
		): Promise<(own: Translate) => Promise<void>> {
			const least = Object.fromEntries(
				form.fields.flatMap((field) => (field.kind === 'choices' ? [[field.name, field.min]] : [])),
			);
			const state = JSON.stringify({ ...about, command: form.command, least } satisfies FormState);
			const kept = state.length > MAX_METADATA ? `form:${randomUUID()}` : undefined;
			const metadata = kept === undefined ? state : JSON.stringify({ kept });
			const chooses = form.fields.some(
				({ name, kind }) => name === 'which' && (kind === 'choice' || kind === 'choices'),
			);
			try {
				const client = await web.of(server);
				const show = async (pictures: readonly string[]) => {
					const { view } = await client.views.open({
						trigger_id: trigger,
						view: modalOf(form, metadata, t, pictures),
					});
					return async (own: Translate) => {
						if (!view?.id) return;
						await client.views.update({ view_id: view.id, view: modalOf(form, metadata, own, pictures) });
					};
				};
				const withPictures = async () => {
					const pictures = chooses ? (about.attached ?? []).slice(0, MOST_SHOWN) : [];
					if (pictures.length === 0) return show([]);
					// Of some kinds, such as WebP, Slack shows nothing in a form, and refuses the whole of it.
					return show(pictures).catch((error: unknown) => {
						if (!NOT_SHOWN.has(codeOf(error) ?? '')) throw error;
						return show([]);
					});
				};
				// Side by side: Slack does not wait for the store.
				const [shown] = await Promise.all([withPictures(), kept !== undefined && keyv.set(kept, state, KEPT_MS)]);
				return shown;
			} catch (error) {
				// Nobody waits for a form as long as Slack says to.
				if (error instanceof webApi.WebAPIRateLimitedError)
					throw new PlatformRefusedError('slack.errors.formExpired', undefined, {
						cause: error,
					});
				throw refusedErrorOf(error);
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
