import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChannelLimits, Post } from '../../domain/channel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { showStatus } from './status.ts';

const limits = (count: number, perMs: number): ChannelLimits => ({
	text: 2000,
	pictures: 10,
	pictureBytes: 1e7,
	edits: { count, perMs },
});

/** A message, and what it was edited to say. */
function message() {
	const said: string[] = [];
	const post: Post = {
		handle: { place: { platform: 'stage', server: '1', channel: '2' }, key: 'k' },
		edit: async ({ text }) => void said.push(text),
		delete: async () => {},
	};
	return { post, said };
}

const t = translatorFor('en');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('tells every five seconds that time goes on', async () => {
	const { post, said } = message();
	const status = showStatus(t, post, 'Drawing', limits(5, 5000), () => true);
	await vi.advanceTimersByTimeAsync(16_000);
	await status.stop();
	expect(said).toEqual(['Drawing … 5 s', 'Drawing … 10 s', 'Drawing … 15 s']);
});

test('takes one edit in four where there are few', async () => {
	const { post, said } = message();
	const status = showStatus(t, post, 'Drawing', limits(1, 3000), () => true);
	await vi.advanceTimersByTimeAsync(25_000);
	await status.stop();
	expect(said).toEqual(['Drawing … 12 s', 'Drawing … 24 s']);
});

test('tells soon who has to wait, and counts from when it is their turn', async () => {
	const { post, said } = message();
	const status = showStatus(t, post, 'Drawing', limits(5, 5000), () => true);
	status.inLine(2);
	await vi.advanceTimersByTimeAsync(600);
	status.inLine(1);
	await vi.advanceTimersByTimeAsync(5000);
	status.running();
	await vi.advanceTimersByTimeAsync(5100);
	await status.stop();
	expect(said).toEqual(['Drawing … waiting, number 2 in line', 'Drawing … waiting, next in line', 'Drawing … 5 s']);
});

test('does not tell of a wait that is over at once', async () => {
	const { post, said } = message();
	const status = showStatus(t, post, 'Drawing', limits(5, 5000), () => true);
	status.inLine(1);
	await vi.advanceTimersByTimeAsync(100);
	status.running();
	await vi.advanceTimersByTimeAsync(4000);
	await status.stop();
	expect(said).toEqual([]);
});

test('says nothing once it is stopped, nor in a message that is no longer ours', async () => {
	const { post, said } = message();
	let ours = true;
	const status = showStatus(t, post, 'Drawing', limits(5, 5000), () => ours);
	await vi.advanceTimersByTimeAsync(5100);
	ours = false;
	await vi.advanceTimersByTimeAsync(5100);
	await status.stop();
	ours = true;
	await vi.advanceTimersByTimeAsync(60_000);
	expect(said).toEqual(['Drawing … 5 s']);
});

test('resolves its stop when an edit under way has landed', async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	const status = showStatus(t, { ...message().post, edit: () => promise }, 'Drawing', limits(5, 5000), () => true);
	await vi.advanceTimersByTimeAsync(5100);
	let stopped = false;
	const stop = status.stop().then(() => {
		stopped = true;
	});
	await vi.advanceTimersByTimeAsync(1000);
	expect(stopped).toBe(false);
	resolve();
	await stop;
});
