import { expect } from 'vitest';
import type { RecordedRequest } from '../../../packages/fakes/src/service.ts';

export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Returns the index of each part in the body of a request; -1 for a part that it does not contain. */
export const indexesIn = (request: RecordedRequest | undefined, ...parts: Uint8Array[]) =>
	parts.map((part) => request?.body.indexOf(part) ?? -1);

export function expectContained(request: RecordedRequest | undefined, ...parts: Uint8Array[]): void {
	expect(indexesIn(request, ...parts)).not.toContain(-1);
}

export function expectInOrder(request: RecordedRequest | undefined, ...parts: Uint8Array[]): void {
	const indexes = indexesIn(request, ...parts);
	expect(indexes).not.toContain(-1);
	expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
}
