import { type Button, type Channel, parseActionId, partsOfSize, type Reply } from '../domain/channel.ts';
import { type ActionAccess, type Form, menuEntryOf } from '../domain/command.ts';
import type { ButtonPress, FormSubmission, Invocation, Origin, Request, RequestOutcome } from '../domain/platform.ts';
import { clip, inCode, quoted } from '../domain/text.ts';
import type { Easel } from '../easel.ts';
import { type MessageId, SentenceError, type Translate, translatorFor } from '../i18n/translator.ts';
import { runPictureJob, whyNotPermitted } from '../jobs/picture-job.ts';
import { reviewActions } from '../jobs/reviews.ts';
import { tryAndLog } from '../log.ts';
import { separateUploads } from '../requests/requests.ts';
import { withUploads } from '../requests/uploads.ts';
import { withRights } from '../usage/settings.ts';
import { chatActions } from './chat/chat-actions.ts';
import { openThread } from './chat/hear.ts';
import {
	type ActionHandler,
	type ActionHandlers,
	type ActionName,
	type ActionResult,
	actionButton,
	declarationOf,
	type Invoke,
	moreAction,
	type SubmissionResult,
} from './declaration/actions.ts';
import { type Command, contextOf, privately, screenedText } from './declaration/command.ts';
import { parseOptions, readFlags } from './declaration/options.ts';
import { exampleAction, groupHelp, helpAbout, helpIn, helpReply, welcome } from './messages/help.ts';
import { priceMessage } from './messages/usage-messages.ts';
import { logActions } from './moderation/log-actions.ts';
import { refundAction } from './moderation/refund-calls.ts';
import { applyAction } from './moderation/try-rule.ts';
import { eraseAction } from './privacy/privacy.ts';
import { aboutAction } from './results/about.ts';
import { resultActions } from './results/again.ts';
import { altAction } from './results/alt-texts.ts';
import { downloadActions } from './results/download.ts';
import { reopenAction, saveDraft } from './results/drafts.ts';
import { editAction } from './results/forms.ts';
import { collectAction, listActions } from './results/lists.ts';
import { referenceActions } from './results/references.ts';

/** A person presses a button twice in so short a time without meaning it, in milliseconds. */
const DOUBLE_PRESS_MS = 3000;

/**
 * Takes the press of a button to its answer. One that is pressed again before it is answered, or before its pictures are there, makes one
 * request.
 */
export async function press(easel: Easel, press: ButtonPress): Promise<RequestOutcome> {
	const { conversations, log, ownJobs } = easel;
	const { platform, server } = press.channel.place;
	const { shared } = declarationOf(parseActionId(press.button)?.action ?? '') ?? {};
	// A menu has to be opened before each choice from it.
	const subject = menuEntryOf(press.button) ? press.id : `${press.message.key}:${press.button}`;
	const claim = `pressed:${platform}:${server}:${shared ? '' : press.person.id}:${subject}`;
	const result = await ownJobs.run(claim, async () => {
		const pressed = await pressAction(easel, press);
		return makesPictures(easel, pressed) ? pressed : follow(easel, pressed, press);
	});
	if (result === undefined) return 'duplicate';
	if (typeof result === 'string') return result;
	if (!(await conversations.isFirst(claim, DOUBLE_PRESS_MS))) return 'duplicate';
	try {
		return await follow(easel, result, press);
	} finally {
		await tryAndLog(log, 'A button could not be released', () => conversations.release(claim));
	}
}

const makesPictures = ({ catalogue }: Easel, result: ActionResult): boolean =>
	typeof result === 'object' && 'invoke' in result && catalogue.find(result.invoke.command)?.makes === 'pictures';

export async function submit(easel: Easel, submission: FormSubmission): Promise<RequestOutcome> {
	const result = await submitForm(easel, submission);
	if (typeof result === 'string' || result instanceof SentenceError || 'reply' in result)
		return follow(easel, result, submission);
	const { draft = submission } = result;
	if ('refusal' in result) return refuseInput(easel, draft, result.refusal);
	return invoke(easel, asSent(result.invoke, submission), { ...result, draft });
}

export async function follow(easel: Easel, result: ActionResult, request: Request): Promise<RequestOutcome> {
	if (typeof result === 'string') return result;
	if (result instanceof SentenceError) return refuse(request, result);
	if ('invoke' in result) return invoke(easel, asSent(result.invoke, request), result);
	await request.channel.post(result.reply, request.id);
	return 'answered';
}

/**
 * Returns an invocation with its person as the platform knows them: a role that makes moderators in the core makes nobody exempt from
 * the rules of the platform's own server.
 */
const asSent = (invocation: Invocation, { person }: Request): Invocation => ({ ...invocation, person });

/** What a command that comes from an action does once its options are valid, and the form that is kept when they are not. */
type ActionOrigin = { accepted?: Invoke['accepted']; draft?: Invocation };

/** Takes a command to its answer: finds it, checks the permission, parses its options, runs it, posts the reply. */
export async function invoke(easel: Easel, invocation: Invocation, from: ActionOrigin = {}): Promise<RequestOutcome> {
	const { catalogue } = easel;
	const { id, options, channel } = invocation;
	const t = translatorFor(invocation.person.locale);
	const command = catalogue.find(invocation.command);
	const help = command
		? helpAbout(easel, command, options, invocation.person)
		: (helpIn(easel, invocation.command, t) ?? groupHelp(easel, invocation.command, t));
	if (help !== undefined) {
		await channel.post(privately(help), id);
		return 'answered';
	}
	if (!command) {
		const person = await withRights(easel, invocation.person, channel.place, 'viewers');
		const sentence = catalogue.isUnavailable(invocation.command)
			? t('errors.service.notOffered')
			: t('help.noCommand', { command: quoted(`/${invocation.command}`) });
		return postRefusal(channel, id, `${sentence} ${(await helpReply(easel, t, person, channel)).text}`);
	}
	easel.running.track(welcome(easel, invocation, command.name === 'help'));
	const person = await withRights(easel, invocation.person, channel.place, accessOf(command));
	if (command.moderators && !person.moderator)
		return refuse(invocation, new SentenceError('policy.moderators', { command: `/${command.name}` }));
	const fields = catalogue.fields(command.name);
	const flags = command.makes === 'pictures' ? readFlags(fields, options, t.nameOf) : { options };
	const parsed = parseOptions(command, fields, flags.options);
	const { draft = invocation } = from;
	if (parsed instanceof SentenceError) return refuseInput(easel, draft, parsed);
	if (parsed.options['private'] === true && command.makes === 'pictures' && channel.isPublicOnly)
		return refuse(invocation, new SentenceError('thread.typed', { command: `/${command.name}` }));
	await from.accepted?.();
	return runCommand(easel, command, parsed.options, { ...invocation, person }, draft, flags.unknown);
}

/** Moderators may see more in an answer. Requests for pictures and chats need no rights. */
function accessOf({ moderators, makes }: Command): ActionAccess {
	if (moderators) return 'moderators';
	return makes === 'answer' ? 'viewers' : 'everyone';
}

/**
 * @param input the invocation, or the form that it comes from
 * @param unknownFlags those in the prompt that mean nothing here
 */
async function runCommand(
	easel: Easel,
	command: Command,
	options: Record<string, unknown>,
	invocation: Invocation,
	input: Invocation,
	unknownFlags?: readonly string[],
): Promise<RequestOutcome> {
	const { id, person, channel, source } = invocation;
	if (command.makes === 'pictures') {
		const noSize = await whyNoSize(easel, options);
		if (noSize) return refuseInput(easel, input, noSize);
		const keep = (withPictures: boolean) =>
			keepDraft(easel, withPictures ? input : { ...input, options: separateUploads(input.options).options });
		const request = { id, command, options, person, channel, source, unknownFlags, keepDraft: keep };
		const ended = await runPictureJob(easel, request);
		if (!(ended instanceof SentenceError)) return ended;
		// Pictures are kept where other words are enough: what a person over a cap has brought is not.
		const isByWords = BY_WORDS.includes(ended.id);
		const mayRetry = isByWords || (PASSING.includes(ended.id) && !hasPictures(input));
		return refuseWithForm(easel, input, ended, isByWords ? 'change' : 'reopen', mayRetry && (() => keep(isByWords)));
	}
	const context = { ...contextOf(easel, person, channel), options };
	if (command.makes === 'thread') {
		const opening = await command.run(context);
		return follow(easel, await openThread(easel, opening, screenedText(command, options), invocation), invocation);
	}
	const answer = await command.run(context);
	const reply = typeof answer === 'string' ? privately(answer) : answer;
	try {
		await postAnswer(channel, reply, id);
	} catch (error) {
		if (!reply.files) throw error;
		easel.log.warn({ err: error }, 'A file could not be posted');
		return refuse(invocation, new SentenceError('errors.fileNotPosted'));
	}
	return 'answered';
}

/** Returns why a size is not available with a request's model, and which sizes are; undefined where it is. */
async function whyNoSize({ service }: Easel, { size, model }: { size?: string; model?: string }) {
	const { resolution } = partsOfSize(size ?? '');
	const available = resolution ? await service.resolutionsOf(model) : [];
	if (!resolution || available.includes(resolution)) return undefined;
	const usual = service.capabilities.sizes.filter((name) => !partsOfSize(name).resolution);
	const sizes = [...usual, ...available].join(', ');
	const used = inCode(service.priced({ model }).model ?? '');
	return new SentenceError('options.errors.resolution', { option: 'size', given: resolution, sizes, model: used });
}

function keepDraft(easel: Easel, input: Invocation): Promise<void> {
	const { channel, person } = input;
	return withUploads(easel, { place: channel.place, person }, uploadsOf(input), (read) =>
		saveDraft(easel, input, read),
	);
}

const uploadsOf = ({ attached = [], options }: Invocation) => [
	...attached,
	...separateUploads(options).uploads.map(([, upload]) => upload),
];

const hasPictures = (input: Invocation) => uploadsOf(input).length > 0;

/** Posts what is wrong with a form or with the options of a command. Pictures are kept for those only who are permitted to make some. */
async function refuseInput(easel: Easel, input: Invocation, refusal: SentenceError): Promise<RequestOutcome> {
	const notPermitted = hasPictures(input)
		? await whyNotPermitted(easel, input.channel, input.person)
		: await whyNoForm(easel, input.command, input);
	if (notPermitted) return refuse(input, notPermitted);
	return refuseWithForm(easel, input, refusal, 'reopen', () => keepDraft(easel, input));
}

/** Posts why a request was refused. Where its form can be kept, a button opens it again, filled in. */
async function refuseWithForm(
	{ log }: Easel,
	input: Invocation,
	refusal: SentenceError,
	action: 'reopen' | 'change',
	keep: false | (() => Promise<void>),
): Promise<RequestOutcome> {
	const failed = (error: unknown) => log.warn({ err: error }, 'A form could not be kept for another attempt');
	const isKept = keep && (await keep().then(() => true, failed));
	const button = () => actionButton(translatorFor(input.person.locale), action, input.id);
	return refuse(input, refusal, isKept ? [button()] : undefined);
}

/** Reasons that are in the words of a request, and those that pass. Others, such as a block, leave nothing to be tried. */
const BY_WORDS: readonly MessageId[] = ['policy.words', 'policy.automod', 'policy.flagged', 'errors.words'];
const PASSING: readonly MessageId[] = [
	...(['caps.reached', 'caps.operator', 'caps.overage', 'caps.money', 'prices.unknown'] as const),
	...(['policy.cooldown', 'policy.rate', 'policy.waiting', 'policy.unmoderated', 'errors.paused'] as const),
];

/** Posts why nothing comes of a request. When it was delivered before, its answer stays. */
export async function postRefusal(
	channel: Channel,
	id: string,
	text: string,
	buttons?: readonly Button[],
): Promise<RequestOutcome> {
	await channel.post({ text, visibility: 'private', buttons }, id, { ifAbsent: true, withoutStore: true });
	return 'refused';
}

const refuse = ({ id, channel, person }: Request, refusal: SentenceError, buttons?: readonly Button[]) =>
	postRefusal(channel, id, refusal.messageIn(translatorFor(person.locale)), buttons);

/** Posts a reply in as many messages as its lines need. Its files and buttons are with the last one. */
export async function postAnswer(channel: Channel, { text, visibility, ...rest }: Reply, key: string): Promise<void> {
	const texts = splitByLines(text, channel.limits.text);
	for (const [index, part] of texts.entries()) {
		const isLast = index === texts.length - 1;
		await channel.post({ text: part, visibility, ...(isLast && rest) }, index === 0 ? key : `${key}.${index}`);
	}
}

/** Splits a text between lines. A line that is longer than `max` is clipped. */
function splitByLines(text: string, max: number): string[] {
	const texts: string[] = [];
	for (const line of text.split('\n')) {
		const longer = texts.length > 0 ? `${texts.at(-1)}\n${line}` : undefined;
		if (longer !== undefined && longer.length <= max) texts[texts.length - 1] = longer;
		else texts.push(clip(line, max));
	}
	return texts;
}

/** Cancels a request for pictures that waits or runs. Its own process writes that into the message. The subject is the job. */
const cancelAction: ActionHandler = {
	async press({ person }, id, { easel: { ledger, ownJobs } }) {
		const job = ownJobs.cancellable(id) ?? (await ledger.find(id));
		if (!job || job.outcome || job.state === 'delivered') return new SentenceError('cancel.errors.ended');
		const isOwn = job.person.id === person.id;
		if (!isOwn && !person.moderator) return new SentenceError('cancel.errors.notYours');
		await ownJobs.cancel(id, isOwn ? 'requester' : 'moderator');
		return 'answered';
	},
};

const reopen = reopenAction({ press: pressAction, submit: submitForm });

export const HANDLERS: ActionHandlers = {
	...resultActions,
	...referenceActions,
	...listActions,
	...downloadActions,
	...chatActions,
	...logActions,
	...reviewActions,
	refund: refundAction,
	apply: applyAction,
	cancel: cancelAction,
	more: moreAction,
	collect: collectAction,
	erase: eraseAction,
	about: aboutAction,
	edit: editAction,
	example: exampleAction,
	alt: altAction,
	reopen,
	change: reopen,
};

/** The actions that make something of the pictures of their message. */
const USES_PICTURES: ReadonlySet<string> = new Set<ActionName>(['edit', 'compose', 'vary', 'reference']);

export async function pressAction(easel: Easel, press: ButtonPress): Promise<ActionResult> {
	const found = await findAction(easel, press.button, press);
	if (found instanceof SentenceError) return found;
	const { action, handler, subject, person, t } = found;
	if (menuEntryOf(press.button)) {
		const [first] = press.attached;
		if (!first) return new SentenceError('forms.noPicture');
		// Nobody fills in a form for nothing.
		if (first.unreadable && press.attached.every(({ unreadable }) => unreadable))
			return new SentenceError('errors.picture.unreadable', { why: first.unreadable });
	}
	const { channel, attached } = press;
	const refused =
		USES_PICTURES.has(action) && (await easel.consent.refusalOf({ place: channel.place, person }, attached));
	const open = async (form: Form) => {
		const noForm = await whyNoForm(easel, form.command, { person, channel });
		if (noForm) throw noForm;
		// A form says what a picture costs before it is paid for.
		const price = formNote(easel, form.command, t) ?? '';
		const note = form.note?.includes(price) ? form.note : [form.note, price].filter(Boolean).join('\n') || undefined;
		await press.open({ ...form, note });
	};
	return refused || handler.press({ ...press, person, open }, subject, { easel, t });
}

/**
 * Returns why no form of a command is opened for a person: nobody fills in a form for nothing. Its submission is checked again, so that a
 * store that fails refuses none.
 */
export async function whyNoForm(
	{ catalogue, policy, log }: Easel,
	command: string,
	asking: Origin,
): Promise<SentenceError | undefined> {
	const makes = catalogue.find(command)?.makes;
	if (!makes || makes === 'answer') return undefined;
	const check = () => policy.check(makes === 'thread' ? 'message' : 'person', asking);
	return tryAndLog(log, 'Whether a form may be opened could not be looked up', check);
}

/** Returns what the form of a command says above its inputs: what a picture costs. */
export const formNote = (easel: Easel, command: string, t: Translate): string | undefined =>
	easel.catalogue.find(command)?.makes === 'pictures' ? priceMessage(t, easel) : undefined;

/** Passes the submission of a form that a press opened, whose id is the one of the button. */
export async function submitForm(easel: Easel, submission: FormSubmission): Promise<SubmissionResult> {
	const found = await findAction(easel, submission.form, submission);
	if (found instanceof SentenceError) return found;
	const { handler, subject, person, t } = found;
	const submitted = handler.submit?.({ ...submission, person }, subject, { easel, t });
	return submitted ?? new SentenceError('errors.outdated.button');
}

async function findAction(easel: Easel, id: string, { person, channel: { place } }: Request) {
	const { action = '', version, subject = '' } = parseActionId(id) ?? {};
	const declaration = declarationOf(action);
	if (declaration?.version !== version || !declaration) return new SentenceError('errors.outdated.button');
	const { needs, access } = declaration;
	if (needs !== undefined && !easel.service.capabilities[needs]) return new SentenceError('errors.service.notOffered');
	const known = await withRights(easel, person, place, access);
	if (access === 'moderators' && !known.moderator) return new SentenceError('log.moderatorsOnly');
	const handler = easel.actions[action as ActionName];
	return { action, handler, subject, person: known, t: translatorFor(person.locale) };
}
