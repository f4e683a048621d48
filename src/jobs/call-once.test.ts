import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callOnce } from '../../test/harness/paid-call.ts';
import { ShutdownError, UserAbortError } from '../domain/job.ts';
import { ServiceError, type ServiceErrorKind } from '../service/errors.ts';

const kinds: readonly ServiceErrorKind[] = [
	...(['key', 'balance', 'content', 'request', 'busy', 'failure'] as const),
	...(['unreachable', 'no-answer', 'cut-off', 'invalid'] as const),
];
const serviceErrors = fc
	.record({ kind: fc.constantFrom(...kinds), status: fc.constantFrom(undefined, 400, 429, 500, 502, 504, 520) })
	.map(({ kind, status }) => new ServiceError(kind, 'Something', { status }));
const ours = fc.constantFrom(new ShutdownError(), new UserAbortError());
const unforeseen = fc.anything();

test('returns the result', async () => {
	const end = await callOnce(async (sent) => {
		await sent();
		return 'a picture';
	});
	expect(end).toEqual({ wasSent: true, outcome: 'succeeded', result: 'a picture' });
});

test('is a failure before it is sent, whatever goes wrong', () =>
	fc.assert(
		fc.asyncProperty(fc.oneof(serviceErrors, ours, unforeseen), async (error) => {
			expect(await callOnce(() => Promise.reject(error))).toEqual({ wasSent: false, outcome: 'failed', error });
		}),
	));

test('is a failure after it is sent only when the work was surely not done', () =>
	fc.assert(
		fc.asyncProperty(fc.oneof(serviceErrors, ours, unforeseen), async (error) => {
			const end = await callOnce(async (sent) => {
				await sent();
				throw error;
			});
			const isSure =
				error instanceof ServiceError
					? error.kind === 'unreachable' ||
						(!['no-answer', 'cut-off', 'invalid'].includes(error.kind) && [400, 429, 500].includes(error.status ?? 0))
					: error instanceof ShutdownError || error instanceof UserAbortError;
			expect(end).toEqual({ wasSent: true, outcome: isSure ? 'failed' : 'unknown', error });
		}),
	));
