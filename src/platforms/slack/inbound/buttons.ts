import type { App, BlockAction, ButtonAction, MessageShortcut, ViewSubmitAction } from '@slack/bolt';
import { isPicture, type MessageHandle } from '../../../domain/channel.ts';
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
	const requester = requesterOf(block);
	const id = `b-${digest(`${triggerId}:${action_ts}`)}`;
	const { name = requester.user } = block.user;
	const ts = String(message?.ts ?? container['message_ts'] ?? container['view_id'] ?? '');
	// The home page is in no channel.
	const channel = block.channel?.id ?? container['channel_id'];
	const thread = threadOf({ ts, thread_ts: message?.['thread_ts'] ?? container['thread_ts'] });
	const pressed = typeof channel === 'string' ? placeIn(server, channel, thread) : undefined;
	await runAction(slack, { id, server, requester, name, place: pressed }, acknowledge, async (context) => {
		const { place } = context;
		const button = value || action_id;
		if (isShowButton(button)) return showCovered(slack, context, button);
		const pictures = await shownFiles(slack, (message ?? {}) as Readable);
		// An ephemeral message can be edited only through the response URL of this press.
		const handle: MessageHandle = container['is_ephemeral']
			? { place, key: ts, data: { channel: place.channel, responseUrl } }
			: await slack.records.handleOf(place, ts);
		await press(slack, context, { button, triggerId, message: handle, pictures, author: message?.user });
	});
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

async function chooseShortcut(slack: Slack, server: string, chosen: MessageShortcut, acknowledge: () => Promise<void>) {
	const { callback_id, message, channel, trigger_id: triggerId, user } = chosen;
	const place = placeIn(server, channel.id, threadOf(message));
	const action = { id: `m-${digest(triggerId)}`, server, requester: requesterOf(chosen), name: user.name, place };
	await runAction(slack, action, acknowledge, async (context) => {
		// In the direct messages of other people, where the bot cannot post, nobody fills in a form in vain.
		if (MAKES_PICTURES.has(callback_id) && channel.id.startsWith('D') && !context.place.direct)
			throw new PlatformRefusedError('slack.errors.betweenPeople');
		const shown = await completeFiles(slack, server, await shownFiles(slack, message as Readable));
		const pictures = shown.filter((file) => isPicture(uploadOf(slack, server, file)));
		const handle = await slack.records.handleOf(context.place, message.ts);
		await press(slack, context, { button: callback_id, triggerId, message: handle, pictures, author: message.user });
	});
}

/** The entries of menus that lead to pictures, which are posted where the message is. */
const MAKES_PICTURES: ReadonlySet<string> = new Set([EDIT_IMAGE.button, COMPOSE_IMAGES.button]);

type Press = {
	button: string;
	/** Slack's permission to open one form. */
	triggerId: string;
	/** The message of the button or the menu, with its pictures, and the user who has written it. */
	message: MessageHandle;
	pictures: readonly SlackFile[];
	author: string | undefined;
};

/** Hands a press on a button, or a choice from the menu of a message, to the core, unless it was delivered before. */
async function press(slack: Slack, context: SlackActionContext, pressed: Press): Promise<void> {
	const { button, triggerId, message, pictures, author } = pressed;
	const { server, place, t, requester } = context;
	const request = await requestOf(slack, context);
	if (!request) return;
	await slack.inbox().press({
		...request,
		button,
		message,
		attached: pictures.map((file) => uploadOf(slack, server, file, { key: message.key, person: author })),
		async open({ id: form, ...shown }) {
			// The id of a picture that is elsewhere is its address, which may be long, and it cannot be read.
			const attached = pictures.slice(0, MAX_ATTACHED).map((file) => (file.mode === 'external' ? '' : file.id));
			const state = { place, form, attached, responseUrl: requester.responseUrl };
			// A covered picture is shown only to those who want to see it.
			const isShown = choosesPictures(shown) || (pictures.length === 1 && !pictures[0]?.covered);
			await openForm(slack, triggerId, shown, state, t, isShown ? attached : []);
		},
	});
}

type Acknowledge = (response?: { response_action: 'errors'; errors: Record<string, string> }) => Promise<void>;

/** Hands a submitted form to the core. Invalid answers are returned with the acknowledgement, which keeps the form open. */
async function submitForm(slack: Slack, server: string, body: ViewSubmitAction, acknowledge: Acknowledge) {
	const { view, user } = body;
	const t = slack.people.translator(server, user.id);
	const state = formStateOf(view);
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
	const action = { id: `f-${view.id}`, server, place, requester, name: user.name };
	await runAction(slack, action, acknowledge, async (context) => {
		if (place.server !== server) throw new Error('A form belongs to another workspace');
		const pictures = Object.entries(answers.files).map(([name, file]) => [name, uploadOf(slack, server, file)]);
		await invokeCommand(slack, context, {
			command,
			options: { ...answers.values, ...Object.fromEntries(pictures) },
			...(form !== undefined && { form, attached: attached.map((file) => uploadOf(slack, server, { id: file })) }),
		});
	});
}
