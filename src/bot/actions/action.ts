import type { Reply } from '../../domain/reply.ts';
import type { ButtonPress, FormSubmission, Invocation } from '../../domain/requests.ts';
import type { ActionName } from '../declaration/actions.ts';
import { privately } from '../declaration/command.ts';
import type { RequestOutcome } from '../request-outcome.ts';

/** A command to invoke. `accepted` runs once its options have been found valid. */
export type Invoke = { invoke: Invocation; accepted?: () => Promise<void> };

/** The outcome of a press as it is counted, or the reply to post, or the command to invoke. */
export type ActionResult = RequestOutcome | { say: Reply } | Invoke;

/**
 * As `ActionResult`, or what is wrong with the form, as a sentence. `draft` is what is kept of a form that is refused; the submission by
 * default.
 */
export type SubmissionResult =
	| Exclude<ActionResult, Invoke>
	| ((Invoke | { refused: string }) & { draft?: Invocation });

/** Carries out an action. */
export type ActionHandler = {
	/** @param subject see `ActionId.subject` */
	press(press: ButtonPress, subject: string): Promise<ActionResult>;
	/** Handles the form that the press opened. */
	submit?(submission: FormSubmission, subject: string): Promise<SubmissionResult>;
};

export type ActionHandlers<Name extends ActionName = ActionName> = Readonly<Record<Name, ActionHandler>>;

/** A reply that only the person who pressed sees. */
export const say = (text: string): { say: Reply } => ({ say: privately(text) });
