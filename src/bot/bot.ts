import type { Channel } from '../domain/channel.ts';
import type { Person } from '../domain/person.ts';
import type { Inbox } from '../domain/platform.ts';
import type { ButtonPress, IncomingMessage, Invocation } from '../domain/requests.ts';
import { type Translate, translatorFor } from '../i18n/translator.ts';
import { LEASE_MS, RENEW_EVERY_MS } from '../usage/lease.ts';
import { ShutdownError } from './abort-errors.ts';
import type { ActionResult, FormSubmission } from './actions/action.ts';
import { createActions } from './actions/create-actions.ts';
import { createChatController } from './chat/chat-controller.ts';
import { createConversations } from './chat/conversations.ts';
import { createContexts } from './contexts.ts';
import { createServices, type ServicesOptions } from './create-services.ts';
import { actionButton } from './declaration/actions.ts';
import { availableCommands, describeCommands } from './declaration/available-commands.ts';
import type { Command } from './declaration/command.ts';
import { sentenceFor, typed } from './declaration/fields.ts';
import { screenedText } from './declaration/texts.ts';
import { createErrorBoundary, type Observer, postRefusal } from './error-boundary.ts';
import { createModelNames } from './messages/model-names.ts';
import { postAnswer } from './messages/post-answer.ts';
import { tryAndLog } from './messages/try-and-log.ts';
import { usageLines } from './messages/usage-messages.ts';
import { makePictures } from './pictures/picture-job.ts';
import { readUpload } from './pictures/read-upload.ts';
import { createSweep } from './recovery.ts';
import { createRunning } from './running.ts';

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

export type BotOptions = ServicesOptions & {
	/** Unix milliseconds. */
	now?: () => number;
	observe?: Observer;
	/** Chat messages that follow each other this closely, in milliseconds, are one turn. */
	followUpMs?: number;
};

/** One request's way: find, parse, allow, run, answer. */
export function createBot(options: BotOptions): Bot {
	const { service, store, log, plan, now = Date.now, observe = () => {} } = options;
	const available = availableCommands(options.commands, service.capabilities);
	const commands: ReadonlyMap<string, Command> = new Map(available.map((command) => [command.name, command]));
	const described = new Map(
		describeCommands(available, service.capabilities).map((command) => [command.name, command]),
	);
	const stop = new AbortController();
	const running = createRunning(log);
	const { services, lease } = createServices(options, { running, stopping: stop.signal, now });
	const { request, close } = createErrorBoundary({ services, running, observe });
	const contextOf = createContexts(services, plan, now);
	const conversations = createConversations(store.space('chats'));
	const relay = createChatController({
		services,
		conversations,
		lease,
		followUpMs: options.followUpMs,
		track: running.track,
	});
	const actions = createActions(services, described, relay.actions);
	const modelNames = createModelNames(service, stop.signal, now);
	const sweep = createSweep(services, lease, relay);
	const timers: NodeJS.Timeout[] = [];

	/** Does something over and over; a failure is logged, and tried again the next time. */
	function every(ms: number, what: string, work: () => Promise<void>) {
		timers.push(setInterval(() => void work().catch((error: unknown) => log.error({ err: error }, what)), ms).unref());
	}

	async function submit(submission: FormSubmission): Promise<string> {
		const { id, channel } = submission;
		const result = await actions.submit(submission);
		if (typeof result === 'string') return result;
		const refuse = (sentence: string) => refuseForm(submission, sentence);
		if ('refused' in result) return refuse(result.refused);
		return 'invoke' in result ? invoke(result.invoke, { ...result, refuse }) : follow(result, channel, id);
	}

	/** Says what is wrong with a form, with a button that opens it as it was sent. */
	async function refuseForm(invocation: FormSubmission, sentence: string): Promise<string> {
		const { id, channel, person } = invocation;
		try {
			await services.formDrafts.save(invocation, (upload) => readUpload(services, upload));
		} catch (error) {
			services.log.warn({ err: error }, 'A form is not kept for another try');
			return postRefusal(channel, id, sentence);
		}
		const buttons = [actionButton(translatorFor(person.locale), 'reopen', id)];
		await channel.post({ text: sentence, visibility: 'private', buttons }, id, { ifAbsent: true });
		return 'refused';
	}

	async function invoke(invocation: Invocation, from: FormAsked = {}): Promise<string> {
		const { id, options, person, channel } = invocation;
		const t = translatorFor(person.locale);
		const command = commands.get(invocation.command);
		if (!command) {
			const sentence = t('There is no command {command}.', { command: `/${invocation.command}` });
			return postRefusal(channel, id, `${sentence} ${help(t, commands, person)}`);
		}
		if (command.moderators && !person.moderator)
			return postRefusal(channel, id, t('Only moderators may use {command}.', { command: `/${command.name}` }));
		const given = typed(described.get(command.name)?.fields ?? [], options);
		const parsed = command.options.safeParse(given);
		if (!parsed.success) {
			const sentence = sentenceFor(t, parsed.error, given);
			return from.refuse ? from.refuse(sentence) : postRefusal(channel, id, sentence);
		}
		await from.accepted?.();
		const context = contextOf(person, channel);
		if (command.makes === 'pictures') {
			const ended = await makePictures(services, { id, command, options: parsed.data, person, channel, context });
			return typeof ended === 'object' ? postRefusal(channel, id, ended.refused) : ended;
		}
		if (command.makes === 'thread') {
			const opening = await command.run({ ...context, options: parsed.data });
			return follow(await relay.open(opening, screenedText(command, parsed.data), invocation), channel, id);
		}
		await postAnswer(channel, await command.run({ ...context, options: parsed.data }), id);
		return 'answered';
	}

	async function follow(result: ActionResult, channel: Channel, id: string): Promise<string> {
		if (typeof result === 'string') return result;
		if ('invoke' in result) return invoke(result.invoke, result);
		await channel.post(result.say, id);
		return 'answered';
	}

	return {
		invoke: (invocation) =>
			request(invocation.command, invocation, async () =>
				hasForm(invocation) ? submit(invocation) : invoke(invocation),
			),
		press: (press: ButtonPress) =>
			request('button', press, async () => follow(await actions.press(press), press.channel, press.id)),
		async hear(message: IncomingMessage) {
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
		changed: (change) => tryAndLog(log, 'A change of a message was not kept', () => relay.changed(change)),
		forget: (where) => tryAndLog(log, 'What was said in a place is still kept', () => relay.forget(where)),
		async suggest({ command, option, typed: begun }) {
			const field = described.get(command)?.fields.find(({ name }) => name === option);
			return field?.kind === 'text' && field.completed ? modelNames(begun) : [];
		},
		async home(person, channel) {
			const { usage, t } = contextOf(person, channel);
			const [standing, recent] = await Promise.all([
				usage.standing(person),
				services.recentResults.of(channel.place, person),
			]);
			return { text: usageLines(t, standing, channel).join('\n'), recent };
		},
		async start() {
			await lease.renew();
			every(RENEW_EVERY_MS, 'The sign of life failed', () => lease.renew());
		},
		async sweep() {
			await sweep();
			every(LEASE_MS, 'The sweep failed', sweep);
		},
		async stop(graceMs) {
			close();
			const timer = setTimeout(() => stop.abort(new ShutdownError()), graceMs);
			await running.ended();
			clearTimeout(timer);
			for (const other of timers) clearInterval(other);
			await lease.release().catch((error: unknown) => log.warn({ err: error }, 'The lease was not released'));
		},
		busyThreads: () => relay.busy(),
	};
}

/** Somebody calls the bot by its name and says no more. */
const saysNothing = ({ text, uploads, channel: { place } }: IncomingMessage) =>
	place.thread === undefined && !place.direct && text.trim() === '' && uploads.length === 0;

const hasForm = (invocation: Invocation): invocation is FormSubmission => invocation.form !== undefined;

/** What a command is asked for by, when it is by a form or a button. */
type FormAsked = {
	/** Runs once the options have been found right. */
	accepted?: () => Promise<void>;
	/** Says what is wrong with them. */
	refuse?: (sentence: string) => Promise<string>;
};

function help(t: Translate, commands: ReadonlyMap<string, Command>, person: Person): string {
	const offered = [...commands.values()].filter(({ moderators }) => !moderators || person.moderator);
	const lines = offered.map(({ name, description }) => `- \`/${name}\` ${t.declared(description)}`);
	return [t('Here is what I can do:'), ...lines].join('\n');
}
