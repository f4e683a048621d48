import type { Options, SeenMessage } from '../../test-user.ts';
import { suggestions } from '../block-kit/objects.ts';
import type { Slack } from '../context.ts';
import { checkedView, createView, replaceView } from '../web-api/methods/views.ts';
import type { Json, User, View } from '../world/model.ts';
import type { ActionSender } from './action-sender.ts';
import { formOf } from './form.ts';
import { externalSelects, type Input, type Option, submittedState } from './form-state.ts';
import { submission, suggestion } from './payloads.ts';
import { createTrigger } from './triggers.ts';

/** The modals of one person: what is open, what is submitted, and the errors that come back. */
export class FormClient {
	readonly #slack: Slack;
	readonly #user: User;
	readonly #sender: ActionSender;
	#opened: View | undefined;
	/** The errors of forms, as messages that only this person sees. */
	readonly errors: SeenMessage[] = [];

	constructor(slack: Slack, user: User, sender: ActionSender) {
		this.#slack = slack;
		this.#user = user;
		this.#sender = sender;
	}

	/** The open form. */
	get opened(): View | undefined {
		return this.#opened;
	}

	/** Shows a form. */
	open(view: View): void {
		this.#opened = view;
	}

	/** Closes the open form, and returns it. */
	close(): View | undefined {
		const view = this.#opened;
		this.#opened = undefined;
		return view;
	}

	async submit(view: View, options: Options): Promise<void> {
		const suggested: Record<string, Option[]> = {};
		for (const { input, value } of externalSelects(view, options))
			suggested[input.name] = await this.#suggest(view, input, value);
		const state = submittedState(this.#slack, view, this.#user, options, suggested);
		view.state = state;
		const trigger = createTrigger(this.#slack, this.#user, { opened: (next) => this.open(next), view });
		if (this.#opened === view) this.#opened = undefined;
		const payload = submission(this.#slack, trigger, view, state);
		const ack = await this.#sender.interact(payload, `the form ${formOf(view).title}`);
		if (ack.ok) this.#respond(view, (ack.body ?? {}) as Json);
		else this.#showErrors(view, { '': 'We had some trouble connecting. Try again?' });
	}

	/** Returns the options that the application offers in a menu of its own, for as much text as the menu requires. */
	async #suggest(view: View, input: Input, value: string): Promise<Option[]> {
		const typed = value.slice(0, Number(input.element['min_query_length'] ?? 3));
		const payload = suggestion(this.#slack, this.#user, view, input, typed);
		const { body } = await this.#sender.send({ kind: 'interactive', payload, name: `the options of ${input.name}` });
		const read = suggestions.safeParse(body);
		// https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload
		if (read.success) return read.data.options as Option[];
		this.#slack.violate(`the options of ${input.name} are ${JSON.stringify(body)}`);
		return [];
	}

	/** Applies the response to a submission. https://docs.slack.dev/surfaces/modals#handling_submissions */
	#respond(view: View, body: Json): void {
		const action = body['response_action'];
		if (action === 'errors') {
			this.#showErrors(view, body['errors'] as Record<string, string>);
			return;
		}
		if (action === 'update' || action === 'push') {
			const data = checkedView(this.#slack, this.#user.team, body['view'], 'modal');
			if (action === 'push') this.#opened = createView(this.#slack, this.#user, data, view.team, view);
			else replaceView(this.#slack, view, data);
			this.#opened ??= view;
			return;
		}
		if (action !== undefined && action !== 'clear') this.#slack.violate(`a form was answered with ${action}`);
		if (action !== 'clear') this.#opened ??= view.previous;
	}

	/** Opens the form again, with errors by block id. */
	#showErrors(view: View, errors: Record<string, string>): void {
		const known = view.data.blocks.filter(({ type }) => type === 'input').map(({ block_id }) => block_id);
		for (const id of Object.keys(errors))
			if (id && !known.includes(id)) this.#slack.violate(`an error names ${id}, which is not an input of the form`);
		view.errors = errors;
		this.#opened = view;
		const text = Object.entries(errors).map(([id, error]) => (id ? `\`${id}\`: ${error}` : error));
		const id = `form:${this.#slack.ids.ts()}`;
		this.errors.push({ id, text: text.join('\n'), pictures: [], files: [], buttons: [], private: true });
	}
}
