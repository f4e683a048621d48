import { setTimeout as sleep } from 'node:timers/promises';
import type { Keyv } from 'keyv';
import type { Channel } from '../../../domain/channel.ts';
import type { Place } from '../../../domain/place.ts';
import { translatorFor } from '../../../i18n/translator.ts';
import type { Log } from '../../../log.ts';
import type { SlackChannels } from '../outbound/channels.ts';
import type { IndexedSpace, SlackMessageRecords } from '../outbound/message-records.ts';
import type { SlackRequester } from '../outbound/slack-requester.ts';
import type { People } from '../people/people.ts';
import type { Dedupe } from './dedupe.ts';

/** As long as Slack takes replies to an action. https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
const TTL_MS = 30 * 60_000;
/** An acknowledgement waits no longer for the store. Slack itself waits 3 s. */
const MAX_STORING_MS = 800;
const SWEEP_EVERY_MS = 5000;
/** A request of which nothing is shown after this time has lost its process. */
const LOST_AFTER_MS = 5000;

const INDEX = 'asked';
const PAGE = 100;

/** What is needed to answer a request without running it. */
type Asked = {
	server: string;
	place: Place;
	requester: SlackRequester;
	/** Unix milliseconds. */
	at: number;
};

type AskedOptions = {
	keyv: Keyv;
	space: IndexedSpace;
	channels: Pick<SlackChannels, 'channel'>;
	people: Pick<People, 'person'>;
	index: Pick<SlackMessageRecords, 'find'>;
	dedupe: Dedupe;
	log: Log;
};

/**
 * Actions of people that are not answered yet. Each is stored before it is acknowledged: Slack does not deliver it again, so that the next
 * process answers it when this one is killed. Requests that the core has taken over have a message of their own, and are left to it.
 */
export class AskedRequests {
	readonly #options: AskedOptions;
	/** The requests that this process works on. */
	readonly #running = new Set<string>();
	#timer: NodeJS.Timeout | undefined;

	constructor(options: AskedOptions) {
		this.#options = options;
	}

	/** Stores a request. Never rejects, and does not wait long: without the store, it is acknowledged all the same. */
	async store({ id, server, place, requester }: Omit<Asked, 'at'> & { id: string }): Promise<void> {
		const { space, dedupe, log } = this.#options;
		this.#running.add(id);
		const value: Asked = { server, place, requester, at: Date.now() };
		// Of a request that is delivered twice, only the first is stored, and run.
		const stored = dedupe.firstBy(`${server}:${id}`, async (seen) => {
			const put = [seen, { key: keyOf(id), value, ttlMs: TTL_MS }];
			const index = [{ index: INDEX, member: id, ttlMs: TTL_MS }];
			return (await space.commit({ once: seen.key, put, index })) === 'done';
		});
		const late = new AbortController();
		const failed = stored.catch((err: unknown) => log.error({ err }, 'A request could not be stored'));
		await Promise.race([failed, sleep(MAX_STORING_MS, undefined, { signal: late.signal }).catch(() => {})]);
		late.abort();
	}

	/** Returns the channel of a request, with whose first message the request is answered: what follows is found by that message. */
	answeredIn(id: string, channel: Channel): Channel {
		const space = this.#options.keyv.namespace ?? '';
		return {
			...channel,
			announce(...args) {
				const announced = channel.announce?.(...args);
				const removal = { remove: [{ space, key: keyOf(id) }], unindex: [{ space, index: INDEX, member: id }] };
				return announced && { ...announced, ...removal };
			},
			// Its announcement has removed the request.
			post: (reply, key, options) =>
				channel.post(reply, key, options).finally(() => this.answered(id, options?.isAnnounced)),
			openThread: (...args) => channel.openThread(...args).finally(() => this.answered(id)),
		};
	}

	/** Removes a request that is answered, if it is still there. */
	async answered(id: string, isRemoved = false): Promise<void> {
		if (this.#running.delete(id) && !isRemoved) await this.#remove(id);
	}

	/** Begins to answer what ended processes have left. */
	start(): void {
		this.#timer ??= setInterval(() => void this.#sweep(), SWEEP_EVERY_MS).unref();
	}

	stop(): void {
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	async #sweep(): Promise<void> {
		const { space, log } = this.#options;
		try {
			for (let after: string | undefined; ; ) {
				const ids = await space.members(INDEX, { limit: PAGE, ...(after !== undefined && { after }) });
				for (const id of ids) if (!this.#running.has(id)) await this.#answer(id);
				after = ids.at(-1);
				if (ids.length < PAGE) return;
			}
		} catch (error) {
			log.warn({ err: error }, 'Requests of an ended process could not be answered');
		}
	}

	async #answer(id: string): Promise<void> {
		const { keyv, channels, people, index } = this.#options;
		const asked = await keyv.get<Asked>(keyOf(id));
		if (!asked) return this.#remove(id);
		if (Date.now() < asked.at + LOST_AFTER_MS || (await index.find(id))) return;
		const { server, place, requester } = asked;
		const t = translatorFor((await people.person(server, requester.user)).locale);
		const text = t('errors.stopped', { cost: t('errors.cost.none') });
		await channels.channel(place, requester).post({ text, visibility: 'private' }, id, { ifAbsent: true });
		await this.#remove(id);
	}

	async #remove(id: string): Promise<void> {
		const { space, log } = this.#options;
		await space
			.commit({ remove: [keyOf(id)], unindex: [{ index: INDEX, member: id }] })
			.catch((err: unknown) => log.warn({ err }, 'An answered request could not be removed'));
	}
}

const keyOf = (id: string) => `asked:${id}`;
