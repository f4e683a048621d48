import { setTimeout as sleep } from 'node:timers/promises';
import {
	RESTJSONErrorCodes as Code,
	DiscordAPIError,
	HTTPError,
	type InternalRequest,
	REST,
	RESTEvents,
	type RESTOptions,
	RequestMethod,
} from 'discord.js';
import type { Place } from '../../../domain/channel.ts';
import { type MessageId, PlatformRefusedError, SentenceError, UploadTooLargeError } from '../../../i18n/translator.ts';
import type { DiscordOptions } from '../discord.ts';

/** Until the response begins, upload included. The library's default of 15 s is too short for 10 MB on a slow connection. */
const TIMEOUT_MS = 60_000;

/**
 * How often queues that are empty, and whose rate limit is not used up, are forgotten. Every interaction has its own, which takes 1 kB; the
 * library's default is an hour.
 */
const QUEUE_SWEEP_MS = 10_000;

/** How many requests Discord refuses before a warning. It bans an address after 10,000 in ten minutes. */
const REFUSALS_PER_WARNING = 100;

/** https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans */
const INVALID_STATUSES: readonly number[] = [401, 403, 429];

type ClientOptions = Pick<DiscordOptions, 'apiUrl' | 'onInvalidRequest' | 'onRateLimitWait' | 'log'>;

/**
 * Options of the library's REST client, which make it use Node's own fetch and forms. By default it takes the forms of one copy of undici
 * and the fetch of another one, and every upload fails when these are of different versions.
 */
export const restOptions = (apiUrl: string): Partial<RESTOptions> => ({
	api: apiUrl.replace(/(?<!\/)\/+$/, ''),
	timeout: TIMEOUT_MS,
	retries: 0,
	handlerSweepInterval: QUEUE_SWEEP_MS,
	invalidRequestWarningInterval: REFUSALS_PER_WARNING,
	makeRequest: send as unknown as RESTOptions['makeRequest'],
});

/** How long a request is not repeated that Cloudflare refuses without saying so, in seconds. */
const UNTOLD_RETRY_S = 10;

/**
 * Adds to a refusal for the rate limit when to try again. The library reads that from the header alone, and tries again at once without
 * it. https://github.com/openclaw/openclaw/pull/74489
 */
async function send(url: string, init: RequestInit): Promise<Response> {
	const response = await fetch(url, init);
	if (response.status !== 429 || Number(response.headers.get('retry-after')) > 0) return response;
	const told = (await response.json().catch(() => undefined)) as { retry_after?: unknown } | undefined;
	const headers = new Headers(response.headers);
	headers.set('retry-after', String(Number(told?.retry_after) || UNTOLD_RETRY_S));
	return new Response(null, { status: 429, headers });
}

const MAX_ATTEMPTS = 4;

/** How long a request that Discord failed is not repeated, in milliseconds. */
const FAILURE_PAUSE_MS = 250;

const isConnectionFailure = (error: unknown) =>
	error instanceof Error && (error.name === 'AbortError' || error.message === 'fetch failed');

/** @param find for a request that has another effect each time: returns what an earlier attempt has made, or undefined */
type Request = InternalRequest & { find?: () => Promise<unknown> };

/**
 * A client that repeats what failed, unless its effect is found, and that keeps its token: the library forgets it at a 401, with which
 * Discord answers to valid ones as well while it fails. https://github.com/discordjs/discord.js/issues/10958
 */
export class DiscordRest extends REST {
	/**
	 * Sends what needs no token of the bot, such as requests with an interaction's. Discord does not count them towards the bot's global
	 * limit, while the library would. https://docs.discord.com/developers/interactions/receiving-and-responding#endpoints
	 */
	readonly tokenless: REST;

	constructor({ apiUrl, log, onRateLimitWait, onInvalidRequest }: ClientOptions) {
		super(restOptions(apiUrl));
		this.tokenless = new REST({ ...restOptions(apiUrl), globalRequestsPerSecond: Number.POSITIVE_INFINITY });
		for (const client of [this, this.tokenless]) {
			client.on(RESTEvents.RateLimited, ({ route, timeToReset, scope, global }) => {
				log.debug({ route, timeToReset, scope, global }, 'A request waits for Discord’s rate limit');
				onRateLimitWait?.(timeToReset / 1000);
			});
			client.on(RESTEvents.Response, ({ method, route }, { status }) => {
				if (status >= 500) log.warn({ method, route, status }, 'Discord failed a request');
				if (INVALID_STATUSES.includes(status)) onInvalidRequest?.(status);
			});
			client.on(RESTEvents.InvalidRequestWarning, ({ count }) =>
				log.warn({ count }, 'Discord has refused many requests; it bans an address after 10,000 in ten minutes'),
			);
		}
	}

	override setToken(token: string | null): this {
		return token === null ? this : super.setToken(token);
	}

	override async request({ find, ...request }: Request): Promise<unknown> {
		for (let attempt = 1; ; attempt++) {
			try {
				return await (request.auth === false ? this.tokenless.request(request) : super.request(request));
			} catch (error) {
				const isLost =
					error instanceof HTTPError || (request.method !== RequestMethod.Get && isConnectionFailure(error));
				if (!isLost || request.signal?.aborted) throw error;
				await sleep(FAILURE_PAUSE_MS);
				const found = await find?.();
				if (found) return found;
				if (attempt === MAX_ATTEMPTS) throw error;
			}
		}
	}

	/** Ends the timers, which keep the client in memory. */
	end(): void {
		for (const client of [this, this.tokenless]) {
			client.clearHashSweeper();
			client.clearHandlerSweeper();
		}
	}
}

/** The REST client with the bot's token. The library queues requests by Discord's rate limits. */
export const createRest = ({ token, ...options }: ClientOptions & { token: string }): DiscordRest =>
	new DiscordRest(options).setToken(token);

/** The kinds of threads that do not start from a message. In forums every thread is a post, which has a first message of its own. */
export type ThreadKind = 'public' | 'private' | 'announcement' | 'post';

/** What is done: a message is written, or a thread is opened. */
type Purpose = 'message' | ThreadKind;

/**
 * Rejects with a `PlatformRefusedError` for an error of Discord's that a person can do something about, with a `SentenceError` for one that
 * passes, else with the error itself.
 */
export async function translateErrors<Result>(purpose: Purpose, place: Place, work: Promise<Result>): Promise<Result> {
	try {
		return await work;
	} catch (error) {
		if (isPassing(error)) throw new SentenceError('discord.errors.passing', undefined, { cause: error });
		throw (error instanceof DiscordAPIError && refusalOf(error, purpose, place)) || error;
	}
}

const PASSING: readonly unknown[] = [
	Code.ActionCannotBePerformedDueToSlowmodeRateLimit,
	Code.ChannelWriteRateLimit,
	Code.SendMessagesHasBeenTemporarilyDisabled,
	Code.FeatureTemporarilyDisabledServerSide,
	Code.CloudflareIsBlockingYourRequest,
];

/** Tells whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
	if (error instanceof DiscordAPIError) return !isFromDiscord(error) || PASSING.includes(error.code);
	return error instanceof HTTPError || isConnectionFailure(error);
}

/** A proxy before Discord answers without a code, and Discord itself does so, with 401, while it fails. */
const isFromDiscord = ({ code }: DiscordAPIError) => Number(code) > 0;

/**
 * The sentence for each code.
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
 */
const SENTENCES: Readonly<Record<number, MessageId | ((purpose: Purpose, place: Place) => MessageId)>> = {
	[Code.UnknownChannel]: 'discord.errors.channelGone',
	[Code.MissingAccess]: (_, { direct }) => (direct ? 'discord.errors.notMember' : 'discord.errors.view'),
	[Code.MissingPermissions]: (purpose) => MISSING_PERMISSIONS[purpose],
	[Code.InvalidActionOnArchivedThread]: 'discord.errors.closedThread',
	[Code.ThreadLocked]: 'discord.errors.lockedThread',
	[Code.MaximumActiveThreads]: 'discord.errors.threadLimit',
	[Code.MaximumActiveAnnouncementThreads]: 'discord.errors.threadLimit',
	[Code.CannotExecuteActionOnThisChannelType]: (purpose) =>
		purpose === 'private' ? 'discord.errors.noPrivateThreads' : 'discord.errors.noThreads',
	[Code.TagRequiredToCreateAForumPostInThisChannel]: 'discord.errors.forumTags',
	[Code.ThereAreNoTagsAvailableThatCanBeSetByNonModerators]: 'discord.errors.forumTags',
	[Code.CannotSendMessagesInNonTextChannel]: 'discord.errors.unpostable',
	[Code.CannotSendMessagesToThisUser]: 'discord.errors.direct',
	[Code.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds]: 'discord.errors.noSharedServer',
	[Code.ThisInteractionHasHitTheMaximumNumberOfFollowUpMessages]: 'discord.errors.answersUsedUp',
	// “Cannot message this thread until after the post author has sent an initial message”
	[Code.CannotSendAMessageInAForumChannel]: 'discord.errors.authorFirst',
	[Code.MessageWasBlockedByAutomaticModeration]: 'discord.errors.autoMod',
	[Code.TitleWasBlockedByAutomaticModeration]: 'discord.errors.autoModTitle',
	[Code.ExplicitContentCannotBeSentToTheDesiredRecipient]: 'discord.errors.explicit',
	[Code.MessageBlockedByHarmfulLinksFilter]: 'discord.errors.harmfulLink',
	[Code.AccessToFileUploadsHasBeenLimitedForThisGuild]: 'discord.errors.uploadsLimited',
	[Code.RequestEntityTooLarge]: 'discord.errors.uploadSize',
	[Code.FileUploadedExceedsMaximumSize]: 'discord.errors.uploadSize',
};

const MISSING_PERMISSIONS: Readonly<Record<Purpose, MessageId>> = {
	message: 'discord.errors.post',
	public: 'discord.errors.threads',
	announcement: 'discord.errors.threads',
	post: 'discord.errors.forum',
	private: 'discord.errors.privateThreads',
};

/** The sentences about the forum that a thread is in. */
const ABOUT_FORUMS: readonly MessageId[] = ['discord.errors.forum', 'discord.errors.forumTags'];

function refusalOf(cause: DiscordAPIError, purpose: Purpose, place: Place): PlatformRefusedError | undefined {
	const { thread, channel } = place;
	const found = SENTENCES[Number(cause.code)];
	const sentence = typeof found === 'function' ? found(purpose, place) : found;
	if (!sentence) return undefined;
	const where = `<#${ABOUT_FORUMS.includes(sentence) ? channel : (thread ?? channel)}>`;
	const Refused = sentence === 'discord.errors.uploadSize' ? UploadTooLargeError : PlatformRefusedError;
	return new Refused(sentence, { where, threads: thread === undefined ? 'no' : 'yes' }, { cause });
}

/** Tells whether something is gone, never existed, or is no longer visible to the bot. */
export const isMissing = (error: unknown) => hasStatus(error, 401, 403, 404);

/** Tells whether something does not exist any more, or can be reached by nobody, such as a private message without its token. */
export const isGone = (error: unknown) => hasStatus(error, 401, 404);

const hasStatus = (error: unknown, ...statuses: number[]) =>
	error instanceof DiscordAPIError && isFromDiscord(error) && statuses.includes(error.status);

export const codeOf = (error: unknown) => (error instanceof DiscordAPIError ? error.code : undefined);

export const isUnknownMessage = (error: unknown) => codeOf(error) === Code.UnknownMessage;

export const isTokenRefused = (error: unknown) =>
	codeOf(error) === Code.InvalidWebhookToken || codeOf(error) === Code.UnknownWebhook;

export const isAcknowledged = (error: unknown) => codeOf(error) === Code.InteractionHasAlreadyBeenAcknowledged;

/** Turns a rejection for something missing into undefined: `request.catch(ignoreMissing)`. */
export function ignoreMissing(error: unknown): undefined {
	if (!isMissing(error)) throw error;
}
