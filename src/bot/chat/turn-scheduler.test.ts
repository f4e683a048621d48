import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../packages/fakes/src/eventually.ts';
import type { Channel, Place } from '../../domain/channel.ts';
import type { AnswerState } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { StoreError } from '../../store/store.ts';
import type { Conversations } from './conversations.ts';
import { TurnScheduler } from './turn-scheduler.ts';

const place: Place = { platform: 'test', server: 'club', channel: 'general', thread: 't1' };
const other: Place = { ...place, thread: 't2' };
const log = pino({ level: 'silent' });
const channel = { place, typing: vi.fn(async () => {}) } as unknown as Channel;

/** Answers that end when the test says so: `waiting` holds those that have begun. */
let waiting: ((state: AnswerState | undefined) => void)[];
let stored: string[];
let stop: AbortController;
let turns: TurnScheduler;

const easelWith = (conversations: Pick<Conversations, 'wait' | 'waitNoLonger'>) =>
	({
		...{ stopping: stop.signal, log, conversations, lease: { processId: randomUUID() } },
		ownJobs: { stopAnswers() {} },
	}) as unknown as Easel;

beforeEach(() => {
	waiting = [];
	stored = [];
	stop = new AbortController();
	const conversations = {
		wait: async ({ thread = '' }) => void stored.push(thread),
		waitNoLonger: async ({ thread = '' }) => void stored.splice(stored.indexOf(thread), 1),
	};
	turns = new TurnScheduler(easelWith(conversations), 1000, () => new Promise((resolve) => waiting.push(resolve)));
});

const begun = (count: number) => eventually(() => expect(waiting).toHaveLength(count));

test('a turn is followed by another look for messages, and leaves nothing in memory', async () => {
	const done = turns.schedule(channel, 0);
	expect(turns.busyThreads).toBe(1);
	await begun(1);
	expect(stored).toEqual(['t1']);
	waiting[0]?.('done');
	await begun(2);
	waiting[1]?.(undefined);
	expect(await done).toBe('done');
	expect(stored).toEqual([]);
	expect(turns.busyThreads).toBe(0);
	expect(turns.running(place)).toBeUndefined();
});

test('a message during an answer waits for the next turn of its thread; other threads do not wait', async () => {
	const first = turns.schedule(channel, 0);
	await begun(1);
	const second = turns.schedule(channel, 0);
	const elsewhere = turns.schedule({ ...channel, place: other }, 0);
	await begun(2);
	waiting[0]?.('done');
	await begun(3);
	waiting[1]?.(undefined);
	waiting[2]?.('stopped');
	await begun(4);
	waiting[3]?.(undefined);
	expect(await Promise.all([first, second, elsewhere])).toEqual(['stopped', 'stopped', 'answered']);
});

test('work that comes first is done in an idle thread, and skipped in a busy one', async () => {
	const first = vi.fn(async () => 'done' as const);
	const done = turns.schedule(channel, 0, { first });
	const skipped = vi.fn(async () => 'stopped' as const);
	const same = turns.schedule(channel, 0, { first: skipped });
	await begun(1);
	waiting[0]?.(undefined);
	expect(await Promise.all([done, same])).toEqual(['done', 'done']);
	expect(first).toHaveBeenCalledOnce();
	expect(skipped).not.toHaveBeenCalled();
});

test('a turn waits for further messages, but not once the process stops', async () => {
	const done = turns.schedule(channel, 60_000);
	expect(channel.typing).toHaveBeenCalledOnce();
	await eventually(() => expect(stored).toEqual(['t1']));
	expect(waiting).toEqual([]);
	stop.abort();
	await begun(1);
	waiting[0]?.(undefined);
	expect(await done).toBe('answered');
});

test('a failure ends the turn for everybody who waits for it', async () => {
	const easel = easelWith({ wait: async () => {}, waitNoLonger: async () => {} });
	const failing = new TurnScheduler(easel, 0, () => Promise.reject(new Error('The store is gone')));
	const done = failing.schedule(channel, 0);
	const settled = failing.stopWhere(() => true);
	await expect(done).rejects.toThrow('The store is gone');
	await settled;
	expect(failing.busyThreads).toBe(0);
});

test('has ended with its last answer, also when the store fails after that', async () => {
	const answers: (AnswerState | undefined)[] = ['done'];
	const easel = easelWith({ wait: async () => {}, waitNoLonger: () => Promise.reject(new StoreError('gone')) });
	const failing = new TurnScheduler(easel, 1, async () => {
		if (answers.length === 0) throw new StoreError('gone');
		return answers.shift();
	});
	expect(await failing.schedule(channel, 0)).toBe('done');
	await expect(failing.schedule(channel, 0)).rejects.toThrow(StoreError);
});
