import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ServiceError, type ServiceErrorKind } from '../../service/errors.ts';
import { ShutdownError } from '../messages/error-messages.ts';
import { callOnce, UserAbortError } from './call-once.ts';

const kinds: readonly ServiceErrorKind[] = [
	...(['key', 'balance', 'content', 'request', 'busy', 'unreachable', 'unknown', 'answer'] as const),
];
const serviceErrors = fc.constantFrom(...kinds).map((kind) => new ServiceError(kind, 'Something'));
const ours = fc.constantFrom(new ShutdownError(), new UserAbortError());
const unforeseen = fc.anything();

test('what came back was made', async () => {
	const end = await callOnce(async (sent) => {
		sent();
		return 'a picture';
	});
	expect(end).toEqual({ wasSent: true, outcome: 'succeeded', result: 'a picture' });
});

test('nothing that was not sent can have been paid for, whatever goes wrong', () =>
	fc.assert(
		fc.asyncProperty(fc.oneof(serviceErrors, ours, unforeseen), async (error) => {
			expect(await callOnce(() => Promise.reject(error))).toEqual({ wasSent: false, outcome: 'failed', error });
		}),
	));

test('of what was sent only what the service or we ourselves are sure of is given back', () =>
	fc.assert(
		fc.asyncProperty(fc.oneof(serviceErrors, ours, unforeseen), async (error) => {
			const end = await callOnce(async (sent) => {
				sent();
				throw error;
			});
			const isSure =
				error instanceof ServiceError
					? !['unknown', 'answer'].includes(error.kind)
					: error instanceof ShutdownError || error instanceof UserAbortError;
			expect(end).toEqual({ wasSent: true, outcome: isSure ? 'failed' : 'unknown', error });
		}),
	));
