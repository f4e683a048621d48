import { describe, expect, test } from 'vitest';
import { errorOf, readError } from './errors.ts';

function error(status: number, body: unknown = '', headers: Record<string, string> = {}) {
	return errorOf({ status, headers }, readError(typeof body === 'string' ? body : JSON.stringify(body)));
}

describe('the kind of an error status', () => {
	test.each([
		[400, 'request'],
		[401, 'key'],
		[402, 'balance'],
		[403, 'key'],
		[404, 'request'],
		[405, 'request'],
		[407, 'unreachable'],
		[408, 'busy'],
		[409, 'request'],
		[413, 'request'],
		[415, 'request'],
		[418, 'request'],
		[422, 'request'],
		[425, 'busy'],
		[429, 'busy'],
		[451, 'content'],
		[301, 'request'],
		[307, 'request'],
		[308, 'request'],
		[302, 'invalid'],
		[303, 'invalid'],
		[304, 'invalid'],
		[500, 'failure'],
		[501, 'request'],
		[502, 'failure'],
		[503, 'busy'],
		[504, 'failure'],
		[505, 'request'],
		[524, 'failure'],
		[529, 'busy'],
	])('%d', (status, kind) => {
		expect(error(status)).toMatchObject({ name: 'ServiceError', status, kind });
	});

	test.each([
		[400, { error: { code: 'invalid_value', param: 'size' } }, 'size'],
		[400, { error: { code: 'invalid_size' } }, 'size'],
		[404, { error: { code: 'model_not_found', param: 'model' } }, 'model'],
		[404, { error: { code: 'DeploymentNotFound', message: 'No.' } }, 'model'],
		[400, { error: { code: 'invalid_value', param: 'prompt' } }, undefined],
		[500, { error: { param: 'size' } }, undefined],
		[422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'] }] }, 'stream_options'],
		[400, { error: { message: "Extra inputs are not permitted, field: 'response_format'" } }, 'response_format'],
	])('%d %j is about the %s', (status, body, about) => {
		expect(error(status, body).about).toBe(about);
	});

	test('names the time to come back', () => {
		expect(error(503, '', { 'retry-after': '7' })).toMatchObject({ kind: 'busy', retryAfterSeconds: 7 });
		expect(error(503, '', { 'retry-after': 'soon' })).toHaveProperty('retryAfterSeconds', undefined);
		expect(error(502, '', { 'retry-after': '7' })).toMatchObject({ kind: 'failure', retryAfterSeconds: 7 });
	});

	test.each<[object, number | undefined]>([
		[{ error: { message: 'Rate limit reached. Please try again in 20s. Visit us.' } }, 20],
		[{ error: { message: 'Please try again in 7m12.5s.' } }, 432.5],
		[{ error: { message: 'No deployments available, Try again in 60 seconds.' } }, 60],
		[{ error: { message: 'Please retry in 850ms.' } }, 0.85],
		[{ error: { message: 'Please wait 30 seconds.' } }, 30],
		[{ message: 'Too many requests', retry_after: 7 }, 7],
		[{ error: { message: 'Please try again in a while.' } }, undefined],
	])('is read from the body, too: %j', (body, seconds) => {
		expect(error(429, body)).toMatchObject({ kind: 'busy', retryAfterSeconds: seconds });
	});

	test.each([
		[400, { error: { code: 'content_policy_violation' } }, 'content'],
		[403, { error: { type: 'moderation_blocked' } }, 'content'],
		[422, { message: 'Rejected by our safety system.' }, 'content'],
		[400, { error: { code: 'invalid_content_type' } }, 'request'],
		[401, { error: { message: 'safety first: wrong key' } }, 'key'],
		[500, { error: { code: 'content_policy_violation' } }, 'content'],
		[502, { error: { code: 'moderation_blocked' } }, 'content'],
		[500, { error: { message: 'The safety system is down.' } }, 'failure'],
		[429, { error: { code: 'insufficient_quota' } }, 'balance'],
		[403, { error: { type: 'billing_not_active' } }, 'balance'],
		[429, { error: { code: 'rate_limit_exceeded' } }, 'busy'],
		[
			429,
			[{ error: { code: 429, message: 'check your plan and billing details', details: [{ retryDelay: '26s' }] } }],
			'busy',
		],
		[429, { error: { message: 'Check your plan and billing details' } }, 'balance'],
		[400, { error: { message: 'Budget has been exceeded' } }, 'balance'],
		[403, { error: { message: 'Your input was flagged' } }, 'content'],
		[403, { error: { message: 'Your organization must be verified' } }, 'key'],
		[400, { code: 'DataInspectionFailed', message: 'Output data may contain inappropriate content.' }, 'content'],
		[400, { error: { code: '1301', message: 'x' } }, 'content'],
		[400, { error: { message: 'x', innererror: { code: 'ResponsibleAIPolicyViolation' } } }, 'content'],
		[400, { error: { message: 'The response was filtered due to our content management policy' } }, 'content'],
		[400, { error: { code: 'invalid_value', message: 'Unknown size for "nsfw"', param: 'size' } }, 'request'],
		[400, { error: { message: 'Cannot draw "a safety system" in this size' } }, 'request'],
		[400, { error: { message: '{"error":{"code":"content_filter","message":"m"}}' } }, 'content'],
		[400, { error: { message: 'Your prompt was rejected, since it may violate our guidelines.' } }, 'content'],
		[422, { error: 'Your prompt contains banned words.' }, 'content'],
		[400, { ResponseMetadata: { Error: { CodeN: 50411, Message: 'Pre Img Risk Not Pass' } } }, 'content'],
		[400, { status: 'Request Moderated', details: { 'Moderation Reasons': ['Derivative Works Filter'] } }, 'content'],
		[200, { id: 'x', status: 'Content Moderated', result: null }, 'content'],
		[400, { error: { type: 'invalid_request_error', message: 'Your credit balance is too low.' } }, 'balance'],
		[403, { error: { code: 'insufficient_user_quota', message: '用户额度不足' } }, 'balance'],
		[400, { error: { message: 'Prompt rejected by moderation.' } }, 'content'],
		[400, { error: { message: 'Potentially harmful content was detected.' } }, 'content'],
		[400, { error: { message: 'x', code: 'PROMPT_BLOCKED' } }, 'content'],
		[400, { error: { message: 'The quality parameter is sensitive to case' } }, 'request'],
		[403, { error: { message: 'Your trial has ended. Please add a payment method.' } }, 'balance'],
		[403, { error: { message: 'Insufficient account balance' } }, 'balance'],
		[400, { error: { message: 'API key is missing' } }, 'key'],
		[400, { error: { message: 'Too many concurrent requests' } }, 'busy'],
		[500, { error: { message: 'We are currently experiencing high demand.' } }, 'busy'],
		[400, { error: 'not enough api tokens', code: 'unexpected' }, 'balance'],
		[400, { code: 'IPInfringementSuspect', message: 'Input data is suspected.' }, 'content'],
		[403, { code: 'No permission to do this', error: "Your team doesn't have any credits yet." }, 'balance'],
		[429, { error: 'Your team has reached its monthly spending limit.' }, 'balance'],
		[200, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }, 'balance'],
		[200, { base_resp: { status_code: 1004, status_msg: 'login fail: please carry the key' } }, 'key'],
		[400, { code: 'An argument is wrong', error: 'Incorrect API key provided.' }, 'key'],
		[400, { __type: 'ThrottlingException', message: 'Please wait.' }, 'busy'],
		[500, { error: { message: '当前分组上游负载已饱和，请稍后再试', type: 'one_api_error' } }, 'busy'],
		[500, { error: { message: 'Overloaded', code: 'server_overloaded' } }, 'busy'],
		[500, { error: { message: 'Your billing period ended' } }, 'failure'],
		[200, { error_code: 17, error_msg: 'Open api daily request limit reached' }, 'balance'],
		[200, { error_code: 18, error_msg: 'Open api qps request limit reached' }, 'busy'],
		[200, { error_code: 110, error_msg: 'Access token invalid or no longer valid' }, 'key'],
		[401, { error: { message: '该令牌额度已用尽', type: 'one_api_error' } }, 'balance'],
		[429, { error: { code: '1113', message: '您的账户已欠费，请充值后重试。' } }, 'balance'],
		[400, { error: { code: 'x', message: '该模型当前访问量过大，请您稍后再试' } }, 'busy'],
		[200, { Response: { Error: { Code: 'OperationDenied.ImageIllegalDetected', Message: 'x' } } }, 'content'],
		[200, { Response: { Error: { Code: 'RequestLimitExceeded.JobNumExceed', Message: 'x' } } }, 'busy'],
		[200, { Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'x' } } }, 'key'],
		[200, { code: 50511, message: 'x', data: null }, 'content'],
		[200, { code: 50430, message: 'x', data: null }, 'busy'],
		[200, { errcode: 45009, errmsg: 'Not enough credits' }, 'balance'],
		[200, { state: 'error', failure_reason: 'The worker is overloaded' }, 'busy'],
		[200, { base_resp: { status_code: 2013, status_msg: 'invalid params' } }, 'request'],
		[422, { detail: 'Prompt moderation has failed' }, 'content'],
		[400, { message: 'The prompt was deemed unsafe' }, 'content'],
		[400, { error: 'It goes against our usage policy.' }, 'content'],
		[400, { error: 'The field billing_id is unknown' }, 'request'],
		[500, { error: 'Model flux is currently loading' }, 'busy'],
		[446, { error: { message: 'The guardrail checks defined in the config failed.' } }, 'content'],
		[500, { errors: [{ message: 'AiError: Capacity temporarily exceeded, please try again.', code: 3040 }] }, 'busy'],
		[422, { name: 'content_moderation', errors: ['Not this.'] }, 'content'],
		[400, { errorCode: 'CONTENT_POLICY', errorMessage: 'Not this.' }, 'content'],
		[400, { error: { message: 'litellm.ContentPolicyViolationError: rejected', code: '400' } }, 'content'],
		[400, { error: { code: 'invalid_request', message: 'Your prompt was rejected by our safety system.' } }, 'content'],
		[400, { error: { status: 'INVALID_ARGUMENT', message: 'API key not valid.' } }, 'key'],
		[200, { data: [], error: 'content_policy_violation' }, 'content'],
		[400, { error: 'insufficient_quota' }, 'balance'],
		[429, { error: 'You have reached your monthly limit of 100 images.' }, 'balance'],
		[403, { error: 'Your account has unpaid invoices.' }, 'balance'],
		[
			400,
			{ error: { message: 'VertexAIException - {"error":{"details":[{"reason":"PROHIBITED_CONTENT"}]}}' } },
			'content',
		],
	])('%d %j', (status, body, kind) => {
		expect(error(status, body).kind).toBe(kind);
	});
});

describe('bodies of any shape', () => {
	test.each<[string, unknown, ReturnType<typeof readError>]>([
		[
			'the common convention',
			{ error: { message: 'm', code: 'c', type: 't' } },
			{ message: 'm', code: 'c', type: 't' },
		],
		['a bare error', { error: 'm' }, { message: 'm' }],
		['a bare error with a code beside it', { error: 'm', code: 7 }, { message: 'm', code: '7' }],
		['a message', { message: 'm', request_id: 'r' }, { message: 'm', requestId: 'r' }],
		['a detail', { detail: 'm' }, { message: 'm' }],
		['a list of details', { detail: [{ msg: 'm', type: 'missing' }] }, { message: 'm', type: 'missing' }],
		['a list of errors', { errors: [{ message: 'm', code: 'c' }] }, { message: 'm', code: 'c' }],
		['a list', [{ error: { message: 'm' } }], { message: 'm' }],
		['problem details', { title: 'm', status: 400 }, { message: 'm', status: 400 }],
		['error and message', { error: true, message: 'm' }, { message: 'm' }],
		[
			'names in other letters',
			{ errorCode: 'c', errorMessage: 'm', requestId: 'r' },
			{ message: 'm', code: 'c', requestId: 'r' },
		],
		[
			'a status beside it',
			{ statusCode: 400, error: 'Bad Request', message: 'm' },
			{ message: 'm', code: '400', status: 400 },
		],
		['a description', { error: 'invalid_request', error_description: 'm' }, { message: 'm', code: 'invalid_request' }],
		['a fault', { fault: { faultstring: 'm' } }, { message: 'm' }],
		[
			'a message with a list',
			{ error: 'Sizes: ["1024x1024","512x512"]' },
			{ message: 'Sizes: ["1024x1024","512x512"]' },
		],
		['a message before JSON', { error: 'At the back: {"error":{"message":"m"}}' }, { message: 'm' }],
		['a string', '"m"', { message: 'm' }],
		['text', 'no upstream', { message: 'no upstream' }],
		['HTML', '<html><head><title> 502 Bad Gateway </title></head></html>', { message: '502 Bad Gateway' }],
		['XML', '<?xml version="1.0"?><Error><Code>c</Code><Message>m</Message></Error>', { message: 'm' }],
		['a description alone', { ok: false, description: 'm' }, { message: 'm' }],
		['HTML without a title', '<h1>no</h1>', { message: 'no' }],
		['HTML without a heading', '<body>no</body>', {}],
		['cut JSON', '{"error":{"mess', { message: '{"error":{"mess' }],
		['null', 'null', {}],
		['a number', '7', {}],
		['an empty object', {}, {}],
		['wrong types everywhere', { error: { message: 7, code: {} }, message: [] }, {}],
		['deep nesting', JSON.parse(`${'{"error":'.repeat(900)}1${'}'.repeat(900)}`), {}],
		['nothing', '', {}],
	])('%s', (_, body, said) => {
		expect(readError(typeof body === 'string' ? body : JSON.stringify(body))).toEqual(said);
	});

	test('messages are shortened to one line, and not printed by loggers', () => {
		const failure = error(400, { error: { message: `a\u0000\u001b[31m\r\nb\u202e${'x'.repeat(1000)}😀` } });
		expect(failure.detail).toMatch(/^a \[31m bx+…$/);
		expect(failure.detail).toHaveLength(300);
		expect(failure.message).toBe('The image service does not take this request (status 400).');
		expect(JSON.stringify(failure)).not.toContain('x'.repeat(10));
		expect(Object.keys(failure)).not.toContain('detail');
	});

	test('invalid ids and codes are dropped', () => {
		expect(error(400, '', { 'x-request-id': 'req_1-2.3' }).requestId).toBe('req_1-2.3');
		expect(error(400, '', { 'x-request-id': 'a b\u0007' }).requestId).toBeUndefined();
		expect(error(400, { error: { code: 'a red fox' } }).code).toBeUndefined();
		expect(error(400, { message: 'm', request_id: 'r1' }).requestId).toBe('r1');
	});
});

test('reads a long body of unfinished titles at once', () => {
	expect(readError('<title'.repeat(100_000))).toEqual({});
	expect(readError(`<html><title lang="en">${' Down '.repeat(20_000)}`).message).toMatch(/^Down/);
});
