import {
	type APIInteraction,
	ApplicationIntegrationType,
	DiscordAPIError,
	InteractionContextType,
	InteractionResponseType,
	RESTJSONErrorCodes,
} from 'discord.js';
import type { Log } from '../../../log.ts';
import type { DiscordApi, RequestRoute, Token } from '../api/api.ts';
import { DEFER_AFTER_MS, TOKEN_MS } from '../api/limits.ts';
import { flagsOf, type MessageBody, messageBodyOf } from '../api/reply-body.ts';

type ModalResponse = Extract<Parameters<DiscordApi['respond']>[2], { type: InteractionResponseType.Modal }>;

/** One interaction, and what can be said by its token. */
export type InteractionResponder = {
	token: Token;
	/** Whose interaction it is, by their id. */
	asker: string | undefined;
	/** Only people have brought the bot along: beside a few answers to them it may do nothing there. */
	isVisiting: boolean;
	/** What is said next, to all or to one, is the answer itself, or takes the place of its promise: `@original`. */
	isOriginalNext(isPrivate: boolean): boolean;
	/** Undefined when the token is good for nothing any more, and nothing was said. */
	say(body: MessageBody, isPrivate: boolean): Promise<RequestRoute | undefined>;
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
export function createInteractionResponder(options: {
	api: DiscordApi;
	interaction: APIInteraction;
	/** Milliseconds until an answer is promised. */
	deferAfterMs?: number | undefined;
	log: Log;
}): InteractionResponder {
	const { api, log, deferAfterMs = DEFER_AFTER_MS } = options;
	const { id, application_id: application, token: secret, message, channel, member, user } = options.interaction;
	const token = { application, token: secret, until: Date.now() + TOKEN_MS };
	/** From a message, so that no answer need be shown at all. */
	const canBeSilent = message !== undefined;
	let state: State = 'open';
	let promisedToAll = true;
	let queue: Promise<unknown> = Promise.resolve();

	/** Answers go out one after the other: what the second is depends on what became of the first. */
	function inTurn<T>(work: () => Promise<T>): Promise<T> {
		const turn = queue.then(work);
		queue = turn.catch(() => {});
		return turn;
	}

	async function respond(response: Parameters<DiscordApi['respond']>[2], then: State) {
		try {
			const message = await api.respond(id, token, response);
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

	async function promise(isPrivate: boolean): Promise<void> {
		promisedToAll = !isPrivate;
		await respond(
			{ type: InteractionResponseType.DeferredChannelMessageWithSource, data: flagsOf(isPrivate) },
			'thinking',
		);
	}

	const whereOf = (message: string, isPrivate: boolean): RequestRoute => ({
		channel: channel?.id ?? '',
		message,
		via: token,
		...(isPrivate && { private: true }),
	});

	/** Undefined when it is not the first answer after all. */
	async function answerAtOnce(body: MessageBody, isPrivate: boolean): Promise<RequestRoute | undefined> {
		const data = { ...body.payload, ...flagsOf(isPrivate) } as { content: string };
		const sent = await respond({ type: InteractionResponseType.ChannelMessageWithSource, data }, 'answered');
		if (sent) return whereOf(sent.id, isPrivate);
		// It may have been this very answer, of which Discord had said that it failed.
		const there = state === 'answered' ? await api.read(whereOf('@original', isPrivate)) : undefined;
		return there && there.content === data.content.trim() ? whereOf(there.id, isPrivate) : undefined;
	}

	async function keepPromise(body: MessageBody, isPrivate: boolean): Promise<RequestRoute> {
		state = 'answered';
		const original = whereOf('@original', !promisedToAll);
		if (isPrivate !== promisedToAll) return whereOf((await api.edit(original, body)).id, isPrivate);
		// Everybody saw a promise of what is for one. What comes right after a promise takes its place, for all who saw that; so it
		// is kept in a word, which is then taken away.
		await api.edit(original, messageBodyOf({ text: '…' }));
		const { id: message } = await api.followUp(token, body, isPrivate);
		await api.remove(original);
		return whereOf(message, isPrivate);
	}

	async function answer(body: MessageBody, isPrivate: boolean): Promise<RequestRoute | undefined> {
		if (state === 'open' && body.files.length === 0) return answerAtOnce(body, isPrivate);
		// Files take their time on the way, more than Discord waits.
		if (state === 'open') await promise(isPrivate);
		return (state as State) === 'thinking' ? keepPromise(body, isPrivate) : undefined;
	}

	async function say(body: MessageBody, isPrivate: boolean): Promise<RequestRoute | undefined> {
		if (Date.now() >= token.until) return undefined;
		try {
			const first = state === 'open' || state === 'thinking' ? await answer(body, isPrivate) : undefined;
			if (first || (state as State) === 'over') return first;
			return whereOf((await api.followUp(token, body, isPrivate)).id, isPrivate);
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
	}, deferAfterMs).unref();

	return {
		token,
		asker: member?.user.id ?? user?.id,
		isVisiting: isVisiting(options.interaction),
		isOriginalNext: (isPrivate) => state === 'open' || (state === 'thinking' && isPrivate !== promisedToAll),
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
				if (state === 'thinking') await api.remove(whereOf('@original', false));
			}).catch((error: unknown) => log.warn({ err: error, interaction: id }, 'An interaction stays unanswered'));
		},
	};
}

/** The bot is no member there: a server that has not added it, or direct messages between people. */
const isVisiting = ({ guild_id: server, context, authorizing_integration_owners: owners }: APIInteraction) =>
	server === undefined
		? context === InteractionContextType.PrivateChannel
		: owners[ApplicationIntegrationType.GuildInstall] !== server;
