import { type Translate, translatorFor } from '../i18n/translator.ts';
import type { Log } from '../log.ts';
import type { Service } from '../service/service.ts';
import type { Store } from '../store/store.ts';
import { createDesk } from '../usage/desk.ts';
import type { Plan } from '../usage/layers.ts';
import { createLease, LEASE_MS, RENEW_MS, type Self } from '../usage/lease.ts';
import { createLedger } from '../usage/ledger.ts';
import { createReporter } from '../usage/reporter.ts';
import { createSettingsBook } from '../usage/settings.ts';
import { type Pressed, pressed, submitted } from './buttons.ts';
import { createConversations } from './chat/conversations.ts';
import { createRelay } from './chat/relay.ts';
import type { Command, Context, UsageView } from './command.ts';
import type { Core } from './core.ts';
import { AFRESH } from './delivery.ts';
import { describe, inLanguage, sentenceFor, typed } from './fields.ts';
import { createRecent } from './kept/recent.ts';
import { createSecondTries } from './kept/second-tries.ts';
import { createShelf } from './kept/shelf.ts';
import { createTray } from './kept/tray.ts';
import { createWaiting } from './kept/waiting.ts';
import { createModelNames } from './model-names.ts';
import { makePictures } from './picture-job.ts';
import { createPictureLog } from './picture-log/channel.ts';
import { createLogEntries } from './picture-log/entries.ts';
import type { Channel, Inbox, Invocation, Message, Person, Place, Platform, Press } from './platform.ts';
import { postAnswer } from './post-answer.ts';
import { createQueue } from './queue.ts';
import { readUpload } from './read-upload.ts';
import { createSweep } from './recover.ts';
import { createRequests } from './requests.ts';
import { createAllow } from './rules/allow.ts';
import { createNotices } from './rules/notices.ts';
import { usageLines } from './standing-words.ts';
import { Stopping, troubleOf } from './trouble.ts';

export type Bot = Inbox & {
	/** To be called before any platform starts: from then on this process counts as living. */
	start(): Promise<void>;
	/** Ends what processes left behind that are gone; from then on, that is done now and then. The platforms can post by now. */
	sweep(): Promise<void>;
	/** Takes no new requests, waits for what runs, and ends what has not ended in time. Resolves when all have an answer. */
	stop(graceMs: number): Promise<void>;
	/** How many chat threads have something going on; idle ones are in the store alone. */
	busyThreads(): number;
};

/** How a request ended, for whoever counts. */
export type Observer = (request: { platform: string; command: string; outcome: string; seconds: number }) => void;

export type BotOptions = {
	commands: readonly Command[];
	service: Service;
	store: Store;
	/** Asked when messages of ours are looked for. */
	platforms: readonly Platform[];
	log: Log;
	plan: Plan;
	/** Calls a day of somebody who asks in direct messages, and comes under no server's caps; no cap where it is not said. */
	directImagesPerDay?: number;
	/** Who this process is on its machine. */
	self?: Self;
	/** Unix milliseconds. */
	now?: () => number;
	observe?: Observer;
	/** Chat messages that follow each other this closely, in milliseconds, are one turn. */
	followUpMs?: number;
};

/** One request's way: find, parse, allow, run, answer. The one error boundary: nothing that is thrown below gets past it. */
export function createBot(options: BotOptions): Bot {
	const { service, store, platforms, log, plan, now = Date.now, observe = () => {} } = options;
	const commands: ReadonlyMap<string, Command> = new Map(options.commands.map((command) => [command.name, command]));
	const described = new Map(options.commands.map((command) => [command.name, describe(command)]));
	/** By language. */
	const translated = new Map<string, typeof described>();
	const stop = new AbortController();
	const platformOf = (place: Place) => platforms.find(({ name }) => name === place.platform);
	const open = async (place: Place) => platformOf(place)?.channel(place);
	const space = store.space('ledger');
	const lease = createLease(space, now, options.self);
	const settings = createSettingsBook(space, now, options.directImagesPerDay);
	const ledger = createLedger({ space, settings, plan, process: lease.process, now });
	const shelf = createShelf(store.space('pictures').files);
	const logEntries = createLogEntries(store.space('log'));
	const core: Core = {
		service,
		shelf,
		ledger,
		settings,
		allow: createAllow({ settings, log, now }),
		queue: createQueue(),
		atWork: new Set(),
		watch: lease.watch,
		notices: createNotices({ space, settings, open }),
		logEntries,
		pictureLog: createPictureLog({ settings, open, entries: logEntries, log, track }),
		requests: createRequests(store.space('requests').keyv, shelf),
		recent: createRecent(store.space('recent')),
		secondTries: createSecondTries(store.space('forms').keyv, shelf),
		tray: createTray(store.space('tray').keyv, shelf),
		waiting: createWaiting(store.space('waiting')),
		find: async (handle) => platformOf(handle.place)?.find(handle),
		open,
		direct: async (place, person) => platformOf(place)?.direct(place, person),
		log,
		stopping: stop.signal,
	};
	const conversations = createConversations(store.space('chats'));
	const relay = createRelay({ core, conversations, lease, followUpMs: options.followUpMs, track });
	const modelNames = createModelNames(service, stop.signal, now);
	const sweep = createSweep(core, lease, relay);
	const report = createReporter({ ledger, settings, plan, now });
	const running = new Set<Promise<unknown>>();
	const timers: NodeJS.Timeout[] = [];
	let accepting = true;

	function contextOf(person: Person, channel: Pick<Channel, 'place' | 'when' | 'refer'>): Omit<Context, 'options'> {
		const { place } = channel;
		const usage: UsageView = {
			standing: async (member) => {
				const [pictures, chat] = await Promise.all([
					ledger.standing(place, member),
					ledger.standing(place, member, 'chat'),
				]);
				// Who never chats, where nothing caps it, need not read of it.
				return [...chat.filter(({ limit, used }) => limit !== undefined || used > 0), ...pictures];
			},
			undelivered: async () => (await core.waiting.jobs(place, person)).length,
		};
		const desk = createDesk({ settings, ledger, report, now }, place, person);
		return { person, t: translatorFor(person.locale), place, service, usage, desk, show: channel, signal: stop.signal };
	}

	function describedIn(t: Translate): typeof described {
		const known = translated.get(t.language);
		if (known) return known;
		const commands = new Map([...described].map(([name, command]) => [name, inLanguage(t, command)]));
		translated.set(t.language, commands);
		return commands;
	}

	/** Does something over and over; a failure is logged, and tried again the next time. */
	function every(ms: number, what: string, work: () => Promise<void>) {
		timers.push(setInterval(() => void work().catch((error: unknown) => log.error({ err: error }, what)), ms).unref());
	}

	/** Work that nobody waits for, until it has ended. */
	function track(work: Promise<unknown>) {
		const tracked = work
			.catch((error: unknown) => log.error({ err: error }, 'Something that ran by itself failed'))
			.finally(() => running.delete(tracked));
		running.add(tracked);
	}

	/** Runs one request inside the error boundary. */
	async function request(
		kind: string,
		{ id, channel, person }: Pick<Invocation, 'id' | 'channel' | 'person'>,
		work: () => Promise<string>,
	): Promise<void> {
		const t = translatorFor(person.locale);
		const started = performance.now();
		const run = (async () => {
			try {
				if (!accepting)
					return await refuseOnce(
						channel,
						id,
						t('Easel is being restarted; nothing was counted. Ask again in a minute.'),
					);
				return await work();
			} catch (error) {
				const { text } = troubleOf(t, error, 'free', core.log);
				return refuseOnce(channel, id, text).catch((unposted: unknown) => tellDirectly(unposted, text));
			}
		})();
		async function tellDirectly(unposted: unknown, why: string): Promise<string> {
			const direct = await core.direct(channel.place, person);
			if (!direct || direct.place.channel === channel.place.channel) throw unposted;
			const where = direct.refer('channel', channel.place.thread ?? channel.place.channel);
			const text = t('You asked for this in {where}, where it could not be posted.{why}', { where, why: ` ${why}` });
			return refuse(direct, `${id}.direct`, text);
		}
		running.add(run);
		// Only posting the sentence itself can fail here, and then there is nobody left to tell.
		const outcome = await run.catch((error: unknown) => {
			core.log.warn({ err: error }, 'An answer could not be posted');
			return 'unanswered';
		});
		running.delete(run);
		const seconds = (performance.now() - started) / 1000;
		observe({ platform: channel.place.platform, command: kind, outcome, seconds });
	}

	/** A request that was delivered before may have its answer in a message that was begun afresh. */
	async function refuseOnce(channel: Channel, id: string, text: string): Promise<string> {
		for (const way of AFRESH)
			if (await core.find({ place: channel.place, key: id + way }).catch(() => undefined)) return 'duplicate';
		return refuse(channel, id, text);
	}

	async function submit(invocation: Submission): Promise<string> {
		const { id, channel } = invocation;
		const what = await submitted(core, invocation);
		const refuse = (sentence: string) => refuseForm(invocation, sentence);
		if (what && 'refused' in what) return refuse(what.refused);
		return what && 'invoke' in what ? invoke(what.invoke, { ...what, refuse }) : follow(what, channel, id);
	}

	/** Says what is wrong with a form, with a button that opens it as it was sent. */
	async function refuseForm(invocation: Submission, sentence: string): Promise<string> {
		const { id, channel, person } = invocation;
		try {
			await core.secondTries.save(invocation, (upload) => readUpload(core, upload));
		} catch (error) {
			core.log.warn({ err: error }, 'A form is not kept for another try');
			return refuse(channel, id, sentence);
		}
		const label = translatorFor(person.locale)('Try again');
		const buttons = [{ id: `reopen:1:${id}`, label }];
		await channel.post({ text: sentence, visibility: 'private', buttons }, id, { ifAbsent: true });
		return 'refused';
	}

	async function invoke(invocation: Invocation, from: FormAsked = {}): Promise<string> {
		const { id, options, person, channel } = invocation;
		const t = translatorFor(person.locale);
		const command = commands.get(invocation.command);
		if (!command) {
			const sentence = t('There is no command {command}.', { command: `/${invocation.command}` });
			return refuse(channel, id, `${sentence} ${help(t, commands, person)}`);
		}
		if (command.moderators && !person.moderator)
			return refuse(channel, id, t('Only moderators may use {command}.', { command: `/${command.name}` }));
		const given = typed(described.get(command.name)?.fields ?? [], options);
		const parsed = command.options.safeParse(given);
		if (!parsed.success) {
			const sentence = sentenceFor(t, parsed.error, given);
			return from.refuse ? from.refuse(sentence) : refuse(channel, id, sentence);
		}
		await from.accepted?.();
		const context = contextOf(person, channel);
		if (command.makes === 'pictures') {
			const ended = await makePictures(core, { id, command, options: parsed.data, person, channel, context });
			return typeof ended === 'object' ? refuse(channel, id, ended.refused) : ended;
		}
		if (command.makes === 'thread')
			return follow(await relay.open(await command.run({ ...context, options: parsed.data }), invocation), channel, id);
		await postAnswer(channel, await command.run({ ...context, options: parsed.data }), id);
		return 'answered';
	}

	async function follow(what: Pressed | string, channel: Channel, id: string): Promise<string> {
		if (!what) return 'answered';
		if (typeof what === 'string') return what;
		if ('invoke' in what) return invoke(what.invoke, what);
		await channel.post(what.say, id);
		return 'answered';
	}

	async function quietly(what: string, work: () => Promise<void>): Promise<void> {
		await work().catch((error: unknown) => log.error({ err: error }, what));
	}

	return {
		invoke: (invocation) =>
			request(invocation.command, invocation, async () =>
				hasForm(invocation) ? submit(invocation) : invoke(invocation),
			),
		press: (press: Press) =>
			request('button', press, async () =>
				follow(
					await (relay.press(press) ?? pressed(core, describedIn(translatorFor(press.person.locale)), press)),
					press.channel,
					press.id,
				),
			),
		async hear(message: Message) {
			const { id, channel, person } = message;
			// Most of what is written is none of the bot's business, and must not be answered whatever goes wrong.
			const concerns = await relay.concerns(message).catch((error: unknown) => {
				log.error({ err: error }, 'A message was not looked at');
				return false;
			});
			if (!concerns) return;
			await request('message', message, async () => {
				if (!saysNothing(message)) return follow(await relay.hear(message), channel, id);
				await channel.post({ text: help(translatorFor(person.locale), commands, person) }, `${id}.help`);
				return 'answered';
			});
		},
		changed: (change) => quietly('A change of a message was not kept', () => relay.changed(change)),
		forget: (where) => quietly('What was said in a place is still kept', () => relay.forget(where)),
		async suggest({ command, option, typed: begun }) {
			const field = described.get(command)?.fields.find(({ name }) => name === option);
			return field?.kind === 'text' && field.completed ? modelNames(begun) : [];
		},
		async home(person, channel) {
			const { usage, t } = contextOf(person, channel);
			const [standing, recent] = await Promise.all([usage.standing(person), core.recent.of(channel.place, person)]);
			return { text: usageLines(t, standing, channel).join('\n'), recent };
		},
		async start() {
			await lease.renew();
			every(RENEW_MS, 'The sign of life failed', () => lease.renew());
		},
		async sweep() {
			await sweep();
			every(LEASE_MS, 'The sweep failed', sweep);
		},
		async stop(graceMs) {
			accepting = false;
			const timer = setTimeout(() => stop.abort(new Stopping()), graceMs);
			await Promise.allSettled(running);
			// What ended has told the log; that is waited for as well.
			await Promise.allSettled(running);
			clearTimeout(timer);
			for (const other of timers) clearInterval(other);
			await lease.release().catch((error: unknown) => log.warn({ err: error }, 'The lease was not released'));
		},
		busyThreads: () => relay.busy(),
	};
}

/** Somebody calls the bot by its name and says no more. */
const saysNothing = ({ text, uploads, channel: { place } }: Message) =>
	place.thread === undefined && !place.direct && text.trim() === '' && uploads.length === 0;

type Submission = Invocation & { form: string };

const hasForm = (invocation: Invocation): invocation is Submission => invocation.form !== undefined;

/** What a command is asked for by, when it is by a form or a button. */
type FormAsked = {
	/** Runs once the options have been found right. */
	accepted?: () => Promise<void>;
	/** Says what is wrong with them. */
	refuse?: (sentence: string) => Promise<string>;
};

/** Says why nothing comes of a request; unless it was delivered before, so that its answer is there and must stay. */
async function refuse(channel: Channel, id: string, text: string): Promise<string> {
	await channel.post({ text, visibility: 'private' }, id, { ifAbsent: true });
	return 'refused';
}

function help(t: Translate, commands: ReadonlyMap<string, Command>, person: Person): string {
	const offered = [...commands.values()].filter(({ moderators }) => !moderators || person.moderator);
	const lines = offered.map(({ name, description }) => `- \`/${name}\` ${t.declared(description)}`);
	return [t('Here is what I can do:'), ...lines].join('\n');
}
