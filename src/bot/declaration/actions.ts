import { type Button, encodeActionId, type Reply } from '../../domain/channel.ts';
import type { ActionAccess } from '../../domain/command.ts';
import type { ButtonPress, FormSubmission, Invocation, RequestOutcome } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import type { MessageId, SentenceError, Translate } from '../../i18n/translator.ts';
import type { Capabilities } from '../../service/service.ts';
import { type Command, privately } from './command.ts';

/** The one declaration of an action: what its buttons look like and who may press them. */
type ActionDeclaration = {
	/** See `ActionId.version`. */
	version: number;
	/** The label of its buttons; of several by subject. */
	label: MessageId | Readonly<Record<string, MessageId>>;
	danger?: true;
	/**
	 * - `everyone`
	 * - `requester`: the person it concerns, or a moderator. Its handler checks that, since only it knows the person.
	 * - `viewers`: people who may see the result or the list; moderators may see more. Its handler checks that.
	 * - `moderators`: checked before its handler is called
	 */
	access: ActionAccess;
	/** What it changes is there for several people, of whom one is enough to change it when all press at once. */
	shared?: true;
	/** The required capability of the service. Buttons stay under messages when it is gone. */
	needs?: Command['needs'];
};

export const ACTIONS = {
	// Under the status of a request. The subject is the job.
	cancel: { version: 1, label: 'buttons.cancel', access: 'requester' },
	// Under results. The subject is the job; of the actions on its pictures, see `ResultSubject`.
	again: { version: 1, label: 'buttons.again', access: 'everyone' },
	vary: { version: 1, label: 'buttons.vary', access: 'everyone', needs: 'edit' },
	edit: { version: 1, label: 'buttons.edit', access: 'everyone', needs: 'edit' },
	reference: { version: 1, label: 'buttons.reference', access: 'everyone', needs: 'compose' },
	download: { version: 1, label: 'buttons.download', access: 'everyone' },
	alt: { version: 1, label: 'buttons.alt', access: 'requester' },
	delete: { version: 1, label: 'buttons.delete', danger: true, access: 'requester' },
	// Under the file of a result. The subject is a `ResultSubject` whose first picture is the one.
	sticker: { version: 1, label: 'buttons.sticker', access: 'viewers' },
	// Under the question whether to delete a result. The subject is the job, and the key of the message from which it was asked.
	confirmDelete: { version: 1, label: 'buttons.confirmDelete', danger: true, access: 'requester' },
	// Under an answer that leaves out what few ask about. The subject is the command, and the member that it is about.
	more: { version: 1, label: 'buttons.more', access: 'everyone' },
	// In the menu of messages. The subject is `menu`.
	about: { version: 1, label: 'menu.about', access: 'viewers' },
	// Under a list of results. The subject is the job; of the others, whose page it is and where it begins.
	result: { version: 1, label: 'buttons.showResult', access: 'viewers' },
	newest: { version: 1, label: 'buttons.newest', access: 'viewers' },
	older: { version: 1, label: 'buttons.older', access: 'viewers' },
	// Under a person's own references. The subject is `tray`.
	compose: { version: 1, label: 'buttons.compose', access: 'everyone', needs: 'compose' },
	clear: { version: 1, label: 'buttons.clearReferences', access: 'everyone' },
	// Under a request that was refused, or that failed by its words. The subject is the request.
	reopen: { version: 1, label: 'buttons.tryAgain', access: 'requester' },
	change: { version: 1, label: 'buttons.changePrompt', access: 'requester' },
	// Under a person's own usage. The subject is `mine`.
	collect: { version: 1, label: 'buttons.showUndelivered', access: 'everyone' },
	// Under the question whether to erase a person's data. The subject is when it expires, and the person.
	erase: { version: 1, label: 'buttons.eraseData', danger: true, access: 'requester' },
	// Under answers in chat threads. The subject is the answer's key.
	stop: { version: 1, label: 'buttons.stop', danger: true, access: 'requester' },
	retry: { version: 1, label: 'buttons.retry', access: 'requester', shared: true },
	continue: { version: 1, label: 'buttons.continue', access: 'everyone', shared: true },
	draw: { version: 1, label: 'buttons.draw', access: 'everyone' },
	// Under help. The subject is the example.
	example: {
		version: 1,
		label: {
			draw: 'buttons.example.draw',
			chat: 'buttons.example.chat',
			history: 'buttons.example.history',
			usage: 'buttons.example.usage',
			limits: 'buttons.example.limits',
		},
		access: 'everyone',
	},
	// In chat threads. The subject is `thread`, or the setting to change to.
	forget: { version: 1, label: 'buttons.forget', access: 'everyone', shared: true },
	mentions: {
		version: 1,
		label: { all: 'buttons.answerAll', only: 'buttons.answerMentions' },
		access: 'everyone',
		shared: true,
	},
	// Under the question whether every member may see the moderation log. The subject is the channel.
	useLog: { version: 1, label: 'buttons.useLog', danger: true, access: 'moderators' },
	// Under the report of a month. The subject is `unknown`.
	refund: { version: 1, label: 'buttons.refund', access: 'moderators' },
	// Under a rule that was tried. The subject is the command that sets it, with its options.
	apply: { version: 1, label: 'buttons.apply', access: 'moderators' },
	// Under entries of the moderation log. The subject is the job.
	remove: { version: 1, label: 'buttons.remove', danger: true, access: 'moderators' },
	block: { version: 1, label: 'buttons.block', danger: true, access: 'moderators', shared: true },
	hide: { version: 1, label: 'buttons.hide', access: 'moderators', shared: true },
	confirmRemove: { version: 1, label: 'buttons.confirmRemove', danger: true, access: 'moderators', shared: true },
	cancelRemove: { version: 1, label: 'buttons.cancel', access: 'moderators' },
	unblock: { version: 1, label: 'buttons.unblock', access: 'moderators', shared: true },
	uncover: { version: 1, label: 'buttons.uncover', access: 'moderators', shared: true },
	approve: { version: 1, label: 'buttons.approve', access: 'moderators' },
	reject: { version: 1, label: 'buttons.reject', danger: true, access: 'moderators' },
} as const satisfies Readonly<Record<string, ActionDeclaration>>;

export type ActionName = keyof typeof ACTIONS;

export const declarationOf = (action: string): ActionDeclaration | undefined =>
	Object.hasOwn(ACTIONS, action) ? ACTIONS[action as ActionName] : undefined;

/** Tells whether a service with these capabilities can carry out an action. */
export function isAvailable(action: ActionName, capabilities: Capabilities): boolean {
	const { needs }: ActionDeclaration = ACTIONS[action];
	return needs === undefined || capabilities[needs];
}

export function actionButton(t: Translate, action: ActionName, subject: string): Button {
	const { version, label, danger }: ActionDeclaration = ACTIONS[action];
	const message = typeof label === 'string' ? label : label[subject];
	if (message === undefined) throw new TypeError(`The action ${action} has no label for this subject`);
	return { id: encodeActionId({ action, version, subject }), label: t(message), kind: danger && 'danger' };
}

/** A command to invoke. `accepted` runs once its options have been found valid. */
export type Invoke = { invoke: Invocation; accepted?: () => Promise<void> };

/** The outcome of a press as it is counted, or the reply to post, or why nothing comes of it, or the command to invoke. */
export type ActionResult = RequestOutcome | { reply: Reply } | SentenceError | Invoke;

/** As `ActionResult`, or what is wrong with the form. `draft` is what is kept of a form that is refused; the submission by default. */
export type SubmissionResult =
	| Exclude<ActionResult, Invoke>
	| ((Invoke | { refusal: SentenceError }) & { draft?: Invocation });

/** What handlers get besides the press, as commands do. `t` translates into the person's language. */
export type ActionContext = { easel: Easel; t: Translate };

export type ActionHandler = {
	/** @param subject see `ActionId.subject` */
	press(press: ButtonPress, subject: string, context: ActionContext): Promise<ActionResult>;
	/** Handles the form that the press opened. */
	submit?(submission: FormSubmission, subject: string, context: ActionContext): Promise<SubmissionResult>;
};

export type ActionHandlers<Name extends ActionName = ActionName> = Readonly<Record<Name, ActionHandler>>;

/** A reply that only the person who pressed sees. */
export const reply = (text: string): { reply: Reply } => ({ reply: privately(text) });

/** Returns the button of an answer that leaves something out. @param member whom the answer is about; the reader by default */
export const moreButton = (t: Translate, command: string, member?: string): Button =>
	actionButton(t, 'more', [command.replace(' ', '.'), member ?? ''].join(':'));

/** Runs the command of the subject again, with all of its answer. */
export const moreAction: ActionHandler = {
	async press({ id, person, channel }, subject) {
		const [, command = '', member] = /^([^:]*):(.*)$/.exec(subject) ?? [];
		const options = { all: true, ...(member && { member }) };
		return { invoke: { id, command: command.replace('.', ' '), options, person, channel } };
	},
};
