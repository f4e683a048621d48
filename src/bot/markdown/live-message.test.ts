import { describe, expect, test } from 'vitest';
import { growingPart, isSame, type LiveMessage, messageOf, noteMessage } from './live-text.ts';
import { NOTHING_OPEN } from './split-points.ts';
import type { Piece } from './split-text.ts';

const stop = [{ id: 'stop:1:a', label: 'Stop' }];
const retry = [{ id: 'retry:1:a', label: 'Retry' }];
const pieceOf = (text: string, suffix = ''): Piece => ({
	prefix: '',
	text,
	suffix,
	shown: text + suffix,
	open: NOTHING_OPEN,
});
const draft = { piece: pieceOf('Hello'), full: false };
const growing = (text: string, suffix = ''): LiveMessage => ({
	text: text + suffix,
	buttons: [],
	piece: pieceOf(text, suffix),
	finished: false,
});

describe('a message', () => {
	test('has the buttons while its text grows', () => {
		expect(messageOf(draft, stop, undefined, 100)).toMatchObject({ text: 'Hello', buttons: stop, finished: false });
	});

	test('that is full has neither buttons nor note', () => {
		const closing = { note: 'Stopped.', buttons: retry };
		expect(messageOf({ ...draft, full: true }, stop, closing, 100)).toMatchObject({ text: 'Hello', buttons: [] });
	});

	test('that is the last has the note where it fits', () => {
		const closing = { note: 'Stopped.', buttons: retry };
		expect(messageOf(draft, stop, closing, 100)).toMatchObject({
			text: 'Hello\n\nStopped.',
			buttons: retry,
			noted: true,
		});
		expect(messageOf(draft, stop, closing, 10)).not.toHaveProperty('noted');
		expect(noteMessage('Stopped.', closing, 4)).toMatchObject({ text: 'Stop', buttons: retry, noted: true });
	});

	test('is edited when its text or buttons change, and once more when it is complete', () => {
		const shown = { ...growing('Hello'), growing: 'Hello' };
		expect(isSame(shown, growing('Hello'))).toBe(true);
		expect(isSame(shown, growing('Hello!'))).toBe(false);
		expect(isSame(shown, { ...growing('Hello'), buttons: retry })).toBe(false);
		expect(isSame(shown, { ...growing('Hello'), finished: true })).toBe(false);
	});
});

test('the growing part of a message leaves out its closing marks, and ends when text is taken back', () => {
	expect(growingPart(growing('**a', '**'), '')).toBe('**a');
	expect(growingPart(growing('**a b', '**'), '**a')).toBe('**a b');
	expect(growingPart(growing('**a'), '**a b')).toBe('**a b');
	expect(growingPart(growing('x'), '**a b')).toBeUndefined();
	expect(growingPart(growing('x y'), undefined)).toBeUndefined();
});
