import { expect, test } from 'vitest';
import { MemoryRelease } from './memory-release.ts';

test('releases memory that was read whole, once the next comes', () => {
	const memory = new MemoryRelease();
	const first = new Uint8Array(10);
	memory.read(first.subarray(0, 4));
	memory.read(first.subarray(4));
	expect(first.byteLength).toBe(10);
	memory.read(new Uint8Array(1));
	expect(first.byteLength).toBe(0);
});

test('leaves memory alone that others may share', () => {
	const memory = new MemoryRelease();
	const shared = new Uint8Array(10);
	const pooled = Buffer.from('a small buffer of the common pool');
	for (const chunk of [shared.subarray(0, 9), pooled, shared.subarray(9), new Uint8Array(1)]) memory.read(chunk);
	expect(shared.byteLength).toBe(10);
	expect(pooled.toString()).toBe('a small buffer of the common pool');
	expect(Buffer.from('x').toString()).toBe('x');
});

test('leaves empty memory alone, which the parser uses for all', () => {
	const memory = new MemoryRelease();
	const empty = Buffer.from(new ArrayBuffer(0));
	memory.read(empty);
	memory.read(new Uint8Array(1));
	expect((empty.buffer as ArrayBuffer).detached).toBe(false);
});
