import { describe, expect, test } from 'vitest';
import { errorFields, redactor } from './log.ts';

describe('the redactor', () => {
	const redact = redactor(['hunter2-secret', 'quo"ted']);

	test.each([
		['a configured secret', 'key hunter2-secret used', 'hunter2-secret'],
		['a configured secret inside JSON', JSON.stringify({ key: 'quo"ted' }), 'quo\\"ted'],
		['a bearer key', 'Authorization: Bearer abcdefgh12345678', 'abcdefgh12345678'],
		['a Slack token', 'token xoxb-123456789-abcdef', 'xoxb-123456789'],
		['an interaction webhook', 'POST /webhooks/1234567890/aW50ZXJhY3Rpb246', 'aW50ZXJhY3Rpb246'],
	])('keeps %s out of a line', (_, line, secret) => {
		expect(redact(line)).toContain('[redacted]');
		expect(redact(line)).not.toContain(secret);
	});

	test('leaves other lines alone', () => {
		expect(redact('{"level":30,"msg":"The sandbox is at http://127.0.0.1:3000"}')).toContain('http://127.0.0.1:3000');
	});
});

describe('the logged part of an error', () => {
	test('has its frames but no line of its message, also one that looks like a frame', () => {
		const fields = errorFields(new RangeError('a red fox\n    at the lake (a:1:1)\nby night'));
		expect(fields).toMatchObject({ type: 'RangeError', stack: expect.stringMatching(/^\s+at .*log\.test\.ts:\d+/) });
		expect(JSON.stringify(fields)).not.toMatch(/fox|lake|night/);
	});

	test('has no stack where the message was changed later, since the stack still has the first one', () => {
		const error = new Error('a red fox\n    at the lake');
		expect(error.stack).toContain('lake');
		error.message = 'Invalid request';
		expect(errorFields(new Error('', { cause: error }))).toMatchObject({
			stack: expect.stringContaining('log.test.ts'),
			cause: { type: 'Error', stack: '' },
		});
	});
});
