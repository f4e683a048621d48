import { MAX_ACTION_ID, type Page } from '../../domain/channel.ts';
import type { CallKind, Receipt } from '../../domain/job.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError } from '../../i18n/translator.ts';
import { openStore } from '../../store/open-store.ts';
import { createPauses, DAY_MS } from '../../store/store.ts';
import { receiptsOf } from '../../usage/jobs.ts';
import { Ledger } from '../../usage/ledger.ts';
import { DEFAULT_SETTINGS, isReviewed, type Settings } from '../../usage/settings.ts';
import { callKindOf, serverWindows } from '../../usage/windows.ts';
import type { ActionHandler } from '../declaration/actions.ts';
import { screenedText } from '../declaration/command.ts';
import { MemberRates } from './policy.ts';

/** The days whose requests a rule is tried on. */
export const TRIED_DAYS = 30;

/** The most requests that are looked at, the newest. */
const MAX_REQUESTS = 10_000;

/** What a rule would have done. */
export type Trial = {
	/** How many requests of the days were looked at. */
	total: number;
	/** Those that would have been refused, or whose pictures would have waited for a moderator, oldest first. */
	affected: readonly Receipt[];
	/** Those about which nothing can be said, because their words are no longer kept. */
	unknown: number;
};

/**
 * Tries a rule on the requests that are stored: they are made again, in their order, against a ledger of their own in memory, under this rule
 * alone. Nothing is stored, sent or counted. The calls from the beginning of the month count before the days that are looked at.
 *
 * @param edit makes the rule, as the command that sets it does
 * @param show of the channel where the answer is shown
 */
export async function tryRule(
	easel: Easel,
	show: Page,
	what: CallKind,
	edit: (settings: Settings) => Settings,
): Promise<Trial> {
	const { place } = show;
	const current = await easel.settings.get(place);
	const settings = ruleAlone(current, edit(current));
	const since = easel.now() - TRIED_DAYS * DAY_MS;
	const from = serverWindows(current, since).month.startsAt;
	const receipts = await Array.fromAsync(
		receiptsOf(easel.store.space('ledger'), place, { from: from - 1, to: easel.now() + 1 }),
	);
	const made = receipts.filter((receipt) => callKindOf(receipt) === what).slice(-MAX_REQUESTS);
	const store = await openStore('memory:');
	try {
		const replay = new Replay(easel, { ...easel, store }, show, settings);
		const pause = createPauses();
		const events = made.flatMap((receipt) => [
			{ at: receipt.at, run: () => replay.ask(receipt) },
			{ at: receipt.settledAt, run: () => replay.end(receipt) },
		]);
		// Those of one moment stay in their order: a call is made before it ends, and may be given back before the next one.
		for (const { at, run } of events.sort((one, other) => one.at - other.at)) {
			replay.now = at;
			await run();
			await pause();
		}
		const looked = (receipts: readonly Receipt[]) => receipts.filter(({ at }) => at >= since);
		return {
			total: looked(made).length,
			affected: looked(replay.affected),
			unknown: looked(replay.unknown).length,
		};
	} finally {
		await store.close();
	}
}

/** Returns the settings in which nothing holds but what was added, with the windows and the grants of the server. */
function ruleAlone(before: Settings, after: Settings): Settings {
	const added = <Entry>(was: readonly Entry[], is: readonly Entry[]) => is.filter((entry) => !was.includes(entry));
	const { timeZone, previousZone, carried, grants, firstIds, language } = before;
	return {
		...{ ...DEFAULT_SETTINGS, timeZone, previousZone, carried, grants, firstIds, language },
		limits: added(before.limits, after.limits),
		bannedWords: added(before.bannedWords, after.bannedWords),
		cooldownSeconds: after.cooldownSeconds === before.cooldownSeconds ? 0 : after.cooldownSeconds,
		allowedChannels: after.allowedChannels === before.allowedChannels ? [] : after.allowedChannels,
		reviewChannels: added(before.reviewChannels, after.reviewChannels),
	};
}

/** The same requests once more, by the ledger and the rules that hold for all. */
class Replay {
	readonly affected: Receipt[] = [];
	readonly unknown: Receipt[] = [];
	/** In Unix milliseconds. */
	now = 0;
	readonly #easel: Easel;
	readonly #show: Page;
	readonly #settings: Settings;
	readonly #ledger: Ledger;
	readonly #rates: MemberRates;

	/** @param own with a store of its own */
	constructor(easel: Easel, own: Easel, show: Page, settings: Settings) {
		this.#easel = easel;
		this.#show = show;
		this.#settings = settings;
		const now = () => this.now;
		const repository = { get: async () => settings } as unknown as Easel['settings'];
		this.#ledger = new Ledger({ ...own, settings: repository, plan: { price: 0 }, ledgerObserver: undefined, now });
		this.#rates = new MemberRates(now);
	}

	async ask(receipt: Receipt): Promise<void> {
		const { id, command, what, place, person } = receipt;
		const text = this.#wordsOf(receipt);
		if (text === undefined) this.unknown.push(receipt);
		const channel = { ...this.#show, place };
		const request = { channel, person: { ...person, moderator: false }, text: text ?? '' };
		const cooldown = { count: 1, seconds: what === 'chat' ? 0 : this.#settings.cooldownSeconds };
		const checkPolicy = this.#easel.policy.checkerOf(callKindOf(receipt), request);
		// What a call has cost is known; what was reserved for it at most is not.
		const quote = { most: receipt.usd, call: { n: 1, inputs: 0 }, rows: [] };
		const call = { id, command, what, place, person, quote, message: { place, key: id } };
		const isRefused =
			this.#rates.wait(person.id, cooldown) > 0 ||
			!('state' in Object(await this.#ledger.reserve({ ...call, settings: this.#settings, checkPolicy })));
		if (!isRefused) this.#rates.take(person.id, cooldown);
		if (isRefused || isReviewed(this.#settings, place)) this.affected.push(receipt);
	}

	async end({ id, outcome, pictures, tokens, usd: paid }: Receipt): Promise<void> {
		const job = await this.#ledger.find(id);
		if (job) await this.#ledger.end(job, { outcome, pictures, tokens, paid });
	}

	/** Returns the words of a request; undefined where a rule needs them, and they are no longer kept. */
	#wordsOf(receipt: Receipt): string | undefined {
		if (this.#settings.bannedWords.length === 0) return '';
		const request = this.#easel.requests.of(receipt);
		const command = this.#easel.catalogue.find(request?.command ?? '');
		return request && command?.makes === 'pictures' ? screenedText(command, request.options) : undefined;
	}
}

/** Returns what **Apply** carries: the command that sets a rule, with its options. Undefined when it is too long for a button. */
export function ruleSubject(command: string, options: Readonly<Record<string, unknown>>): string | undefined {
	const given = Object.entries(options).filter(([, value]) => value !== undefined);
	const subject = [command, ...given.map(([name, value]) => `${name}=${value}`)].join('|');
	const isClear = given.every(([, value]) => !String(value).includes('|'));
	return isClear && subject.length <= MAX_ACTION_ID - 'apply:1:'.length ? subject : undefined;
}

/** Makes a rule hold that was tried: the same as its command, which checks everything once more. */
export const applyAction: ActionHandler = {
	async press({ id, person, channel }, subject) {
		const [command = '', ...given] = subject.split('|');
		const options = Object.fromEntries(
			given.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
		);
		if (!command.startsWith('limits ')) return new SentenceError('errors.outdated.button');
		return { invoke: { id, command, options, person, channel } };
	},
};
