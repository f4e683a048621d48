import type { App, BlockAction, ButtonAction, MessageShortcut } from '@slack/bolt';
import { parseActionId } from '../../../domain/action-id.ts';
import type { MessageHandle } from '../../../domain/place.ts';
import type { Inbox } from '../../../domain/platform.ts';
import type { ButtonPress } from '../../../domain/requests.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Forms } from '../forms/forms.ts';
import { SHOW } from '../outbound/post-reply.ts';
import { serverOf } from '../transport/app.ts';
import { type ActionContext, type ActionContexts, askedOf, digest } from './action-context.ts';
import { createActionMessages, placeIn, threadOf } from './action-message.ts';
import type { SlackServices } from './services.ts';
import type { FileData } from './uploads.ts';

/** Buttons in a row that people don't press: links, and whatever opens something by itself. */
const isOurs = (action: BlockAction['actions'][number]): action is ButtonAction =>
	action.type === 'button' && !(action as ButtonAction).url;

/** Buttons, and the entries of the menu that every message has. */
export function registerActions(app: App, parts: SlackServices, forms: Forms, acts: ActionContexts): void {
	const { channels, people, uploads, seen } = parts;
	const { answered, tell, placeOf, translator } = acts;
	const pressed = createActionMessages(parts);

	app.action(/.*/, async ({ body, action, ack, context }) => {
		await ack();
		const block = body as BlockAction;
		if (block.type !== 'block_actions' || !isOurs(action as BlockAction['actions'][number])) return;
		const { value, action_id, action_ts } = action as ButtonAction;
		const server = serverOf(context);
		const asked = { ...askedOf(block), responseUrl: block.response_url };
		const id = `b-${digest(`${block.trigger_id}:${action_ts}`)}`;
		const { place, ts } = await pressed.spotOf(server, asked, block);
		const act: ActionContext = { server, asked, place, t: translator(server, asked.user) };
		await answered(act, id, async (inbox) => {
			const button = value || action_id;
			if (parseActionId(button)?.action === SHOW.action) return show(act, id, button);
			const { message, container } = block;
			const attached = await pressed.picturesOf(message);
			// What one person saw for the moment is reached by this very pressing alone.
			const handle: MessageHandle = container['is_ephemeral']
				? { place, key: ts, data: { channel: place.channel, responseUrl: block.response_url } }
				: await channels.handleOf(place, ts);
			await press(act, inbox, id, { button, message: handle, trigger: block.trigger_id, attached });
		});
	});

	async function show(act: ActionContext, id: string, button: string): Promise<void> {
		const place = await placeOf(act);
		if (!(await seen.first(`${act.server}:${id}`))) return;
		if (!(await channels.uncover(button, place, act.asked, id))) await tell(act, id, act.t('slack.errors.expired'));
	}

	app.shortcut({ type: 'message_action', callback_id: /.*/ }, async ({ shortcut, ack, context }) => {
		await ack();
		const { callback_id, message, channel, trigger_id, response_url } = shortcut as MessageShortcut;
		const server = serverOf(context);
		const asked = { ...askedOf(shortcut as MessageShortcut), responseUrl: response_url };
		const place = placeIn(server, channel.id, threadOf(message));
		const act: ActionContext = { server, asked, place, t: translator(server, asked.user) };
		const id = `m-${digest(trigger_id)}`;
		await answered(act, id, async (inbox) => {
			const attached = await pressed.picturesOf(message);
			const handle = await channels.handleOf(place, message.ts);
			await press(act, inbox, id, { button: callback_id, message: handle, trigger: trigger_id, attached });
		});
	});

	async function press(
		act: ActionContext,
		inbox: Inbox,
		id: string,
		{
			button,
			message,
			trigger,
			attached,
		}: Pick<ButtonPress, 'button' | 'message'> & { trigger: string; attached: FileData[] },
	): Promise<void> {
		const { server, asked } = act;
		const [person, place] = await Promise.all([people.person(server, asked.user), placeOf(act)]);
		if (!(await seen.first(`${server}:${id}`))) return;
		await inbox.press({
			id,
			button,
			person,
			message: { ...message, place: { ...message.place, ...(place.direct && { direct: true }) } },
			channel: channels.channel(place, asked),
			attached: attached.map((file) => uploads.upload(server, file)),
			async open({ id: form, ...shown }) {
				const about = {
					place,
					form,
					attached: attached.map((file) => file.id),
					...(asked.responseUrl && { responseUrl: asked.responseUrl }),
				};
				await forms.open(server, trigger, shown, about, translatorFor(person.locale));
			},
		});
	}
}
