import type { Options, SeenMessage } from '../../test-user.ts';
import { suggestions } from '../block-kit/objects.ts';
import type { Ack, Parcel, Slack } from '../context.ts';
import { secret } from '../ids.ts';
import { checkedView, createView, replaceView } from '../web-api/methods/views.ts';
import { notice } from '../world/messages.ts';
import type { Channel, Json, User, View } from '../world/model.ts';
import { escaped, written } from '../world/mrkdwn.ts';
import { filled, formOf, type Input, type Option, toBeSuggested } from './form-inputs.ts';
import { slashCommand, submission, suggestion } from './payloads.ts';
import { answer, createTrigger } from './triggers.ts';

/** Where somebody does something. */
type Spot = { channel: Channel; threadTs?: string | undefined };

/** What one person does with the application, and the form that comes of it. */
export function createActs(slack: Slack, deliveries: Map<string, Parcel>, user: User) {
	const { delivery: post } = slack;
	const { team } = user;
	let opened: View | undefined;
	/** What forms complained of, as this person saw it. */
	const complaints: SeenMessage[] = [];

	async function send(parcel: Parcel, delivery?: string): Promise<Ack> {
		if (!post.reachable()) throw new Error('The application is not connected');
		const whole = { ...parcel, envelope: secret('') };
		if (delivery !== undefined) deliveries.set(delivery, whole);
		return post.deliver(whole);
	}

	/** Whether this was delivered before; if so it is once more. */
	function again(delivery: string | undefined): boolean {
		const parcel = delivery === undefined ? undefined : deliveries.get(delivery);
		if (parcel) void post.deliver(parcel);
		return parcel !== undefined;
	}

	/** A slash command as it is typed. */
	async function slash(
		home: Channel,
		line: string,
		{ delivery, onForm }: { delivery?: string | undefined; onForm?: (view: View) => void } = {},
	): Promise<void> {
		if (again(delivery)) return;
		const [command = '', ...rest] = line.split(' ');
		const declared = slack.manifest.features?.slash_commands?.find((one) => one.command === command);
		if (!declared) throw new Error(`${command} is not a valid command`);
		const trigger = createTrigger(slack, user, {
			opened(view) {
				opened = view;
				onForm?.(view);
			},
		});
		const typed = rest.join(' ').trim();
		const text = declared.should_escape ? written(typed, team, true) : escaped(typed);
		const payload = slashCommand(slack, trigger, home, command, text);
		const ack = await send({ kind: 'slash_commands', payload, name: command }, delivery);
		if (!ack.ok) return void notice(slack, home, user, `${command} failed with the error "operation_timeout"`);
		const body = ack.body as Json | undefined;
		if (body && (body['text'] || body['blocks'])) answer(slack, { user, channel: home }, body);
	}

	async function interact(payload: Json, name: string, place: Spot | undefined, delivery?: string) {
		const ack = await send({ kind: 'interactive', payload, name }, delivery);
		if (!ack.ok && place)
			notice(slack, place.channel, user, 'This app did not respond. Please try again.', place.threadTs);
		return ack;
	}

	const opens = (view: View) => {
		opened = view;
	};

	async function submit(view: View, options: Options): Promise<void> {
		const suggested: Record<string, Option[]> = {};
		for (const { input, value } of toBeSuggested(view, options))
			suggested[input.name] = await suggest(view, input, value);
		const state = filled(slack, view, user, options, suggested);
		view.state = state;
		const trigger = createTrigger(slack, user, { opened: opens, view });
		if (opened === view) opened = undefined;
		const ack = await interact(submission(slack, trigger, view, state), `the form ${formOf(view).title}`, undefined);
		if (!ack.ok) return complain(view, { '': 'We had some trouble connecting. Try again?' });
		react(view, (ack.body ?? {}) as Json);
	}

	/** What the application offers to choose from, when nothing is typed into a list of its own; else what fits that. */
	async function suggest(view: View, input: Input, value: string): Promise<Option[]> {
		const typed = value.slice(0, Number(input.element['min_query_length'] ?? 3));
		const payload = suggestion(slack, user, view, input, typed);
		const { body } = await send({ kind: 'interactive', payload, name: `the choices of ${input.name}` });
		const read = suggestions.safeParse(body);
		if (read.success) return read.data.options as Option[];
		slack.violate(`the choices of ${input.name} are ${JSON.stringify(body)}`);
		return [];
	}

	/** What the application answers to a form that was sent. https://docs.slack.dev/surfaces/modals#handling_submissions */
	function react(view: View, body: Json): void {
		const action = body['response_action'];
		if (action === 'errors') return void complain(view, body['errors'] as Record<string, string>);
		if (action === 'update' || action === 'push') {
			const data = checkedView(slack, team, body['view'], 'modal');
			if (action === 'push') opened = createView(slack, user, data, view);
			else replaceView(slack, view, data);
			opened ??= view;
			return;
		}
		if (action !== undefined && action !== 'clear') slack.violate(`a form was answered with ${action}`);
		if (action !== 'clear') opened ??= view.previous;
	}

	function complain(view: View, errors: Record<string, string>): void {
		const known = view.data.blocks.filter(({ type }) => type === 'input').map(({ block_id }) => block_id);
		for (const id of Object.keys(errors))
			if (id && !known.includes(id)) slack.violate(`an error was given for ${id}, which is no input of the form`);
		view.errors = errors;
		opened = view;
		const text = Object.entries(errors).map(([id, error]) => (id ? `\`${id}\`: ${error}` : error));
		const id = `form:${slack.ids.ts()}`;
		complaints.push({ id, text: text.join('\n'), pictures: [], files: [], buttons: [], private: true });
	}

	return {
		/** The form that is open. */
		opened: () => opened,
		opens,
		complaints,
		again,
		slash,
		interact,
		submit,
		/** Puts the form away, and says which it was. */
		putAway(): View | undefined {
			const view = opened;
			opened = undefined;
			return view;
		},
	};
}
