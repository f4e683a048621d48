import type { App, ViewSubmitAction } from '@slack/bolt';
import type { Forms } from '../forms/forms.ts';
import { readForm } from '../forms/modal-answers.ts';
import { FORM } from '../forms/modal-view.ts';
import { serverOf } from '../transport/app.ts';
import { type ActionContext, type ActionContexts, askedOf } from './action-context.ts';
import type { SlackServices } from './services.ts';

/** Forms that are sent, and the user groups that are offered in them. */
export function registerSubmissions(app: App, parts: SlackServices, forms: Forms, acts: ActionContexts): void {
	const { people, uploads, seen } = parts;
	const { answered, invoke, translator } = acts;

	app.view({ type: 'view_submission', callback_id: FORM }, async ({ body, view, ack, context }) => {
		const server = serverOf(context);
		const asked = askedOf(body as ViewSubmitAction);
		const t = translator(server, asked.user);
		const state = await forms.stateOf(view);
		const answers = readForm(view, state?.least ?? {}, t);
		if (Object.keys(answers.errors).length > 0) return ack({ response_action: 'errors', errors: answers.errors });
		if (!state)
			return ack({
				response_action: 'errors',
				errors: gone(view, t('errors.closedForm')),
			});
		await ack();
		const { place, command, form, attached = [], responseUrl } = state;
		const act: ActionContext = { server, asked: { ...asked, ...(responseUrl && { responseUrl }) }, place, t };
		// A form is sent once, and then gone.
		const id = `f-${view.id}`;
		await answered(act, id, async (inbox) => {
			if (place.server !== server) throw new Error('A form is of another workspace');
			if (!(await seen.first(`${server}:${id}`))) return;
			const pictures = Object.entries(answers.files).map(([name, file]) => [name, uploads.upload(server, file)]);
			await invoke(act, inbox, id, {
				command,
				options: { ...answers.values, ...Object.fromEntries(pictures) },
				...(form !== undefined && { form, attached: attached.map((file) => uploads.upload(server, { id: file })) }),
			});
		});
	});

	app.options(/.*/, async ({ options, body, ack, context }) => {
		const typed = options.value.trim().toLowerCase();
		const groups = await people.groups(serverOf(context), [body.team?.id ?? body.user.team_id ?? '']);
		const found = groups.filter(({ handle }) => handle.toLowerCase().includes(typed)).slice(0, MAX_OPTIONS);
		await ack({
			options: found.map(({ id, handle }) => ({
				text: { type: 'plain_text' as const, text: `@${handle}` },
				value: id,
			})),
		});
	});
}

/** What is wrong with a whole form stands at its first input. */
function gone({ blocks }: ViewSubmitAction['view'], sentence: string): Record<string, string> {
	const [first] = blocks.filter(({ type }) => type === 'input');
	return { [first?.block_id ?? '']: sentence };
}

/** https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#external_select */
const MAX_OPTIONS = 100;
