import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChannelLimits, Post } from '../domain/channel.ts';
import { translatorFor } from '../i18n/translator.ts';
import { LiveStatus } from './live-status.ts';

const limits = (count: number, perMs: number): ChannelLimits => ({
	text: 2000,
	pictures: 10,
	pictureBytes: 1e7,
	edits: { count, perMs },
});

/** A message, and the texts of its edits. */
function message() {
	const edits: string[] = [];
	const post: Post = {
		handle: { place: { platform: 'test', server: '1', channel: '2' }, key: 'k' },
		edit: async ({ text }) => void edits.push(text),
		delete: async () => {},
	};
	return { post, edits };
}

const t = translatorFor('en');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('shows the seconds every five seconds', async () => {
	const { post, edits } = message();
	const status = new LiveStatus(t, post, { text: 'Drawing' }, limits(5, 5000), () => true);
	await vi.advanceTimersByTimeAsync(16_000);
	await status.stop();
	expect(edits).toEqual(['Drawing … 5 s', 'Drawing … 10 s', 'Drawing … 15 s']);
});

test('uses one in four of the edits that a channel allows', async () => {
	const { post, edits } = message();
	const status = new LiveStatus(t, post, { text: 'Drawing' }, limits(1, 3000), () => true);
	await vi.advanceTimersByTimeAsync(25_000);
	await status.stop();
	expect(edits).toEqual(['Drawing … 12 s', 'Drawing … 24 s']);
});

test('shows a wait in line soon, and counts the seconds from its end', async () => {
	const { post, edits } = message();
	const status = new LiveStatus(t, post, { text: 'Drawing' }, limits(5, 5000), () => true);
	let position = 2;
	status.waitInLine(() => position);
	await vi.advanceTimersByTimeAsync(2100);
	position = 1;
	await vi.advanceTimersByTimeAsync(5000);
	status.start();
	await vi.advanceTimersByTimeAsync(5100);
	await status.stop();
	expect(edits).toEqual([
		'Drawing … waiting, number 2 in line · 2 s',
		'Drawing … waiting, next in line · 7 s',
		'Drawing … 5 s',
	]);
});

test('does not show a wait that is over soon', async () => {
	const { post, edits } = message();
	const status = new LiveStatus(t, post, { text: 'Drawing' }, limits(5, 5000), () => true);
	status.waitInLine(() => 1);
	await vi.advanceTimersByTimeAsync(1900);
	status.start();
	await vi.advanceTimersByTimeAsync(4000);
	await status.stop();
	expect(edits).toEqual([]);
});

test('shows that pictures are uploaded as its last edit, when they took a while', async () => {
	const quick = message();
	const fast = new LiveStatus(t, quick.post, { text: 'Drawing' }, limits(5, 5000), () => true);
	await vi.advanceTimersByTimeAsync(4000);
	fast.upload();
	await fast.stop();
	expect(quick.edits).toEqual([]);
	const { post, edits } = message();
	const status = new LiveStatus(t, post, { text: 'Drawing' }, limits(5, 5000), () => true);
	await vi.advanceTimersByTimeAsync(7000);
	status.upload();
	await vi.advanceTimersByTimeAsync(20_000);
	await status.stop();
	expect(edits).toEqual(['Drawing … 5 s', 'Drawing … uploading · 7 s']);
});

test('shows the latest preview once, at the pace of the channel', async () => {
	const previews: (string | undefined)[] = [];
	const post: Post = { ...message().post, edit: async ({ pictures }) => void previews.push(pictures?.[0]?.alt) };
	const picture = (alt: string) => ({ name: 'easel.preview.png', bytes: Buffer.from(alt), alt });
	const status = new LiveStatus(t, post, { text: 'Drawing' }, limits(5, 5000), () => true);
	expect(status.hasPreview).toBe(false);
	await vi.advanceTimersByTimeAsync(1000);
	status.preview(picture('first'));
	status.preview(picture('second'));
	await vi.advanceTimersByTimeAsync(2900);
	expect(previews).toEqual([]);
	await vi.advanceTimersByTimeAsync(200);
	expect([previews, status.hasPreview]).toEqual([['second'], true]);
	await vi.advanceTimersByTimeAsync(5000);
	await status.stop();
	status.preview(picture('third'));
	await vi.advanceTimersByTimeAsync(20_000);
	expect(previews).toEqual(['second', undefined]);
});

test('does not edit once it is stopped, nor a message of another process', async () => {
	const { post, edits } = message();
	let hasLease = true;
	const status = new LiveStatus(t, post, { text: 'Drawing' }, limits(5, 5000), () => hasLease);
	await vi.advanceTimersByTimeAsync(5100);
	hasLease = false;
	await vi.advanceTimersByTimeAsync(5100);
	await status.stop();
	hasLease = true;
	await vi.advanceTimersByTimeAsync(60_000);
	expect(edits).toEqual(['Drawing … 5 s']);
});

test('tells when an edit has landed after another process may have put its answer there', async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	let hasLease = true;
	const onLateEdit = vi.fn(async () => {});
	const post = { ...message().post, edit: () => promise };
	const status = new LiveStatus(t, post, { text: 'Drawing' }, limits(5, 5000), () => hasLease, onLateEdit);
	await vi.advanceTimersByTimeAsync(5100);
	hasLease = false;
	expect(onLateEdit).not.toHaveBeenCalled();
	resolve();
	await status.stop();
	expect(onLateEdit).toHaveBeenCalledOnce();
});

test('stops when a running edit has landed', async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	const status = new LiveStatus(
		t,
		{ ...message().post, edit: () => promise },
		{ text: 'Drawing' },
		limits(5, 5000),
		() => true,
	);
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
