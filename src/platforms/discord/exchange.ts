import { type APIInteraction, DiscordAPIError, InteractionResponseType, RESTJSONErrorCodes } from 'discord.js';
import type { Log } from '../../log.ts';
import { DEFER_AFTER_MS, TOKEN_MS } from './limits.ts';
import { type Body, flagsOf } from './reply-body.ts';
import type { Token, Where, Wire } from './wire.ts';

type ModalResponse = Extract<Parameters<Wire['respond']>[2], { type: InteractionResponseType.Modal }>;

/** One interaction, and what can be said by its token. */
export type Exchange = {
	token: Token;
	/** Nothing has been answered yet: the next message is the answer itself. */
	isOpen(): boolean;
	/** Undefined when the token is good for nothing any more, and nothing was said. */
	say(body: Body, isPrivate: boolean): Promise<Where | undefined>;
	/** Shows a form; only as the first answer. */
	open(modal: ModalResponse['data']): Promise<void>;
	/** Answers in silence where that is possible and nothing was answered yet. */
	acknowledge(): Promise<void>;
	/** Nothing more comes. Never rejects. */
	end(): Promise<void>;
};

/**
 * `open`: Discord waits for an answer. `thinking`: it was promised, and everybody sees that. `answered`: whatever is said now
 * is a message of its own. `over`: the token does not work.
 */
type State = 'open' | 'thinking' | 'answered' | 'over';

/** Answers one interaction: at once with the first message, or after two seconds with the promise of one. */
export function createExchange(options: { wire: Wire; interaction: APIInteraction; log: Log }): Exchange {
	const { wire, log } = options;
	const { id, application_id: application, token: secret, message, channel } = options.interaction;
	const token = { application, token: secret, until: Date.now() + TOKEN_MS };
	/** From a message, so that no answer need be shown at all. */
	const canBeSilent = message !== undefined;
	let state: State = 'open';
	let queue: Promise<unknown> = Promise.resolve();

	/** Answers go out one after the other: what the second is depends on what became of the first. */
	function inTurn<T>(work: () => Promise<T>): Promise<T> {
		const turn = queue.then(work);
		queue = turn.catch(() => {});
		return turn;
	}

	async function respond(response: Parameters<Wire['respond']>[2], then: State) {
		try {
			const message = await wire.respond(id, token, response);
			state = then;
			return message;
		} catch (error) {
			// Delivered twice, and the other one was quicker; or we were too slow.
			const code = error instanceof DiscordAPIError ? error.code : undefined;
			if (code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged) state = 'answered';
			else if (code === RESTJSONErrorCodes.UnknownInteraction) state = 'over';
			else throw error;
			log.warn({ err: error, interaction: id }, 'An interaction could not be answered in time');
			return undefined;
		}
	}

	const promise = (isPrivate: boolean) =>
		respond({ type: InteractionResponseType.DeferredChannelMessageWithSource, data: flagsOf(isPrivate) }, 'thinking');

	const whereOf = (message: string, isPrivate: boolean): Where => ({
		...{ channel: channel?.id ?? '', message, via: token },
		...(isPrivate && { private: true }),
	});

	/** The first answer, and whether those who see it are the right ones. */
	async function answer(body: Body, isPrivate: boolean): Promise<Where | undefined> {
		let promisedTo: 'all' | 'one' = 'all';
		if (state === 'open' && body.files.length === 0) {
			const data = { ...body.payload, ...flagsOf(isPrivate) } as { content: string };
			const sent = await respond({ type: InteractionResponseType.ChannelMessageWithSource, data }, 'answered');
			if (sent) return whereOf(sent.id, isPrivate);
		} else if (state === 'open') {
			// Files take their time on the way, more than Discord waits.
			await promise(isPrivate);
			promisedTo = isPrivate ? 'one' : 'all';
		}
		if (state !== 'thinking') return undefined;
		state = 'answered';
		const original = whereOf('@original', promisedTo === 'one');
		if (isPrivate === (promisedTo === 'one')) return whereOf((await wire.edit(original, body)).id, isPrivate);
		// Everybody saw a promise that only one person may see kept.
		await wire.remove(original);
		return undefined;
	}

	async function say(body: Body, isPrivate: boolean): Promise<Where | undefined> {
		if (Date.now() >= token.until) return undefined;
		try {
			const first = state === 'open' || state === 'thinking' ? await answer(body, isPrivate) : undefined;
			if (first || (state as State) === 'over') return first;
			return whereOf((await wire.followUp(token, body, isPrivate)).id, isPrivate);
		} catch (error) {
			if (!(error instanceof DiscordAPIError && [401, 404].includes(error.status))) throw error;
			log.warn({ err: error, interaction: id }, 'The token of an interaction has ended early');
			state = 'over';
			return undefined;
		}
	}

	const silently = async () => {
		if (state === 'open' && canBeSilent)
			await respond({ type: InteractionResponseType.DeferredMessageUpdate }, 'answered');
	};

	const timer = setTimeout(() => {
		inTurn(async () => {
			if (canBeSilent) return silently();
			if (state === 'open') await promise(false);
		}).catch((error: unknown) => log.warn({ err: error, interaction: id }, 'An interaction could not be deferred'));
	}, DEFER_AFTER_MS).unref();

	return {
		token,
		isOpen: () => state === 'open',
		say: (body, isPrivate) => inTurn(() => say(body, isPrivate)),
		open: (data) =>
			inTurn(async () => {
				if (state !== 'open') throw new Error('A form can only be the first answer');
				await respond({ type: InteractionResponseType.Modal, data }, 'answered');
			}),
		acknowledge: () => inTurn(silently),
		async end() {
			clearTimeout(timer);
			await inTurn(async () => {
				await silently();
				if (state === 'thinking') await wire.remove(whereOf('@original', false));
			}).catch((error: unknown) => log.warn({ err: error, interaction: id }, 'An interaction stays unanswered'));
		},
	};
}
