import type { App, ViewSubmitAction } from '@slack/bolt';
import type { Log } from '../../../../log.ts';
import { failureMessageOf } from '../../../shared/failure-message.ts';
import { readAnswers } from '../../forms/form-answers.ts';
import type { Forms } from '../../forms/forms.ts';
import { FORM_CALLBACK_ID } from '../../forms/modal-view.ts';
import type { People } from '../../people/people.ts';
import { serverOf } from '../../transport/app.ts';
import type { Dedupe } from '../dedupe.ts';
import type { IncomingFiles } from '../files/incoming-files.ts';
import { requesterOf } from './action-context.ts';
import type { ActionRunner } from './action-runner.ts';

type FormSubmissionOptions = {
	runner: ActionRunner;
	forms: Forms;
	people: People;
	files: IncomingFiles;
	dedupe: Dedupe;
	log: Log;
};

/** Registers the listener for submitted forms. Invalid answers are returned with the acknowledgement, which keeps the form open. */
export function registerFormSubmissions(app: App, options: FormSubmissionOptions): void {
	const { runner, forms, people, files, dedupe, log } = options;
	app.view(
		{ type: 'view_submission', callback_id: FORM_CALLBACK_ID },
		async ({ body, view, ack, context: delivery }) => {
			const server = serverOf(delivery);
			const requester = requesterOf(body as ViewSubmitAction);
			const t = people.translator(server, requester.user);
			const state = await forms.stateOf(view).catch((error: unknown) => {
				log.error({ err: error }, 'The state of a form could not be read');
				return { failure: failureMessageOf(error) };
			});
			if (state && 'failure' in state)
				return ack({ response_action: 'errors', errors: atFirstInput(view, t(state.failure)) });
			const answers = readAnswers(view, state?.least ?? {}, t);
			if (Object.keys(answers.errors).length > 0) return ack({ response_action: 'errors', errors: answers.errors });
			if (!state) return ack({ response_action: 'errors', errors: atFirstInput(view, t('errors.expired.form')) });
			await ack();
			const { place, command, form, attached = [], responseUrl } = state;
			// A form can be submitted successfully only once.
			const id = `f-${view.id}`;
			// Other forms were opened by buttons.
			const isCommand = form === undefined && ({ isCommand: true } as const);
			const context = {
				...{ id, server, place, t },
				requester: { ...requester, ...(responseUrl && { responseUrl, ...isCommand }) },
			};
			await runner.run(context, async (inbox) => {
				if (place.server !== server) throw new Error('A form belongs to another workspace');
				if (!(await dedupe.first(`${server}:${id}`))) return;
				const pictures = Object.entries(answers.files).map(([name, file]) => [name, files.upload(server, file)]);
				await runner.invoke(context, inbox, {
					command,
					options: { ...answers.values, ...Object.fromEntries(pictures) },
					...(form !== undefined && { form, attached: attached.map((file) => files.upload(server, { id: file })) }),
				});
			});
		},
	);
}

/** Returns an error about the whole form. Slack shows errors only at inputs, so that it is at the first one. */
function atFirstInput({ blocks }: ViewSubmitAction['view'], sentence: string): Record<string, string> {
	const [first] = blocks.filter(({ type }) => type === 'input');
	return { [first?.block_id ?? '']: sentence };
}
