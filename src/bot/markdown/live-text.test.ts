import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cutUp, isBalanced, markdown } from '../../../test/harness/any-markdown.ts';
import {
	type Button,
	type Channel,
	type ChannelLimits,
	type Post,
	PostClosedError,
	type Reply,
} from '../../domain/channel.ts';
import { PlatformRefusedError } from '../../i18n/translator.ts';
import { LiveText } from './live-text.ts';
import { sanitizeMarkdown } from './sanitize-markdown.ts';

type Call = {
	at: number;
	what: 'post' | 'edit';
	key: string;
	text: string;
	growing: boolean;
	buttons: readonly Button[];
	succeeded: boolean;
};

/** How long a call takes, and whether it fails. */
type CallPlan = { ms: number; fails?: boolean; refused?: boolean; closed?: boolean };

/** A channel on the fake clock that records its calls. */
function createChannel(
	edits: ChannelLimits['edits'],
	text: number,
	plan: (call: number, key: string) => CallPlan = () => ({ ms: 20 }),
) {
	const calls: Call[] = [];
	const messages = new Map<string, string>();
	let busy = 0;

	async function take(what: Call['what'], key: string, reply: Reply): Promise<void> {
		const { ms, fails = false, refused = false, closed = false } = plan(calls.length, key);
		const { text, growing = false, buttons = [] } = reply;
		const call = { at: performance.now(), what, key, text, growing, buttons, succeeded: false };
		calls.push(call);
		expect(++busy).toBe(1);
		await new Promise((resolve) => setTimeout(resolve, ms));
		busy--;
		if (refused) throw new PlatformRefusedError('discord.errors.channelGone');
		if (closed) throw new PostClosedError();
		if (fails) throw new Error('The platform cannot be reached');
		call.succeeded = true;
		messages.set(key, reply.text);
	}
	const place = { platform: 'test', server: 's', channel: 'c' };
	const unused = () => expect.fail('Not used here');
	const channel: Channel = {
		place,
		limits: { text, pictures: 1, pictureBytes: 1, edits },
		async post(reply, key): Promise<Post> {
			await take(messages.has(key) ? 'edit' : 'post', key, reply);
			return { handle: { place, key }, edit: (next) => take('edit', key, next), delete: unused };
		},
		openThread: unused,
		when: unused,
		refer: unused,
	};
	return { channel, calls, messages };
}

const DISCORD = { count: 5, perMs: 5000 };
const SLACK = { count: 50, perMs: 60_000 };
const stop = { id: 'stop:1:a', label: 'Stop' };
const retry = { id: 'retry:1:a', label: 'Retry' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Advances the clock until a promise is settled. */
async function settle<T>(promise: Promise<T>): Promise<T> {
	let over = false;
	const watched = promise.finally(() => {
		over = true;
	});
	watched.catch(() => {});
	for (let turn = 0; !over && turn < 100_000; turn++) await vi.advanceTimersByTimeAsync(1000);
	return watched;
}

const edits = (calls: readonly Call[]) => calls.filter(({ what }) => what === 'edit');

describe('a short answer', () => {
	test('that arrives at once is one post', async () => {
		const { channel, calls } = createChannel(DISCORD, 2000);
		const live = new LiveText(channel, { key: 'a', buttons: [stop] });
		live.push('Hello');
		live.push(' there.');
		const posts = await settle(live.end({ buttons: [retry] }));
		expect(calls).toMatchObject([{ what: 'post', key: 'a.0', text: 'Hello there.', buttons: [retry] }]);
		expect(posts.map(({ handle }) => handle.key)).toEqual(['a.0']);
		expect(live.text()).toBe('Hello there.');
	});

	test('that is complete before the first post is answered is one post and one edit, without a wait', async () => {
		const { channel, calls } = createChannel(DISCORD, 2000, () => ({ ms: 200 }));
		const live = new LiveText(channel, { key: 'a', buttons: [stop] });
		live.push('Hello');
		await vi.advanceTimersByTimeAsync(50);
		live.push(' there.');
		await settle(live.end());
		expect(calls).toMatchObject([
			{ what: 'post', text: 'Hello', buttons: [stop] },
			{ what: 'edit', text: 'Hello there.', buttons: [] },
		]);
		expect(calls[1]!.at - calls[0]!.at).toBeLessThan(210);
	});

	test('without visible text is no message', async () => {
		const { channel, calls } = createChannel(DISCORD, 2000);
		const live = new LiveText(channel, { key: 'a' });
		live.push(' \n');
		await vi.advanceTimersByTimeAsync(3000);
		expect(await settle(live.end({ buttons: [retry] }))).toEqual([]);
		expect(calls).toEqual([]);
	});

	test('without text is the note alone', async () => {
		const { channel, messages } = createChannel(DISCORD, 2000);
		await settle(new LiveText(channel, { key: 'a' }).end({ note: 'Stopped.' }));
		expect([...messages.values()]).toEqual(['Stopped.']);
	});
});

test('the first token is posted at once, and reported once', async () => {
	const { channel, calls } = createChannel(DISCORD, 2000);
	const onFirst = vi.fn();
	const live = new LiveText(channel, { key: 'a', onFirst });
	live.push('Yes');
	await vi.advanceTimersByTimeAsync(1);
	expect(calls).toMatchObject([{ text: 'Yes', at: calls[0]!.at }]);
	live.push(', and more.');
	await settle(live.end());
	expect(onFirst).toHaveBeenCalledTimes(1);
});

test('an edit contains the text that has arrived when it is sent', async () => {
	const { channel, calls } = createChannel(DISCORD, 2000);
	const live = new LiveText(channel, { key: 'a' });
	for (let word = 0; word < 100; word++) {
		live.push(`w${word} `);
		await vi.advanceTimersByTimeAsync(100);
	}
	await settle(live.end());
	const previews = edits(calls).map(({ text }) => text.split(' ').length);
	expect(previews).toEqual(previews.toSorted((a, b) => a - b));
	// Ten seconds with one edit in 1.25 s, and the last edit.
	expect(previews.length).toBeLessThanOrEqual(9);
	expect(previews.length).toBeGreaterThanOrEqual(7);
	expect(previews.at(-1)).toBe(100);
});

test('a platform that delays edits gets fewer', async () => {
	const { channel, calls } = createChannel(SLACK, 2000, () => ({ ms: 4000 }));
	const live = new LiveText(channel, { key: 'a' });
	for (let word = 0; word < 600; word++) {
		live.push(`w${word} `);
		await vi.advanceTimersByTimeAsync(100);
	}
	expect(edits(calls).length).toBeLessThanOrEqual(8);
	await settle(live.end());
	expect(calls.at(-1)!.text).toContain('w599');
});

test('a preview closes its open markup', async () => {
	const { channel, calls } = createChannel(DISCORD, 2000, () => ({ ms: 0 }));
	const live = new LiveText(channel, { key: 'a' });
	for (const delta of ['**bold', ' and**\n\n```ts\n', 'const a = 1;\n', 'const b']) {
		live.push(delta);
		await vi.advanceTimersByTimeAsync(6000);
	}
	await settle(live.end());
	expect(calls.map(({ text }) => text)).toEqual([
		'**bold**',
		'**bold and**',
		'**bold and**\n\n```ts\nconst a = 1;\n```',
		'**bold and**\n\n```ts\nconst a = 1;\nconst b\n```',
	]);
});

describe('the end of a text', () => {
	test('has the note under the text, and the buttons under the last message only', async () => {
		const { channel, calls, messages } = createChannel(DISCORD, 100);
		const live = new LiveText(channel, { key: 'a', buttons: [stop] });
		live.push('word '.repeat(30));
		await vi.advanceTimersByTimeAsync(3000);
		await settle(live.end({ note: 'Stopped.', buttons: [retry] }));
		expect([...messages.values()].at(-1)).toMatch(/word\n\nStopped\.$/);
		const last = new Map(calls.map((call) => [call.key, call.buttons]));
		expect([...last.values()]).toEqual([[], [retry]]);
	});

	test('has the note in its own message when it does not fit', async () => {
		const { channel, messages } = createChannel(DISCORD, 60);
		const live = new LiveText(channel, { key: 'a' });
		live.push('word '.repeat(12));
		await settle(live.end({ note: 'Stopped.' }));
		expect([...messages.values()]).toEqual(['word '.repeat(12).trim(), 'Stopped.']);
	});

	test('ignores text that is added after it', async () => {
		const { channel, calls } = createChannel(DISCORD, 2000);
		const live = new LiveText(channel, { key: 'a' });
		live.push('all');
		const first = live.end();
		live.push(' more');
		expect(await settle(live.end())).toBe(await first);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(calls.map(({ text }) => text)).toEqual(['all']);
	});
});

describe('a platform that fails', () => {
	test('gets the newest text after a pause that grows', async () => {
		const { channel, calls } = createChannel(DISCORD, 2000, (call) => ({ ms: 10, fails: call > 0 && call < 4 }));
		const live = new LiveText(channel, { key: 'a' });
		for (let word = 0; word < 120; word++) {
			live.push(`w${word} `);
			await vi.advanceTimersByTimeAsync(100);
		}
		await settle(live.end());
		const gaps = calls.slice(1, 5).map(({ at }, index) => Math.round((at - calls[index]!.at) / 1000));
		expect(gaps).toEqual([1, 1, 2, 4]);
		expect(calls.at(-1)!.text).toContain('w119');
	});

	test('to edit a message gets the rest in a new one', async () => {
		const { channel, messages } = createChannel(DISCORD, 2000, (call, key) => ({
			ms: 10,
			fails: call > 0 && key === 'a.0',
		}));
		const live = new LiveText(channel, { key: 'a' });
		live.push('**one two');
		await vi.advanceTimersByTimeAsync(1000);
		live.push(' three** four');
		const posts = await settle(live.end({ buttons: [retry] }));
		expect([...messages.values()]).toEqual(['**one two**', '**three** four']);
		expect(posts.map(({ handle }) => handle.key)).toEqual(['a.0', 'a.1']);
	});

	test('because a message takes no more edits puts the rest in a new one at once', async () => {
		const { channel, calls, messages } = createChannel(DISCORD, 2000, (call, key) => ({
			ms: 10,
			closed: call > 0 && key === 'a.0',
		}));
		const live = new LiveText(channel, { key: 'a' });
		live.push('one two');
		await vi.advanceTimersByTimeAsync(2000);
		live.push(' three');
		await vi.advanceTimersByTimeAsync(2000);
		expect([...messages.values()]).toEqual(['one two', ' three']);
		await settle(live.end());
		expect(calls.filter(({ key }) => key === 'a.0')).toHaveLength(2);
	});

	test('to edit a message whose text was taken back gets all of the other text in a new one', async () => {
		const { channel, messages } = createChannel(DISCORD, 2000, (call, key) => ({
			ms: 10,
			fails: call > 0 && key === 'a.0',
		}));
		const live = new LiveText(channel, { key: 'a' });
		live.push('one two');
		await vi.advanceTimersByTimeAsync(1000);
		live.retract();
		live.push('three four');
		await settle(live.end());
		expect([...messages.values()]).toEqual(['one two', 'three four']);
	});

	test('of the rest of a text makes the end reject', async () => {
		const { channel } = createChannel(DISCORD, 2000, (_, key) => ({ ms: 10, closed: false, fails: key === 'a.1' }));
		const live = new LiveText(channel, { key: 'a' });
		live.push('word '.repeat(500));
		await expect(settle(live.end())).rejects.toThrow('cannot be reached');
	});

	test('permanently makes the end reject', async () => {
		const { channel, calls } = createChannel(DISCORD, 2000, () => ({ ms: 10, fails: true }));
		const live = new LiveText(channel, { key: 'a' });
		live.push('one');
		await vi.advanceTimersByTimeAsync(100);
		await expect(settle(live.end())).rejects.toThrow('cannot be reached');
		expect(calls.length).toBeLessThan(10);
	});

	test('because it refuses the text is not asked again, and the end rejects at once', async () => {
		const { channel, calls } = createChannel(DISCORD, 2000, (call) => ({ ms: 10, refused: call > 0 }));
		const live = new LiveText(channel, { key: 'a' });
		live.push('one');
		await vi.advanceTimersByTimeAsync(3000);
		live.push(' two');
		await vi.advanceTimersByTimeAsync(30_000);
		live.push(' three');
		await vi.advanceTimersByTimeAsync(30_000);
		await expect(live.end()).rejects.toThrow('This channel no longer exists.');
		expect(calls.map(({ text }) => text)).toEqual(['one', 'one two']);
	});
});

const plans = fc.array(
	fc.record({
		ms: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 8000 })),
		fails: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
	}),
	{ minLength: 1, maxLength: 12 },
);

test('the messages contain the text, within their room and the rate limit, for any deltas, timing, delays and failures', async () => {
	await fc.assert(
		fc.asyncProperty(
			cutUp(markdown),
			fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 10 }),
			fc.integer({ min: 60, max: 2000 }),
			plans,
			fc.constantFrom(DISCORD, SLACK, { count: 1, perMs: 3000 }, { count: 2, perMs: 1000 }),
			async (deltas, pauses, room, course, pace) => {
				// Never so many failures in a row that a message is given up.
				const { channel, calls, messages } = createChannel(pace, room, (call) => {
					const plan = course[call % course.length]!;
					return { ...plan, fails: plan.fails && call % 4 !== 0 };
				});
				const live = new LiveText(channel, { key: 'a', buttons: [stop] });
				for (const [index, delta] of deltas.entries()) {
					live.push(delta);
					const pause = pauses[index % pauses.length]!;
					if (pause > 0 && index < 200) await vi.advanceTimersByTimeAsync(pause);
				}
				const posts = await settle(live.end());
				const made = calls.length;
				await vi.advanceTimersByTimeAsync(30_000);
				expect(calls.length).toBe(made);

				const whole = deltas.join('');
				expect(live.text()).toBe(whole);
				expect(posts.map(({ handle }) => messages.get(handle.key))).toEqual([...messages.values()]);
				expect(wordsOf([...messages.values()].join('\n'))).toEqual(wordsOf(sanitizeMarkdown(whole)));
				for (const { text, succeeded } of calls) {
					expect(text.length).toBeLessThanOrEqual(room);
					expect(isBalanced(text)).toBe(true);
					expect(text.trim()).not.toBe('');
					expect(typeof succeeded).toBe('boolean');
				}
				const times = edits(calls).map(({ at }) => at);
				for (const [index, at] of times.entries())
					expect((times[index + pace.count] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThanOrEqual(pace.perMs);
				const finals = calls.filter(({ key }, index) => calls[index + 1]?.key !== key);
				expect(finals.filter(({ growing }) => growing)).toEqual([]);
				expect(new Set(finals.map(({ key }) => key)).size).toBe(finals.length);
			},
		),
		{ numRuns: 150 },
	);
});

/**
 * Returns the text without everything that repair marks may add: fences with their languages, table heads, emphasis marks and space.
 */
function wordsOf(text: string): string {
	return text
		.replace(/^[ \t>]*(?:[-*+] +)?(?:`{3,}|~{3,})(?:ts|python|c\+\+)?[ \t]*$/gm, '')
		.replace(/[*_~`>\s]/g, '')
		.replaceAll('|H|I|J||---|:-:|--:|', '');
}
