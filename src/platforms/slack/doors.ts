import { createHash } from 'node:crypto';
import type { App, BlockAction, ButtonAction, MessageShortcut, SlashCommand, ViewSubmitAction } from '@slack/bolt';
import type { Handle, Inbox, Place, Press } from '../../bot/platform.ts';
import { Refused } from '../../bot/refusal.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { commandIn, helpOf } from './called-command.ts';
import { readForm } from './form-answers.ts';
import { FORM, tooLongIn } from './form-view.ts';
import { createForms } from './forms.ts';
import { isPrivate } from './mentioned-command.ts';
import { type Asked, type FileData, type Parts, serverOf } from './parts.ts';
import { createPressed, placeIn, threadOf } from './pressed-message.ts';
import { readSlashText } from './slash-text.ts';

/** Buttons in a row that people don't press: links, and whatever opens something by itself. */
const isOurs = (action: BlockAction['actions'][number]): action is ButtonAction =>
	action.type === 'button' && !(action as ButtonAction).url;

/** What Slack sends with whatever somebody does. */
type Event = { server: string; asked: Asked; place: Place; t: Translate };

/** Slash commands, buttons, message shortcuts and forms, as the core takes them. Each is acknowledged before anything else. */
export function registerDoors(app: App, parts: Parts): void {
	const { web, keyv, channels, people, uploads, seen, commands, log } = parts;
	const forms = createForms({ web, keyv });
	const pressed = createPressed(parts);

	const translator = (server: string, user: string) => translatorFor(people.known(server, user)?.person.locale);

	/** Direct messages with the bot are no channel; those of other people are, into which it can't look. */
	async function placeOf({ server, asked, place }: Pick<Event, 'server' | 'asked' | 'place'>): Promise<Place> {
		if (!place.channel.startsWith('D') || place.direct) return place;
		const direct = await channels.direct({ platform: 'slack', server, channel: '' }, { id: asked.user });
		return direct?.place.channel === place.channel ? { ...place, direct: true } : place;
	}

	/** Says something to one person, where nothing else comes of what they did. */
	async function tell({ place, asked }: Pick<Event, 'place' | 'asked'>, id: string, text: string): Promise<void> {
		await channels.channel(place, asked).post({ text, visibility: 'private' }, id);
	}

	/** Runs what comes after the acknowledgement: whatever is thrown becomes a sentence. */
	async function answered(event: Event, id: string, work: (inbox: Inbox) => Promise<void>): Promise<void> {
		const { t } = event;
		try {
			const inbox = parts.inbox();
			if (!inbox) return await tell(event, id, t('Easel is being restarted; ask again in a minute.'));
			await work(inbox);
		} catch (error) {
			if (!(error instanceof Refused))
				log.error({ err: error }, 'Something that was done in Slack could not be answered');
			const text =
				error instanceof Refused
					? error.said(t)
					: t('Something went wrong in Easel; nothing was counted. Try once more.');
			await tell(event, id, text).catch((failure: unknown) =>
				log.warn({ err: failure }, 'An answer could not be posted'),
			);
		}
	}

	async function invoke(
		event: Event,
		inbox: Inbox,
		id: string,
		invocation: Pick<Parameters<Inbox['invoke']>[0], 'command' | 'options' | 'form' | 'attached'>,
	): Promise<void> {
		const { server, asked } = event;
		const [person, place] = await Promise.all([people.person(server, asked.user), placeOf(event)]);
		const channel = channels.channel(place, { ...asked, inDirect: isPrivate(invocation.options) });
		await inbox.invoke({ id, person, channel, ...invocation });
	}

	app.command(/.*/, async ({ command, ack, context }) => {
		await ack();
		const server = serverOf(context);
		const event = eventOf(server, command, translator(server, command.user_id));
		const id = `s-${digest(command.trigger_id)}`;
		await answered(event, id, (inbox) => slash(event, id, command, inbox));
	});

	async function slash(
		event: Event,
		id: string,
		{ command, text, trigger_id }: SlashCommand,
		inbox: Inbox,
	): Promise<void> {
		const { server, asked, place, t } = event;
		const called = commandIn(commands, command.replace(/^\//, ''), text ?? '');
		const say = async (sentence: (t: Translate) => string) => {
			if (!(await seen.first(`${server}:${id}`))) return;
			const { locale } = await people.person(server, asked.user);
			await tell(event, id, sentence(translatorFor(locale)));
		};
		if ('group' in called) return say((own) => helpOf(commands, called, own));
		const { description, name, rest } = called;
		const fields = description?.fields ?? [];
		const { options, left, unclear } = readSlashText(fields, rest);
		const missing = fields.some((field) => field.required && !(field.name in options));
		const asksForm = fields.length > 0 && (missing || left !== '' || unclear.length > 0);
		const mayNot = description?.moderators && people.known(server, asked.user)?.person.moderator === false;
		if (asksForm && !mayNot) {
			const tooLong = tooLongIn(fields, options);
			if (tooLong) return say((own) => own('`{option}` has {count} characters; at most {most} are allowed.', tooLong));
			const note = unclear.map((option) => t('`{option}` is chosen in the form.', { option })).join(' ');
			const form = { command: name, title: `/${name}`, fields, values: options, ...(note && { note }) };
			const about = { place, ...(asked.responseUrl && { responseUrl: asked.responseUrl }) };
			const shownIn = await forms.open(server, trigger_id, form, about, t);
			// Slack does not wait for what it has to be asked itself; language and rights are also needed when the form comes back.
			const own = translatorFor((await people.person(server, asked.user)).locale);
			if (own.language !== t.language)
				await shownIn(own).catch((error: unknown) => log.debug({ err: error }, 'A form is shown in English'));
			return;
		}
		if (await seen.first(`${server}:${id}`)) await invoke(event, inbox, id, { command: name, options });
	}

	app.action(/.*/, async ({ body, action, ack, context }) => {
		await ack();
		const block = body as BlockAction;
		if (block.type !== 'block_actions' || !isOurs(action as BlockAction['actions'][number])) return;
		const { value, action_id, action_ts } = action as ButtonAction;
		const server = serverOf(context);
		const asked = { ...askedOf(block), responseUrl: block.response_url };
		const id = `b-${digest(`${block.trigger_id}:${action_ts}`)}`;
		const { place, ts } = await pressed.spotOf(server, asked, block);
		const event: Event = { server, asked, place, t: translator(server, asked.user) };
		await answered(event, id, async (inbox) => {
			const button = value || action_id;
			if (button.startsWith('show:')) return show(event, id, button);
			const { message, container } = block;
			const attached = await pressed.picturesOf(message);
			// What one person saw for the moment is reached by this very pressing alone.
			const handle: Handle = container['is_ephemeral']
				? { place, key: ts, data: { channel: place.channel, responseUrl: block.response_url } }
				: await channels.handleOf(place, ts);
			await press(event, inbox, id, { button, message: handle, trigger: block.trigger_id, attached });
		});
	});

	async function show(event: Event, id: string, button: string): Promise<void> {
		const place = await placeOf(event);
		if (!(await seen.first(`${event.server}:${id}`))) return;
		if (!(await channels.uncover(button, place, event.asked, id)))
			await tell(event, id, event.t('This picture is no longer kept.'));
	}

	app.shortcut({ type: 'message_action', callback_id: /.*/ }, async ({ shortcut, ack, context }) => {
		await ack();
		const { callback_id, message, channel, trigger_id, response_url } = shortcut as MessageShortcut;
		const server = serverOf(context);
		const asked = { ...askedOf(shortcut as MessageShortcut), responseUrl: response_url };
		const place = placeIn(server, channel.id, threadOf(message));
		const event: Event = { server, asked, place, t: translator(server, asked.user) };
		const id = `m-${digest(trigger_id)}`;
		await answered(event, id, async (inbox) => {
			const attached = await pressed.picturesOf(message);
			const handle = await channels.handleOf(place, message.ts);
			await press(event, inbox, id, { button: callback_id, message: handle, trigger: trigger_id, attached });
		});
	});

	async function press(
		event: Event,
		inbox: Inbox,
		id: string,
		{
			button,
			message,
			trigger,
			attached,
		}: Pick<Press, 'button' | 'message'> & { trigger: string; attached: FileData[] },
	): Promise<void> {
		const { server, asked } = event;
		const [person, place] = await Promise.all([people.person(server, asked.user), placeOf(event)]);
		if (!(await seen.first(`${server}:${id}`))) return;
		await inbox.press({
			...{ id, button, person },
			message: { ...message, place: { ...message.place, ...(place.direct && { direct: true }) } },
			channel: channels.channel(place, asked),
			attached: attached.map((file) => uploads.upload(server, file)),
			async open({ id: form, ...shown }) {
				const about = {
					...{ place, form, attached: attached.map((file) => file.id) },
					...(asked.responseUrl && { responseUrl: asked.responseUrl }),
				};
				await forms.open(server, trigger, shown, about, translatorFor(person.locale));
			},
		});
	}

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
				errors: gone(view, t('This form is no longer open; please start again.')),
			});
		await ack();
		const { place, command, form, attached = [], responseUrl } = state;
		const event: Event = { server, asked: { ...asked, ...(responseUrl && { responseUrl }) }, place, t };
		// A form is sent once, and then gone.
		const id = `f-${view.id}`;
		await answered(event, id, async (inbox) => {
			if (place.server !== server) throw new Error('A form is of another workspace');
			if (!(await seen.first(`${server}:${id}`))) return;
			const pictures = Object.entries(answers.files).map(([name, file]) => [name, uploads.upload(server, file)]);
			await invoke(event, inbox, id, {
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

const askedOf = ({ user, team }: Pick<BlockAction | MessageShortcut | ViewSubmitAction, 'user' | 'team'>): Asked => ({
	user: user.id,
	team: user.team_id ?? team?.id ?? '',
});

function eventOf(server: string, { user_id, team_id, channel_id, response_url }: SlashCommand, t: Translate): Event {
	const asked = { user: user_id, team: team_id, responseUrl: response_url };
	return { server, asked, place: placeIn(server, channel_id), t };
}

/** Slack's proof that somebody did something is of any length, and the same when it is delivered twice. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 32);
