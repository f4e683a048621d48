import type { App, BlockAction, ButtonAction, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
import { isPicture, type MessageHandle, type Place } from '../../../domain/channel.ts';
import { COMPOSE_IMAGES, EDIT_IMAGE } from '../../../domain/command.ts';
import { PlatformRefusedError } from '../../../i18n/translator.ts';
import { messageBlocksOf, plainText } from '../api/blocks.ts';
import { soon } from '../api/calls.ts';
import { openDirect, placeIn, postMessage, threadOf } from '../api/messages.ts';
import { idsOf, whenProcessed } from '../outbound/files.ts';
import { translateErrors } from '../outbound/posts.ts';
import { coveredBy, isShowButton, postLink } from '../outbound/replies.ts';
import type { Slack } from '../slack.ts';
import { serverOf } from '../transport/dispatch.ts';
import {
	digest,
	invokeCommand,
	replyTo,
	requesterOf,
	requestOf,
	runAction,
	type SlackActionContext,
} from './actions.ts';
import { completeFiles, type SlackFile, uploadOf } from './files.ts';
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

/** Registers the listeners for buttons, message shortcuts and forms. What is asked is stored, and then acknowledged. */
export function registerActions(app: App, slack: Slack): void {
	app.action(/.*/, async ({ body, action, ack, context }) => {
		const block = body as BlockAction;
		if (block.type === 'block_actions' && isButton(action as BlockAction['actions'][number]))
			await pressButton(slack, serverOf(context), block, action as ButtonAction, ack);
		else await ack();
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

/** Menus and links are actions as well, but not for the core. */
const isButton = (action: BlockAction['actions'][number]): action is ButtonAction =>
	action.type === 'button' && !(action as ButtonAction).url;

async function pressButton(
	slack: Slack,
	server: string,
	block: BlockAction,
	action: ButtonAction,
	acknowledge: () => Promise<void>,
): Promise<void> {
	const { value, action_id, action_ts } = action;
	const { trigger_id: triggerId, response_url: responseUrl } = block;
	const requester = requesterOf(block);
	const id = `b-${digest(`${triggerId}:${action_ts}`)}`;
	const { name = requester.user } = block.user;
	const { ts, ...pressed } = buttonLocation(server, block);
	await runAction(slack, { id, server, requester, name, ...pressed }, acknowledge, async (context) => {
		const { place } = context;
		const button = value || action_id;
		if (isShowButton(button)) return showCovered(slack, context, button);
		const pictures = await shownFiles(slack, (block.message ?? {}) as Readable);
		// An ephemeral message can be edited only through the response URL of this press.
		const handle: MessageHandle = block.container['is_ephemeral']
			? { place, key: ts, data: { channel: place.channel, responseUrl } }
			: await slack.records.handleOf(place, ts);
		await press(slack, context, button, triggerId, { handle, pictures, author: block.message?.user });
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

/** Posts the covered pictures of a button to the person who has pressed it, as a direct message. */
async function showCovered(slack: Slack, context: SlackActionContext, button: string): Promise<void> {
	const { id, server, requester, place, t } = context;
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

async function chooseShortcut(
	slack: Slack,
	server: string,
	chosen: MessageShortcut,
	acknowledge: () => Promise<void>,
): Promise<void> {
	const { callback_id, message, channel, trigger_id: triggerId } = chosen;
	const requester = requesterOf(chosen);
	const place = placeIn(server, channel.id, threadOf(message));
	const id = `m-${digest(triggerId)}`;
	const { name } = chosen.user;
	await runAction(slack, { id, server, requester, name, place }, acknowledge, async (context) => {
		// In the direct messages of other people, where the bot cannot post, nobody fills in a form in vain.
		if (MAKES_PICTURES.has(callback_id) && channel.id.startsWith('D') && !context.place.direct)
			throw new PlatformRefusedError('slack.errors.betweenPeople');
		const shown = await completeFiles(slack, server, await shownFiles(slack, message as Readable));
		const pictures = shown.filter((file) => isPicture(uploadOf(slack, server, file)));
		const handle = await slack.records.handleOf(context.place, message.ts);
		await press(slack, context, callback_id, triggerId, { handle, pictures, author: message.user });
	});
}

/** The entries of menus that lead to pictures, which are posted where the message is. */
const MAKES_PICTURES: ReadonlySet<string> = new Set([EDIT_IMAGE.button, COMPOSE_IMAGES.button]);

/** The message of a button or a menu, with its pictures, and the user who has written it. */
type PressedMessage = { handle: MessageHandle; pictures: readonly SlackFile[]; author: string | undefined };

/**
 * Hands a press on a button, or a choice from the menu of a message, to the core, unless it was delivered before.
 *
 * @param triggerId Slack's permission to open one form
 */
async function press(
	slack: Slack,
	context: SlackActionContext,
	button: string,
	triggerId: string,
	{ handle: message, pictures, author }: PressedMessage,
): Promise<void> {
	const { server, place, t, inbox } = context;
	const { responseUrl } = context.requester;
	const request = await requestOf(slack, context);
	if (!request) return;
	await inbox.press({
		...request,
		button,
		message,
		attached: pictures.map((file) => uploadOf(slack, server, file, { key: message.key, person: author })),
		async open({ id: form, ...shown }) {
			// The id of a picture that is elsewhere is its address, which may be long, and it cannot be read.
			const attached = pictures.slice(0, MAX_ATTACHED).map((file) => (file.mode === 'external' ? '' : file.id));
			const state = { place, form, attached, responseUrl };
			// A covered picture is shown only to those who want to see it.
			const isShown = choosesPictures(shown) || (pictures.length === 1 && !pictures[0]?.covered);
			await openForm(slack, triggerId, shown, state, t, isShown ? attached : []);
		},
	});
}

type Acknowledge = (response?: { response_action: 'errors'; errors: Record<string, string> }) => Promise<void>;

/** Hands a submitted form to the core. Invalid answers are returned with the acknowledgement, which keeps the form open. */
async function submitForm(
	slack: Slack,
	server: string,
	body: ViewSubmitAction,
	acknowledge: Acknowledge,
): Promise<void> {
	const { view } = body;
	const requester = requesterOf(body);
	const t = slack.people.translator(server, requester.user);
	const refuse = (errors: Record<string, string>) => acknowledge({ response_action: 'errors', errors });
	const state = formStateOf(view);
	const answers = readAnswers(view, state?.least ?? {}, t);
	if (Object.keys(answers.errors).length > 0) return refuse(answers.errors);
	if (!state) return refuse(atFirstInput(view, t('errors.expired.form')));
	const { place, command, form, attached = [], responseUrl } = state;
	// A form can be submitted successfully only once.
	const id = `f-${view.id}`;
	// Other forms were opened by buttons.
	const isCommand = form === undefined && ({ isCommand: true } as const);
	const asking = { ...requester, ...(responseUrl && { responseUrl, ...isCommand }) };
	await runAction(
		slack,
		{ id, server, place, requester: asking, name: body.user.name },
		acknowledge,
		async (context) => {
			if (place.server !== server) throw new Error('A form belongs to another workspace');
			const pictures = Object.entries(answers.files).map(([name, file]) => [name, uploadOf(slack, server, file)]);
			await invokeCommand(slack, context, {
				command,
				options: { ...answers.values, ...Object.fromEntries(pictures) },
				...(form !== undefined && { form, attached: attached.map((file) => uploadOf(slack, server, { id: file })) }),
			});
		},
	);
}

/** Returns an error about the whole form. Slack shows errors only at inputs, so that it is at the first one. */
function atFirstInput({ blocks }: ViewSubmitAction['view'], sentence: string): Record<string, string> {
	const [first] = blocks.filter(({ type }) => type === 'input');
	return { [first?.block_id ?? '']: sentence };
}
