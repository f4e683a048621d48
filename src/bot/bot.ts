import type { Log } from '../log.ts';
import type { Service } from '../service/service.ts';
import type { Store } from '../store/store.ts';
import type { Job } from '../usage/job.ts';
import { createLedger } from '../usage/ledger.ts';
import { type Pressed, pressed, submitted } from './buttons.ts';
import type { Command, UsageView } from './command.ts';
import type { Core } from './core.ts';
import { sentenceFor } from './fields.ts';
import { makePictures } from './picture-job.ts';
import type { Channel, Inbox, Invocation, Message, Person, Platform, Press, Reply } from './platform.ts';
import { recover } from './recover.ts';
import { createRequests } from './requests.ts';
import { createShelf } from './shelf.ts';
import { createTray } from './tray.ts';
import { Stopping, troubleOf } from './trouble.ts';
import { createWaiting } from './waiting.ts';

export type Bot = Inbox & {
	/** What an earlier process left without an answer. To be asked before any platform starts. */
	leftBehind(): Promise<Job[]>;
	/** Ends what was left behind, each in its own message. To be called once the platforms can post. */
	recover(left: readonly Job[]): Promise<void>;
	/** Takes no new requests, waits for what runs, and ends what has not ended in time. Resolves when all have an answer. */
	stop(graceMs: number): Promise<void>;
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
	/** Unix milliseconds. */
	now?: () => number;
	observe?: Observer;
};

/** One request's way: find, parse, allow, run, answer. The one error boundary: nothing that is thrown below gets past it. */
export function createBot(options: BotOptions): Bot {
	const { service, store, platforms, log, now = Date.now, observe = () => {} } = options;
	const commands: ReadonlyMap<string, Command> = new Map(options.commands.map((command) => [command.name, command]));
	const stop = new AbortController();
	const shelf = createShelf(store.space('pictures').keyv);
	const core: Core = {
		service,
		shelf,
		ledger: createLedger(store.space('ledger'), now),
		requests: createRequests(store.space('requests').keyv, shelf),
		tray: createTray(store.space('tray').keyv, shelf),
		waiting: createWaiting(store.space('waiting')),
		find: async (handle) => platforms.find(({ name }) => name === handle.place.platform)?.find(handle),
		log,
		stopping: stop.signal,
	};
	const running = new Set<Promise<unknown>>();
	let accepting = true;

	const usage: UsageView = {
		of: (place, person) => core.ledger.used(place, person),
		undelivered: async (place, person) => (await core.waiting.jobs(place, person)).length,
	};

	/** Runs one request inside the error boundary. */
	async function request(kind: string, channel: Channel, id: string, work: () => Promise<string>): Promise<void> {
		const started = performance.now();
		const run = (async () => {
			try {
				if (!accepting) return await refuse(channel, id, RESTARTING);
				return await work();
			} catch (error) {
				const { text } = troubleOf(error, 'free', core.log);
				return refuse(channel, id, text);
			}
		})();
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

	async function invoke(invocation: Invocation, accepted?: () => Promise<void>): Promise<string> {
		const { id, options, person, channel } = invocation;
		const command = commands.get(invocation.command);
		if (!command) return refuse(channel, id, `There is no command /${invocation.command}. ${help(commands, person)}`);
		if (command.moderators && !person.moderator)
			return refuse(channel, id, `Only moderators may use /${command.name}.`);
		const given = Object.fromEntries(
			Object.entries(options).filter(([, value]) => value !== undefined && value !== ''),
		);
		const parsed = command.options.safeParse(given);
		if (!parsed.success) return refuse(channel, id, sentenceFor(parsed.error, given));
		await accepted?.();
		if (command.makes === 'pictures')
			return makePictures(core, { id, command, options: parsed.data, person, channel }, usage);
		await channel.post(
			await command.run({ options: parsed.data, person, place: channel.place, service, usage, signal: stop.signal }),
			id,
		);
		return 'answered';
	}

	async function follow(what: Pressed, channel: Channel, id: string): Promise<string> {
		if (!what) return 'answered';
		if ('invoke' in what) return invoke(what.invoke, what.accepted);
		await channel.post(what.say, id);
		return 'answered';
	}

	return {
		invoke: (invocation) =>
			request(invocation.command, invocation.channel, invocation.id, async () =>
				hasForm(invocation)
					? follow(await submitted(core, invocation), invocation.channel, invocation.id)
					: invoke(invocation),
			),
		press: (press: Press) =>
			request('button', press.channel, press.id, async () =>
				follow(await pressed(core, commands, press), press.channel, press.id),
			),
		hear: ({ id, channel, person, addressed }: Message) =>
			addressed
				? request('message', channel, id, async () => {
						await channel.post({ text: help(commands, person) }, `${id}.help`);
						return 'answered';
					})
				: Promise.resolve(),
		leftBehind: () => Array.fromAsync(core.ledger.open()),
		recover: (left) => recover(core, left),
		async stop(graceMs) {
			accepting = false;
			const timer = setTimeout(() => stop.abort(new Stopping()), graceMs);
			await Promise.allSettled(running);
			clearTimeout(timer);
		},
	};
}

const RESTARTING = 'Easel is being restarted; nothing was counted. Ask again in a minute.';

const hasForm = (invocation: Invocation): invocation is Invocation & { form: string } => invocation.form !== undefined;

async function refuse(channel: Channel, id: string, text: string): Promise<string> {
	const reply: Reply = { text, visibility: 'private' };
	await channel.post(reply, id);
	return 'refused';
}

function help(commands: ReadonlyMap<string, Command>, person: Person): string {
	const offered = [...commands.values()].filter(({ moderators }) => !moderators || person.moderator);
	return `Here is what I can do:\n${offered.map(({ name, description }) => `- \`/${name}\` ${description}`).join('\n')}`;
}
