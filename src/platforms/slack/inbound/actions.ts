import type { App, BlockAction, ButtonAction, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
import { isPicture } from '../../../domain/channel.ts';
import { COMPOSE_IMAGES, EDIT_IMAGE } from '../../../domain/command.ts';
import type { MessageHandle, Place } from '../../../domain/place.ts';
import type { Inbox, Invocation } from '../../../domain/platform.ts';
import { oneLine } from '../../../domain/text.ts';
import { PlatformRefusedError } from '../../../i18n/sentence-error.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import { failureMessageOf } from '../../shared/failure-message.ts';
import { readAnswers } from '../forms/form-answers.ts';
import { choosesPictures, FORM_CALLBACK_ID } from '../forms/forms.ts';
import { isShowButton } from '../outbound/covered-pictures.ts';
import type { SlackRequester } from '../outbound/slack-requester.ts';
import { serverOf } from '../transport/app.ts';
import { digest, type Inbound, placeIn, requesterOf, type SlackActionContext, threadOf } from './context.ts';
import type { SlackFile } from './files.ts';
import { type Readable, shownFiles } from './message-reader.ts';

/** https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element#external_select */
const MAX_OPTIONS = 100;

/** https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
const MAX_OPTION = 75;

/**
 * Stores an action, acknowledges it, and then runs it. Never rejects: the requester gets a sentence about what failed.
 *
 * @param action may lack the place, which is then found once the action is acknowledged: the direct messages with the requester
 */
export async function runAction(
	inbound: Inbound,
	action: Omit<SlackActionContext, 't' | 'place'> & { place?: Place | undefined },
	acknowledge: () => Promise<void>,
	work: (inbox: Inbox, context: SlackActionContext) => Promise<void>,
): Promise<void> {
	const { inbox: currentInbox, people, asked, log } = inbound;
	const { server, requester } = action;
	const t = people.translator(server, requester.user);
	await asked.store({ ...action, place: action.place ?? placeIn(server, requester.user) });
	await acknowledge();
	const context = { ...action, t, place: action.place ?? (await homeOf(inbound, server, requester)) };
	try {
		const inbox = currentInbox();
		if (inbox) await work(inbox, context);
		else await replyTo(inbound, context, t('slack.errors.restarting'));
	} catch (error) {
		if (!(error instanceof PlatformRefusedError)) log.error({ err: error }, 'An action failed');
		const sentence = error instanceof PlatformRefusedError ? error.messageIn(t) : t(failureMessageOf(error));
		await replyTo(inbound, context, sentence).catch((failure: unknown) =>
			log.warn({ err: failure }, 'The reply to a failed action could not be posted'),
		);
	}
	await asked.answered(context.id);
}

/** Posts a private reply. */
export async function replyTo({ channels }: Inbound, context: SlackActionContext, text: string): Promise<void> {
	const { id, place, requester } = context;
	await channels.channel(place, requester).post({ text, visibility: 'private' }, id, { withoutStore: true });
}

/** Hands a command to the core. */
export async function invokeCommand(
	inbound: Inbound,
	context: SlackActionContext,
	inbox: Inbox,
	invocation: Pick<Invocation, 'command' | 'options' | 'form' | 'attached'>,
): Promise<void> {
	const { people, channels, asked } = inbound;
	const { id, server, requester } = context;
	const [person, place] = await Promise.all([people.person(server, requester.user), resolvePlace(inbound, context)]);
	const channel = channels.channel(place, { ...requester, needsDirectMessage: isPrivate(invocation.options) });
	await inbox.invoke({ id, person, channel: asked.answeredIn(id, channel), ...invocation });
}

/** Returns whether options ask for a private reply. */
export const isPrivate = (options: Readonly<Record<string, unknown>>): boolean =>
	options['private'] === true || /^(?:true|yes)$/i.test(String(options['private'] ?? ''));

/** Returns the place of an action, marked as direct if it is the direct messages with the bot, and not those of other people. */
async function resolvePlace(
	{ channels }: Pick<Inbound, 'channels'>,
	{ server, requester, place }: SlackActionContext,
): Promise<Place> {
	if (!place.channel.startsWith('D') || place.direct) return place;
	const direct = await channels.direct({ platform: 'slack', server, channel: '' }, { id: requester.user });
	return direct?.place.channel === place.channel ? { ...place, direct: true } : place;
}

/** Registers the listeners for buttons, message shortcuts and forms. What is asked is stored, and then acknowledged. */
export function registerActions(app: App, inbound: Inbound): void {
	const { people } = inbound;
	app.action(/.*/, async ({ body, action, ack, context }) => {
		const block = body as BlockAction;
		if (block.type === 'block_actions' && isButton(action as BlockAction['actions'][number]))
			await pressButton(inbound, serverOf(context), block, action as ButtonAction, ack);
		else await ack();
	});
	app.shortcut({ type: 'message_action', callback_id: /.*/ }, async ({ shortcut, ack, context }) =>
		chooseShortcut(inbound, serverOf(context), shortcut as MessageShortcut, ack),
	);
	app.view({ type: 'view_submission', callback_id: FORM_CALLBACK_ID }, async ({ body, ack, context }) =>
		submitForm(inbound, serverOf(context), body as ViewSubmitAction, ack as Acknowledge),
	);
	// Slack requests the options of menus of user groups from the app.
	app.options(/.*/, async ({ options, body, ack, context }) => {
		const typed = options.value.trim().toLowerCase();
		const groups = await people.groups(serverOf(context), [body.team?.id ?? body.user.team_id ?? '']);
		const found = groups.filter(({ handle }) => handle.toLowerCase().includes(typed)).slice(0, MAX_OPTIONS);
		await ack({
			options: found.map(({ id, handle }) => ({
				text: { type: 'plain_text' as const, text: oneLine(`@${handle}`, MAX_OPTION) },
				value: id,
			})),
		});
	});
}

/** Menus and links are actions as well, but not for the core. */
const isButton = (action: BlockAction['actions'][number]): action is ButtonAction =>
	action.type === 'button' && !(action as ButtonAction).url;

async function pressButton(
	inbound: Inbound,
	server: string,
	block: BlockAction,
	action: ButtonAction,
	acknowledge: () => Promise<void>,
): Promise<void> {
	const { channels, coveredPictures } = inbound;
	const { value, action_id, action_ts } = action;
	const { trigger_id: triggerId, response_url: responseUrl } = block;
	const requester = { ...requesterOf(block), responseUrl };
	const id = `b-${digest(`${triggerId}:${action_ts}`)}`;
	const { ts, ...pressed } = buttonLocation(server, block);
	await runAction(inbound, { id, server, requester, ...pressed }, acknowledge, async (inbox, context) => {
		const { place } = context;
		const button = value || action_id;
		if (isShowButton(button)) return showCovered(inbound, context, button);
		const pictures = await shownFiles(coveredPictures, (block.message ?? {}) as Readable);
		// An ephemeral message can be edited only through the response URL of this press.
		const message: MessageHandle = block.container['is_ephemeral']
			? { place, key: ts, data: { channel: place.channel, responseUrl } }
			: await channels.handleOf(place, ts);
		const author = block.message?.user;
		await press(inbound, context, inbox, { button, message, triggerId, pictures, author });
	});
}

/** Returns the place of a pressed button, and the `ts` of its message. The home page is in no channel. */
function buttonLocation(server: string, { container, channel, message }: BlockAction): { ts: string; place?: Place } {
	const ts = String(message?.ts ?? container['message_ts'] ?? container['view_id'] ?? '');
	const id = channel?.id ?? container['channel_id'];
	if (typeof id !== 'string') return { ts };
	const thread = threadOf({ ts, thread_ts: message?.['thread_ts'] ?? container['thread_ts'] });
	return { ts, place: placeIn(server, id, thread) };
}

/** Returns the direct messages of a person, in which a press on the home page is answered. */
async function homeOf({ channels }: Inbound, server: string, { user }: SlackRequester): Promise<Place> {
	const direct = channels.direct({ platform: 'slack', server, channel: '' }, { id: user });
	return (await direct.catch(() => undefined))?.place ?? placeIn(server, user);
}

/** Shows covered pictures to the requester, unless the press was delivered before. */
async function showCovered(inbound: Inbound, context: SlackActionContext, button: string): Promise<void> {
	const { id, server, requester, t } = context;
	const place = await resolvePlace(inbound, context);
	if (!(await inbound.dedupe.first(`${server}:${id}`))) return;
	if (!(await inbound.posts.showCovered(button, place, requester, id)))
		await replyTo(inbound, context, t('slack.errors.expired'));
}

async function chooseShortcut(
	inbound: Inbound,
	server: string,
	chosen: MessageShortcut,
	acknowledge: () => Promise<void>,
): Promise<void> {
	const { channels, files, coveredPictures } = inbound;
	const { callback_id, message, channel, trigger_id: triggerId, response_url: responseUrl } = chosen;
	const requester = { ...requesterOf(chosen), responseUrl };
	const place = placeIn(server, channel.id, threadOf(message));
	const id = `m-${digest(triggerId)}`;
	await runAction(inbound, { id, server, requester, place }, acknowledge, async (inbox, context) => {
		if (MAKES_PICTURES.has(callback_id)) await checkNotBetweenPeople(inbound, context);
		const shown = await files.complete(server, await shownFiles(coveredPictures, message as Readable));
		const pictures = shown.filter((file) => isPicture(files.upload(server, file)));
		const handle = await channels.handleOf(place, message.ts);
		const author = message.user;
		await press(inbound, context, inbox, { button: callback_id, message: handle, triggerId, pictures, author });
	});
}

/** The entries of menus that lead to pictures, which are posted where the message is. */
const MAKES_PICTURES: ReadonlySet<string> = new Set([EDIT_IMAGE.button, COMPOSE_IMAGES.button]);

/** @throws PlatformRefusedError in the direct messages of other people, where the bot cannot post: nobody fills in a form in vain */
async function checkNotBetweenPeople(inbound: Inbound, context: SlackActionContext): Promise<void> {
	const { channel, direct } = await resolvePlace(inbound, context);
	if (channel.startsWith('D') && !direct) throw new PlatformRefusedError('slack.errors.betweenPeople');
}

/** A press on a button, or a choice from the menu of a message. */
type Press = {
	/** An action id. */
	button: string;
	message: MessageHandle;
	/** Slack's permission to open one form. */
	triggerId: string;
	/** The pictures of the message, and the user who has written it. */
	pictures: readonly SlackFile[];
	author: string | undefined;
};

/** Hands a press to the core, unless it was delivered before. */
async function press(
	inbound: Inbound,
	context: SlackActionContext,
	inbox: Inbox,
	{ button, message, triggerId, pictures, author }: Press,
): Promise<void> {
	const { channels, people, files, forms, dedupe, asked } = inbound;
	const { id, server, requester } = context;
	const { responseUrl } = requester;
	const [person, place] = await Promise.all([people.person(server, requester.user), resolvePlace(inbound, context)]);
	if (!(await dedupe.first(`${server}:${id}`))) return;
	await inbox.press({
		id,
		button,
		person,
		message: { ...message, place: { ...message.place, ...(place.direct && { direct: true }) } },
		channel: asked.answeredIn(id, channels.channel(place, requester)),
		attached: pictures.map((file) => files.upload(server, file, { key: message.key, person: author })),
		async open({ id: form, ...shown }) {
			const attached = pictures.map((file) => file.id);
			const state = { place, form, attached, ...(responseUrl && { responseUrl }) };
			// A covered picture is shown only to those who want to see it.
			const isShown = choosesPictures(shown) || (pictures.length === 1 && !pictures[0]?.covered);
			const translate = translatorFor(person.locale);
			await forms.open({ server, person: person.id }, triggerId, shown, state, translate, isShown ? attached : []);
		},
	});
}

/** Acknowledges a form, with errors that keep it open. */
type Acknowledge = (response?: { response_action: 'errors'; errors: Record<string, string> }) => Promise<void>;

/** Hands a submitted form to the core. Invalid answers are returned with the acknowledgement, which keeps the form open. */
async function submitForm(
	inbound: Inbound,
	server: string,
	body: ViewSubmitAction,
	acknowledge: Acknowledge,
): Promise<void> {
	const { forms, people, files, dedupe, log } = inbound;
	const { view } = body;
	const requester = requesterOf(body);
	const t = people.translator(server, requester.user);
	const refuse = (errors: Record<string, string>) => acknowledge({ response_action: 'errors', errors });
	const state = await forms.stateOf(view).catch((error: unknown) => {
		log.error({ err: error }, 'The state of a form could not be read');
		return { failure: failureMessageOf(error) };
	});
	if (state && 'failure' in state) return refuse(atFirstInput(view, t(state.failure)));
	const answers = readAnswers(view, state?.least ?? {}, t);
	if (Object.keys(answers.errors).length > 0) return refuse(answers.errors);
	if (!state) return refuse(atFirstInput(view, t('errors.expired.form')));
	const { place, command, form, attached = [], responseUrl } = state;
	// A form can be submitted successfully only once.
	const id = `f-${view.id}`;
	// Other forms were opened by buttons.
	const isCommand = form === undefined && ({ isCommand: true } as const);
	const asking = { ...requester, ...(responseUrl && { responseUrl, ...isCommand }) };
	await runAction(inbound, { id, server, place, requester: asking }, acknowledge, async (inbox, context) => {
		if (place.server !== server) throw new Error('A form belongs to another workspace');
		if (!(await dedupe.first(`${server}:${id}`))) return;
		const pictures = Object.entries(answers.files).map(([name, file]) => [name, files.upload(server, file)]);
		await invokeCommand(inbound, context, inbox, {
			command,
			options: { ...answers.values, ...Object.fromEntries(pictures) },
			...(form !== undefined && { form, attached: attached.map((file) => files.upload(server, { id: file })) }),
		});
	});
}

/** Returns an error about the whole form. Slack shows errors only at inputs, so that it is at the first one. */
function atFirstInput({ blocks }: ViewSubmitAction['view'], sentence: string): Record<string, string> {
	const [first] = blocks.filter(({ type }) => type === 'input');
	return { [first?.block_id ?? '']: sentence };
}
