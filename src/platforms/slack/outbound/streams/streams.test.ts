import { webApi } from '@slack/bolt';
import fc from 'fast-check';
import Keyv from 'keyv';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SlackFake, type SlackUser, startSlack } from '../../../../../test/fakes/slack/index.ts';
import type { Button, Reply } from '../../../../domain/channel.ts';
import type { Place } from '../../../../domain/place.ts';
import { translatorFor } from '../../../../i18n/translator.ts';
import { messageBlocksOf } from '../../api/blocks.ts';
import { createCallWithRetry } from '../../api/call-with-retry.ts';
import { RateLimiter } from '../../api/rate-limits/rate-limiter.ts';
import { SlackApi } from '../../api/slack-api.ts';
import { codeOf } from '../../api/slack-errors.ts';
import type { SlackMessage } from '../../api/slack-message.ts';
import { Web } from '../../api/web.ts';
import type { Installations } from '../../installation/installation.ts';
import { AgentSessions } from './agent-sessions.ts';
import { StopButtons } from './stop-buttons.ts';
import { StreamApi } from './stream-api.ts';
import { type StreamMode, Streams } from './streams.ts';

const log = pino({ level: 'silent' });
const KEY = 'chat:1:0';
const STOP: Button = { id: 'stop:1:a', label: 'Stop', kind: 'danger' };
const RETRY: Button = { id: 'retry:1:a', label: 'Retry' };

/** Never waits, and counts the waits that Slack asks for. */
const withoutWaits = (): RateLimiter & { blocked: number } =>
	Object.assign(new RateLimiter(), {
		blocked: 0,
		wait: async () => {},
		delayMs: () => 0,
		available: () => 100,
		block() {
			this.blocked++;
		},
	});

/** A thread of a fake Slack, and a writer that posts and updates one answer in it. */
async function openStreams(
	slack: SlackFake,
	options: { now?: () => number; limiter?: RateLimiter; direct?: boolean; mode?: StreamMode } = {},
) {
	const [team] = slack.world.teams.values();
	const installation = team?.installation;
	const server = team?.id ?? '';
	const installed = { server, botToken: slack.botToken, botUser: installation?.user.id ?? '', bot: '', scopes: [] };
	const installations: Installations = { of: async () => installed };
	const web = new Web({ installations, apiUrl: slack.apiUrl, log });
	const limiter = options.limiter ?? withoutWaits();
	const call = createCallWithRetry({ web, limiter });
	const api = new SlackApi(call, installations);
	const sessions = new AgentSessions({ call, people: { translator: () => translatorFor() }, log });
	const stopButtons = new StopButtons({ keyv: new Keyv(), sessions, log });
	const streamApi = new StreamApi({ web, call, limiter, log });
	const { now, mode = 'on' } = options;
	const streams = new Streams({
		...{ mode, api: streamApi, call, limiter, sessions, stopButtons, installations, ...(now && { now }) },
	});
	const ada: SlackUser = options.direct ? slack.user('ada').directMessages() : slack.user('ada');
	const channel = ada.channel.id;
	const { ts: thread } = await api.post({ server, channel }, messageBlocksOf('A thread', [], []));
	ada.enter(thread);
	const place: Place = { platform: 'slack', server, channel, thread };
	let answer: SlackMessage | undefined;

	async function write(reply: Reply, to = { user: ada.account.id, team: server }): Promise<void> {
		const body = messageBlocksOf(reply.text, [], reply.buttons ?? []);
		if (!answer) {
			const started = await streams.start(place, to, reply, KEY);
			answer = started ? { ...started.message, thread } : await api.post({ server, channel, thread }, body);
			return;
		}
		if (await streams.write(answer, reply)) return;
		await api.update(answer, body, KEY).catch(async (error: unknown) => {
			if (codeOf(error) !== 'streaming_state_conflict') throw error;
			await streams.stop(answer as SlackMessage, KEY);
			await api.update(answer as SlackMessage, body, KEY);
		});
	}

	return {
		api,
		streams,
		sessions,
		stopButtons,
		place,
		ada,
		limiter,
		write,
		answer: () => answer,
		grows: (growing: string) => write({ text: `${growing}`, growing, buttons: [STOP] }),
		ends: (text: string) => write({ text, buttons: [RETRY] }),
		/** The answers in the thread. */
		answers: async () =>
			(await ada.look()).filter(({ id }) => id > thread).map(({ text, buttons }) => ({ text, buttons })),
	};
}

describe('a stream', () => {
	let slack: SlackFake;
	const methods = () =>
		slack.calls.map(({ method }) => method).filter((method) => /Stream$|update|postMessage/.test(method));
	const sent = () => methods().slice(1);
	beforeEach(async () => {
		slack = await startSlack({ pace: 0 });
		slack.settings.agents = false;
	});
	afterEach(async () => {
		expect(slack.violations).toEqual([]);
		await slack.close();
	});

	test('appends only new text, shows its stop button, and ends with the whole text', async () => {
		const { grows, ends, answers } = await openStreams(slack);
		await grows('**Foxes');
		expect(await answers()).toEqual([{ text: '**Foxes', buttons: ['Stop'] }]);
		await grows('**Foxes** are');
		await ends('**Foxes** are red.');
		expect(await answers()).toEqual([{ text: '**Foxes** are red.', buttons: ['Retry'] }]);
		expect(sent()).toEqual(['chat.startStream', 'chat.appendStream', 'chat.stopStream', 'chat.update']);
		const texts = slack.calls.flatMap(({ args }) => (args['chunks'] as { text?: string }[] | undefined) ?? []);
		expect(texts.flatMap(({ text }) => text ?? [])).toEqual(['**Foxes', '** are']);
	});

	test('keeps its stop button in channels, where Slack may draw none', async () => {
		slack.settings.agents = true;
		const { grows, answers, sessions, stopButtons, place } = await openStreams(slack);
		await sessions.processing(place);
		await grows('Foxes');
		expect(await answers()).toEqual([{ text: 'Foxes', buttons: ['Stop'] }]);
		expect(await stopButtons.find(place)).toBe('stop:1:a');
	});

	test('keeps its stop button where the app lacks the event of Slack’s', async () => {
		slack.settings.agents = true;
		slack.settings.stopEvent = false;
		const { grows, answers, sessions, place } = await openStreams(slack, { direct: true });
		await sessions.processing(place);
		await grows('Foxes');
		expect(await answers()).toEqual([{ text: 'Foxes', buttons: ['Stop'] }]);
	});

	test('needs no update in direct messages, where Slack has its stop button', async () => {
		slack.settings.agents = true;
		const { grows, ends, answers, sessions, stopButtons, place } = await openStreams(slack, { direct: true });
		await sessions.processing(place);
		await grows('Foxes');
		expect(await answers()).toEqual([{ text: 'Foxes', buttons: [] }]);
		expect(await stopButtons.find(place)).toBe('stop:1:a');
		await ends('Foxes are red & <small>.');
		expect(await answers()).toEqual([{ text: 'Foxes are red & <small>.', buttons: ['Retry'] }]);
		expect(sent()).toEqual(['chat.startStream', 'chat.stopStream']);
	});

	test('names its recipient outside of direct messages, and is not started without one', async () => {
		const { write, ada, place } = await openStreams(slack);
		await write({ text: 'Foxes', growing: 'Foxes' });
		expect(slack.calls.at(-1)?.args).toMatchObject({
			recipient_user_id: ada.account.id,
			recipient_team_id: place.server,
		});
		const other = await openStreams(slack);
		expect(await other.streams.start(other.place, undefined, { text: 'x', growing: 'x' }, KEY)).toBeUndefined();
		expect(
			await other.streams.start(
				{ ...other.place, thread: undefined as never },
				{ user: 'U', team: 'T' },
				{ text: 'x', growing: 'x' },
				KEY,
			),
		).toBeUndefined();
	});

	test('is started in direct messages alone by default, in channels as well, or nowhere', async () => {
		const isStarted = async (mode: StreamMode, direct: boolean) => {
			const { write } = await openStreams(slack, { mode, direct });
			slack.calls.splice(0);
			await write({ text: 'Foxes', growing: 'Foxes' });
			return slack.calls[0]?.method === 'chat.startStream';
		};
		expect([await isStarted('auto', true), await isStarted('auto', false)]).toEqual([true, false]);
		expect([await isStarted('on', true), await isStarted('on', false)]).toEqual([true, true]);
		expect([await isStarted('off', true), await isStarted('off', false)]).toEqual([false, false]);
	});

	test('is started again without its button where Slack refuses it, and without asking again', async () => {
		slack.settings.streams.noButtons = true;
		const { streams, place, ada } = await openStreams(slack);
		const to = { user: ada.account.id, team: place.server };
		const start = () => streams.start(place, to, { text: 'Foxes', growing: 'Foxes', buttons: [STOP] }, KEY);
		expect(await start()).toMatchObject({ withoutButtons: true });
		expect(await start()).toMatchObject({ withoutButtons: true });
		expect(slack.calls.flatMap(({ method, error = 'ok' }) => (method === 'chat.startStream' ? error : []))).toEqual([
			...['invalid_chunks', 'ok', 'ok'],
		]);
	});

	test('whose text has changed is updated as a whole', async () => {
		const { grows, ends, answers } = await openStreams(slack);
		await grows('Foxes are small and red. They');
		await ends('Foxes are small and red.');
		expect(await answers()).toEqual([{ text: 'Foxes are small and red.', buttons: ['Retry'] }]);
	});

	test('is ended before it is too long or too old, and continues by updates', async () => {
		let now = 0;
		const { grows, ends, answers } = await openStreams(slack, { now: () => now });
		await grows('Foxes');
		now += 239_000;
		await grows('Foxes are');
		now += 2000;
		await grows('Foxes are red');
		await ends('Foxes are red.');
		expect(await answers()).toEqual([{ text: 'Foxes are red.', buttons: ['Retry'] }]);
		expect(sent()).toEqual([
			...['chat.startStream', 'chat.appendStream', 'chat.stopStream'],
			...['chat.update', 'chat.update'],
		]);

		const long = await openStreams(slack);
		const wide = '狐'.repeat(2990);
		await long.grows('狐');
		await long.grows(wide);
		await long.grows(`${wide}狐狐狐狐狐狐狐狐狐狐`);
		await long.grows(`${wide}狐狐狐狐狐狐狐狐狐狐狐`);
		await long.ends(`${wide}!`);
		expect(await long.answers()).toEqual([{ text: `${wide}!`, buttons: ['Retry'] }]);
	});

	test('that a person or Slack has ended is updated as a whole', async () => {
		slack.settings.agents = true;
		const { grows, ends, answers, ada } = await openStreams(slack);
		await grows('Foxes');
		ada.stop();
		await grows('Foxes are');
		await ends('Foxes are\n\n*Stopped.*');
		expect(await answers()).toEqual([{ text: 'Foxes are\n\n*Stopped.*', buttons: ['Retry'] }]);

		slack.settings.streams.diesAfterAppends = 1;
		const other = await openStreams(slack);
		for (const text of ['a', 'a b', 'a b c', 'a b c d']) await other.grows(text);
		await other.ends('a b c d e');
		expect(await other.answers()).toEqual([{ text: 'a b c d e', buttons: ['Retry'] }]);
	});

	test('that is rate-limited for a moment catches up later', async () => {
		const { grows, ends, answers, limiter } = await openStreams(slack);
		await grows('Foxes');
		slack.faults.limit('chat.appendStream', { seconds: 1 });
		await grows('Foxes are');
		expect((limiter as ReturnType<typeof withoutWaits>).blocked).toBe(1);
		await grows('Foxes are small');
		expect(await answers()).toEqual([{ text: 'Foxes are small', buttons: ['Stop'] }]);
		await ends('Foxes are small.');
		expect(await answers()).toEqual([{ text: 'Foxes are small.', buttons: ['Retry'] }]);
	});

	test('is not started when the rate limit requires a long wait', async () => {
		const limiter = Object.assign(withoutWaits(), { delayMs: () => 10_000 });
		const { grows, ends, answers } = await openStreams(slack, { limiter });
		await grows('Foxes');
		await ends('Foxes are red.');
		expect(await answers()).toEqual([{ text: 'Foxes are red.', buttons: ['Retry'] }]);
		expect(sent()).toEqual(['chat.postMessage', 'chat.update']);
	});

	test('leaves the last updates within the rate limit to answers that end', async () => {
		let spare = 100;
		const limiter = Object.assign(withoutWaits(), { delayMs: () => 10_000, available: () => spare });
		const { grows, ends, answers } = await openStreams(slack, { limiter });
		await grows('Foxes');
		await grows('Foxes are');
		spare = 5;
		await grows('Foxes are small');
		expect(await answers()).toEqual([{ text: 'Foxes are', buttons: ['Stop'] }]);
		await ends('Foxes are small.');
		expect(await answers()).toEqual([{ text: 'Foxes are small.', buttons: ['Retry'] }]);
	});

	test('whose start has an unknown outcome is posted once', async () => {
		const { grows, ends, answers } = await openStreams(slack);
		slack.faults.serverError('chat.startStream', { after: true });
		await grows('Foxes');
		await ends('Foxes are red.');
		expect(await answers()).toEqual([{ text: 'Foxes are red.', buttons: ['Retry'] }]);
	});

	test('of a process that has ended is stopped by the next one', async () => {
		const first = await openStreams(slack);
		await first.grows('Foxes');
		const second = await openStreams(slack);
		const where = first.answer() as SlackMessage;
		expect(await second.streams.write(where, { text: 'Foxes are red.' })).toBe(false);
		await second.streams.stop(where, KEY);
		await second.streams.stop(where, KEY);
		expect(slack.calls.at(-1)?.error).toBe('message_not_in_streaming_state');
	});

	test('that has ended is found by its key, however it was ended', async () => {
		slack.settings.agents = true;
		const { grows, ends, answer, api, place, sessions } = await openStreams(slack, { direct: true });
		const { server, channel, thread } = place;
		const found = (key: string) => api.findByKey({ server, channel, thread }, key, Date.now());
		await sessions.processing(place);
		await grows('Foxes');
		await ends('Foxes are red.');
		expect(slack.calls.at(-1)?.method).toBe('chat.stopStream');
		expect(await found(KEY)).toEqual(answer());
		expect(await found('chat:2:0')).toBeUndefined();

		const other = await openStreams(slack, { direct: true });
		const at = { server, channel, thread: other.place.thread };
		slack.settings.streams.diesAfterMs = -1;
		await other.grows('Foxes');
		expect(await api.findByKey(at, KEY, Date.now())).toEqual(other.answer());
		await other.ends('Foxes are red.');
		expect(await api.findByKey(at, KEY, Date.now())).toEqual(other.answer());
		expect(await api.findByKey(at, 'chat:2:0', Date.now())).toBeUndefined();
	});

	test('is written by one call at a time, which appends everything new', async () => {
		const { grows, ends, answers } = await openStreams(slack);
		await grows('a');
		const release = slack.faults.slow('chat.appendStream');
		const all = [grows('a b'), grows('a b c'), grows('a b c d')];
		release();
		await Promise.all(all);
		expect(sent()).toEqual(['chat.startStream', 'chat.appendStream']);
		await Promise.all([grows('a b c d e'), ends('a b c d e.')]);
		expect(await answers()).toEqual([{ text: 'a b c d e.', buttons: ['Retry'] }]);
	});
});

/** Faults of a call. */
const fault = fc.oneof(
	fc
		.constantFrom(
			...['message_not_in_streaming_state', 'stopped_by_user', 'internal_error', 'fatal_error', 'msg_too_long'],
			...['channel_type_not_supported', 'invalid_blocks', 'missing_recipient_user_id', 'ratelimited'],
		)
		.map((error) => ({ error })),
	fc.constantFrom({ limited: 1 }, { limited: 30 }, { status: 503 }, { statusAfter: 503 }, { die: true as const }),
);
const method = fc.constantFrom('chat.startStream', 'chat.appendStream', 'chat.stopStream');

describe('any combination of faults', () => {
	let slack: SlackFake;
	beforeAll(async () => {
		slack = await startSlack({ pace: 0 });
	});
	afterAll(() => slack.close());

	test('neither loses nor repeats text', { timeout: 120_000 }, async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.string({ unit: fc.constantFrom(...'abc 狐\n'), minLength: 1, maxLength: 12 }), {
					minLength: 1,
					maxLength: 6,
				}),
				fc.array(fc.tuple(method, fault, fc.integer({ min: 1, max: 2 })), { maxLength: 4 }),
				fc.record({ own: fc.boolean(), dies: fc.integer({ min: 0, max: 6 }), cut: fc.boolean() }),
				async (parts, faults, { own, dies, cut }) => {
					slack.settings.agents = !own;
					slack.settings.streams.diesAfterAppends = dies === 6 ? Number.POSITIVE_INFINITY : dies;
					const { grows, ends, answers, sessions, place } = await openStreams(slack, { direct: !own });
					await sessions.processing(place);
					for (const [name, what, times] of faults) slack.faults.add(name, what, times);
					// As the core does: failed writes are repeated, with the text at that time.
					let text = 'x';
					for (const part of parts) {
						text += part;
						await grows(text.trimEnd()).catch(unlessTemporary);
					}
					const finalText = cut ? text.slice(0, Math.ceil(text.length / 2)).trim() : `${text}.`;
					for (let tries = 0; tries < 12; tries++) {
						const isDone = await ends(finalText).then(
							() => true,
							(error: unknown) => unlessTemporary(error),
						);
						if (isDone) break;
						expect(tries).toBeLessThan(11);
					}
					slack.faults.clear();
					expect(await answers()).toEqual([{ text: finalText, buttons: ['Retry'] }]);
					expect(slack.violations.filter((one) => !/startStream|ratelimited/.test(one))).toEqual([]);
				},
			),
			{ numRuns: 120 },
		);
	});
});

/** Rethrows errors that the core does not retry. */
function unlessTemporary(error: unknown): false {
	const isTemporary =
		error instanceof webApi.WebAPIRequestError ||
		error instanceof webApi.WebAPIHTTPError ||
		error instanceof webApi.WebAPIRateLimitedError ||
		error instanceof webApi.WebAPIPlatformError;
	if (!isTemporary) throw error;
	return false;
}
