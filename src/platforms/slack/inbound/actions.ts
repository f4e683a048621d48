import { createHash } from 'node:crypto';
import type { App, BlockAction, ButtonAction, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
import { isPicture, type MessageHandle, type Person, type Place } from '../../../domain/channel.ts';
import { COMPOSE_IMAGES, EDIT_IMAGE } from '../../../domain/command.ts';
import type { Invocation, Request } from '../../../domain/platform.ts';
import { PlatformRefusedError, SentenceError, type Translate, translatorFor } from '../../../i18n/translator.ts';
import { tryAndLog } from '../../../log.ts';
import { failureMessageOf } from '../../shared/failure-message.ts';
import { messageBlocksOf, plainText } from '../api/blocks.ts';
import { soon } from '../api/calls.ts';
import {
	openDirect,
	placeIn,
	postEphemeral,
	postLink,
	postMessage,
	type SlackRequester,
	threadOf,
} from '../api/messages.ts';
import { channelIn, findDirect } from '../outbound/channels.ts';
import { idsOf, whenProcessed } from '../outbound/files.ts';
import { coveredBy, isShowButton } from '../outbound/message-records.ts';
import { translateErrors } from '../outbound/posts.ts';
import type { Slack } from '../slack.ts';
import { serverOf } from '../transport/dispatch.ts';
import { answeredIn, removeAsked, storeAsked } from './asked.ts';
import { completeFiles, uploadOf } from './files.ts';
import {
	choosesPictures,
	FORM_CALLBACK_ID,
	formStateOf,
	MAX_OPTION,
	MAX_OPTIONS,
	openForm,
	readAnswers,
} from './forms.ts';
import { type Readable, shownFiles } from './message-reader.ts';

/** More pictures than a message shows; their ids fit into the metadata of a form. */
const MAX_ATTACHED = 100;

/** A command, a press, a choice from a menu, or a form: from where, and who sent it. */
type Action = {
	/** The id of the action, the same for every delivery. */
	id: string;
	place: Place;
	requester: SlackRequester;
	/** What Slack calls the requester. */
	name: string | undefined;
};

export type SlackActionContext = Action & {
	person: Person;
	/** In the language of the person. */
	t: Translate;
	/** False for an action that was delivered before. Rejects while the store fails, which a form need not wait for. */
	isFirst: Promise<boolean>;
};

type Interaction = Pick<BlockAction | MessageShortcut | ViewSubmitAction, 'user'> &
	Partial<Pick<BlockAction, 'response_url'>> & { channel?: { name?: string } };

const requesterOf = ({ user, channel, response_url: responseUrl }: Interaction): SlackRequester => ({
	user: user.id,
	responseUrl,
	isTalk: isTalk(channel?.name),
});

/** Tells whether the name of a channel is that of a group conversation. https://docs.slack.dev/reference/objects/conversation-object */
export const isTalk = (channelName = ''): boolean => channelName.startsWith('mpdm-');

/** Shortens a trigger id, which has any length but is the same for every delivery, to a part of a message key. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 32);

/** Stores an action, acknowledges it, and then runs it. Never rejects: the requester gets a sentence about what failed. */
export async function runAction(
	slack: Slack,
	action: Action,
	acknowledge: () => Promise<void>,
	work: (context: SlackActionContext) => Promise<void>,
): Promise<void> {
	const { id, requester, name } = action;
	// Meanwhile the action is stored and acknowledged: Slack opens a form for three seconds.
	const lookUp = slack.people.person(action.place.server, requester.user, name);
	const { isFirst } = await storeAsked(slack, { id, requester, place: action.place });
	await acknowledge();
	const [person, place] = await Promise.all([lookUp, resolvedPlace(slack, action)]);
	const t = translatorFor(person.locale);
	const context = { ...action, person, t, isFirst, place };
	try {
		// Nothing is stored about a workspace that is not served.
		if (!slack.serves(place)) await postEphemeral(slack, place, { text: t('servers.notServed') }, requester);
		else await work(context);
	} catch (error) {
		if (!(error instanceof SentenceError)) slack.log.error({ err: error }, 'An action failed');
		await tryAndLog(slack.log, 'The reply to a failed action could not be posted', () =>
			replyTo(slack, context, failureMessageOf(error, t)),
		);
	}
	if (await isFirst.catch(() => false)) await removeAsked(slack, id);
}

export async function replyTo(slack: Slack, { id, place, requester }: SlackActionContext, text: string): Promise<void> {
	await channelIn(slack, place, requester).post({ text, visibility: 'private' }, id, { withoutStore: true });
}

/** Returns an action as the core takes it; undefined for one that was delivered before. */
async function requestOf(slack: Slack, context: SlackActionContext): Promise<Request | undefined> {
	const { id, person, requester, place, isFirst } = context;
	if (!(await isFirst)) return undefined;
	return { id, person, channel: answeredIn(slack, id, channelIn(slack, place, requester)) };
}

/** Hands a command to the core, unless it was delivered before. */
export async function invokeCommand(
	slack: Slack,
	context: SlackActionContext,
	invocation: Omit<Invocation, keyof Request>,
): Promise<void> {
	const request = await requestOf(slack, context);
	if (request) await slack.inbox().invoke({ ...request, ...invocation });
}

/** Returns the place of an action, marked as direct if it is the direct messages with the bot, and not those of other people. */
async function resolvedPlace(slack: Slack, { requester, place }: Action): Promise<Place> {
	if (place.direct || !place.channel.startsWith('D')) return place;
	const direct = await soon(findDirect(slack, place, { id: requester.user })).catch(() => undefined);
	return direct?.place.channel === place.channel ? { ...place, direct: true } : place;
}

/** Registers the listeners for buttons, message shortcuts and forms. What is asked is stored, and then acknowledged. */
export function registerActions(app: App, slack: Slack): void {
	app.action(/.*/, async ({ body, ack, context }) => {
		const block = body as BlockAction;
		// Menus and links are actions as well, but not for the core.
		const isButton = block.type === 'block_actions' && block.actions[0]?.type === 'button' && !block.actions[0].url;
		await (isButton ? pressButton(slack, serverOf(context), block, ack) : ack());
	});
	app.shortcut({ type: 'message_action', callback_id: /.*/ }, async ({ shortcut, ack, context }) =>
		chooseShortcut(slack, serverOf(context), shortcut as MessageShortcut, ack),
	);
	app.view({ type: 'view_submission', callback_id: FORM_CALLBACK_ID }, async ({ body, ack, context }) =>
		submitForm(slack, serverOf(context), body as ViewSubmitAction, ack as Acknowledge),
	);
	// Slack requests the options of menus of user groups from the app.
	app.options(/.*/, async ({ options, body, ack, context }) => {
		const typed = options.value.trim().toLowerCase();
		const workspaces = [body.team?.id ?? body.user.team_id ?? ''];
		const groups = await soon(slack.people.groups(serverOf(context), workspaces)).catch(() => []);
		const found = groups.filter(({ handle }) => handle.toLowerCase().includes(typed)).slice(0, MAX_OPTIONS);
		await ack({
			options: found.map(({ id, handle }) => ({ text: plainText(`@${handle}`, MAX_OPTION), value: id })),
		});
	});
}

async function pressButton(slack: Slack, server: string, block: BlockAction, acknowledge: () => Promise<void>) {
	const { trigger_id: triggerId, response_url: responseUrl, container, message } = block;
	const { value, action_id, action_ts } = block.actions[0] as ButtonAction;
	const ts = String(message?.ts ?? container['message_ts']);
	const thread = threadOf({ ts, thread_ts: message?.['thread_ts'] ?? container['thread_ts'] });
	const pressed = placeIn(server, block.channel?.id ?? container['channel_id'], thread);
	const id = `b-${digest(`${triggerId}:${action_ts}`)}`;
	const action = { id, place: pressed, requester: requesterOf(block), name: block.user.name };
	await runAction(slack, action, acknowledge, async (context) => {
		const { place } = context;
		const button = value || action_id;
		if (isShowButton(button)) return showCovered(slack, context, button);
		// An ephemeral message can be edited only through the response URL of this press.
		const handle: MessageHandle = container['is_ephemeral']
			? { place, key: ts, data: { channel: place.channel, responseUrl } }
			: await slack.records.handleOf(place, ts);
		await press(slack, context, { button, triggerId, handle, message: (message ?? {}) as PressedMessage });
	});
}

/** Posts the covered pictures of a button to the person who has pressed it, as a direct message. */
async function showCovered(slack: Slack, context: SlackActionContext, button: string): Promise<void> {
	const { id, requester, place, t } = context;
	const { server } = place;
	if (!(await context.isFirst)) return;
	const images = await coveredBy(slack, button);
	if (images.length === 0) return replyTo(slack, context, t('slack.errors.expired'));
	await translateErrors(slack, place, requester, async () => {
		const channel = place.direct ? place.channel : await openDirect(slack, server, requester.user);
		const show = () => postMessage(slack, { server, channel }, messageBlocksOf('', images, []), id);
		const message = await whenProcessed(slack, server, idsOf(images), show);
		if (!place.direct) await postLink(slack, place, t('slack.shownDirect'), message, requester);
	});
}

async function chooseShortcut(slack: Slack, server: string, chosen: MessageShortcut, acknowledge: () => Promise<void>) {
	const { callback_id, message, channel, trigger_id: triggerId, user } = chosen;
	const place = placeIn(server, channel.id, threadOf(message));
	const action = { id: `m-${digest(triggerId)}`, place, requester: requesterOf(chosen), name: user.name };
	await runAction(slack, action, acknowledge, async (context) => {
		// In the direct messages of other people, where the bot cannot post, nobody fills in a form in vain.
		if (MAKES_PICTURES.includes(callback_id) && channel.id.startsWith('D') && !context.place.direct)
			throw new PlatformRefusedError('slack.errors.betweenPeople');
		const handle = await slack.records.handleOf(context.place, message.ts);
		await press(slack, context, { button: callback_id, triggerId, handle, message: message as PressedMessage });
	});
}

/** The entries of menus that lead to pictures, which are posted where the message is. */
const MAKES_PICTURES: readonly string[] = [EDIT_IMAGE.button, COMPOSE_IMAGES.button];

type PressedMessage = Readable & { user?: string };

/** @param triggerId Slack's permission to open one form */
type Press = { button: string; triggerId: string; handle: MessageHandle; message: PressedMessage };

/** Hands a press on a button, or a choice from the menu of a message, to the core, unless it was delivered before. */
async function press(slack: Slack, context: SlackActionContext, pressed: Press): Promise<void> {
	const { button, triggerId, handle, message } = pressed;
	const { place, t, requester } = context;
	const shown = await completeFiles(slack, place.server, await shownFiles(slack, message));
	const pictures = shown.filter((file) => isPicture(uploadOf(slack, place.server, file)));
	const request = await requestOf(slack, context);
	if (!request) return;
	const poster = { key: handle.key, person: message.user };
	await slack.inbox().press({
		...{ ...request, button, message: handle },
		attached: pictures.map((file) => uploadOf(slack, place.server, file, poster)),
		async open({ id: form, ...opened }) {
			// The id of a picture that is elsewhere is its address, which may be long, and it cannot be read.
			const attached = pictures.slice(0, MAX_ATTACHED).map((file) => (file.mode === 'external' ? '' : file.id));
			const state = { place, form, attached, responseUrl: requester.responseUrl };
			// A covered picture is shown only to those who want to see it.
			const isShown = choosesPictures(opened) || (pictures.length === 1 && !pictures[0]?.covered);
			await openForm(slack, triggerId, opened, state, t, isShown ? attached : []);
		},
	});
}

type Acknowledge = (response?: { response_action: 'errors'; errors: Record<string, string> }) => Promise<void>;

/** Hands a submitted form to the core. Invalid answers are returned with the acknowledgement, which keeps the form open. */
async function submitForm(slack: Slack, server: string, body: ViewSubmitAction, acknowledge: Acknowledge) {
	const { view, user } = body;
	const t = slack.people.translator(server, user.id);
	const state = formStateOf(view, server);
	const answers = readAnswers(view, state?.least ?? {}, t);
	// Slack shows errors only at inputs: one about the whole form is at the first input.
	const first = view.blocks.find(({ type }) => type === 'input')?.block_id ?? '';
	const errors =
		state || Object.keys(answers.errors).length > 0 ? answers.errors : { [first]: t('errors.expired.form') };
	if (!state || Object.keys(errors).length > 0) return acknowledge({ response_action: 'errors', errors });
	const { place, command, form, attached = [], responseUrl } = state;
	// Other forms were opened by buttons.
	const isCommand = form === undefined && ({ isCommand: true } as const);
	const requester = { ...requesterOf(body), ...(responseUrl && { responseUrl, ...isCommand }) };
	// A form can be submitted successfully only once.
	const action = { id: `f-${view.id}`, place, requester, name: user.name };
	await runAction(slack, action, acknowledge, async (context) => {
		const pictures = Object.entries(answers.files).map(([name, file]) => [name, uploadOf(slack, server, file)]);
		await invokeCommand(slack, context, {
			command,
			options: { ...answers.values, ...Object.fromEntries(pictures) },
			...(form !== undefined && { form, attached: attached.map((file) => uploadOf(slack, server, { id: file })) }),
		});
	});
}
