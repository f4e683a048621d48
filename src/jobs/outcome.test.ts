import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
	answers,
	type Behaviour,
	diesAfterReading,
	diesUnread,
	diesWithinAnswer,
	type FaultyService,
	neverAnswers,
	startFaultyService,
} from '../../packages/fakes/src/service.ts';
import { callOnce } from '../../test/harness/paid-call.ts';
import { type CallOutcome, type JobState, ShutdownError, UserAbortError } from '../domain/job.ts';
import { ServiceClient, type ServiceOptions } from '../service/client.ts';
import { outcomeOfCrash, outcomeOfError } from './outcome.ts';

let service: FaultyService;
beforeEach(async () => {
	service = await startFaultyService();
});
afterEach(() => service.close());

/** The outcome of one paid call to a service that behaves like this. */
async function outcomeOf(behaviour: Behaviour, options: Partial<ServiceOptions> = {}, signal = never) {
	service.next(behaviour);
	const models = { image: 'image', chat: 'chat', embedding: 'embedding' };
	const client = new ServiceClient({ baseUrl: service.url, apiKey: 'key', timeoutMs: 5000, models, ...options });
	const end = await callOnce(async (send) => {
		await send();
		return client.generate({ prompt: 'a fox' }, signal);
	});
	await client.close();
	return end.outcome;
}

const never = new AbortController().signal;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Complete error answers that give the call back. */
const REFUSALS = [...range(400, 431), 444, 451, 499, 500, 501, 503, 505];
/** Complete answers after which nobody knows. */
const UNKNOWN = [302, 303, 304, 502, 504, ...range(506, 530), 598, 599];

const ERROR = '{"error":{"message":"no"}}';

describe('a complete error answer', () => {
	test.each(REFUSALS)('%d is a failure', async (status) => {
		expect(await outcomeOf(answers(status, ERROR))).toBe('failed');
		expect(await outcomeOf(answers(status))).toBe('failed');
	});

	test.each(UNKNOWN)('%d is of unknown outcome', async (status) => {
		expect(await outcomeOf(answers(status, status === 304 ? '' : ERROR))).toBe('unknown');
	});

	test.each([301, 307, 308])('%d is a failure, and is not followed', async (status) => {
		expect(await outcomeOf(answers(status, '', { location: `${service.url}/elsewhere` }))).toBe('failed');
		expect(service.requests).toHaveLength(1);
	});

	test('may be long', async () => {
		expect(await outcomeOf(answers(500, 'x'.repeat(1_000_000)))).toBe('failed');
	});
});

describe('an answer that is cut off is of unknown outcome', () => {
	test.each([200, 308, 400, 402, 413, 429, 500, 501, 502, 503, 505])('%d', async (status) => {
		expect(await outcomeOf(diesWithinAnswer('{"error":{"mess', status))).toBe('unknown');
		expect(await outcomeOf(diesWithinAnswer('', status))).toBe('unknown');
	});

	test.each([200, 402, 500])('%d, by silence', async (status) => {
		const stops: Behaviour = ({ response }) => void response.writeHead(status, { 'content-length': 9 }).flushHeaders();
		expect(await outcomeOf(stops, { timeoutMs: 100 })).toBe('unknown');
	});
});

test.each<[string, Behaviour, Partial<ServiceOptions>]>([
	['a reset before the request is read', diesUnread, {}],
	['a reset after the request is read', diesAfterReading, {}],
	['no answer in time', neverAnswers, { timeoutMs: 100 }],
	['an answer that is no picture', answers(200, '{"data":[{"b64_json":"bm8="}]}'), {}],
	['an answer that is no JSON', answers(200, 'done'), {}],
	['an answer without pictures', answers(200, '{"data":[]}'), {}],
])('%s is of unknown outcome', async (_, behaviour, options) => {
	expect(await outcomeOf(behaviour, options)).toBe('unknown');
});

test('a service that cannot be reached is a failure', async () => {
	await service.close();
	expect(await outcomeOf(answers(200))).toBe('failed');
});

describe.each([new ShutdownError(), new UserAbortError()])('an abort by %s', (reason) => {
	test('before anything is sent is a failure', async () => {
		expect(await outcomeOf(answers(200), {}, AbortSignal.abort(reason))).toBe('failed');
		expect(service.requests).toHaveLength(0);
	});

	test('while the service works is of unknown outcome', async () => {
		const controller = new AbortController();
		const outcome = outcomeOf(neverAnswers, {}, controller.signal);
		await service.arrived(1);
		controller.abort(reason);
		expect(await outcome).toBe('unknown');
	});

	test('within an error answer is of unknown outcome', async () => {
		const controller = new AbortController();
		const begins: Behaviour = ({ response }) => {
			response.writeHead(402, { 'content-length': 9 }).write('x', () => controller.abort(reason));
		};
		expect(await outcomeOf(begins, {}, controller.signal)).toBe('unknown');
	});
});

test('an error of our own after the call was sent is of unknown outcome', () => {
	expect(outcomeOfError(new TypeError('x'), true)).toBe('unknown');
	expect(outcomeOfError(undefined, true)).toBe('unknown');
});

describe('a crash', () => {
	test.each<[JobState, CallOutcome | undefined, CallOutcome]>([
		['reserved', undefined, 'failed'],
		['sent', undefined, 'unknown'],
		['answered', 'failed', 'failed'],
		['answered', 'unknown', 'unknown'],
		['sent', 'succeeded', 'unknown'],
	])('in the state %s (%s) without a result comes to %s', (state, outcome, expected) => {
		expect(outcomeOfCrash({ state, ...(outcome && { outcome }) })).toBe(expected);
	});

	test.each<JobState>(['reserved', 'sent', 'answered'])('in the state %s with a result succeeded', (state) => {
		expect(outcomeOfCrash({ state }, true)).toBe('succeeded');
	});
});
