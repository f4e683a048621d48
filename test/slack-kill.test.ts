import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { streamedAnswer } from './fakes/chat.ts';
import { answersPictures, type FaultyService, smallPng, startFaultyService } from './fakes/service.ts';
import { type SlackFake, startSlack } from './fakes/slack/index.ts';
import { startProcess } from './harness/process.ts';

let folder: string;
let slack: SlackFake;
let service: FaultyService;
const running = new Set<ChildProcess>();

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'easel-'));
	slack = await startSlack({ pace: 0.02 });
	service = await startFaultyService();
});
afterEach(async () => {
	for (const child of running) child.kill('SIGKILL');
	running.clear();
	await slack.close();
	await service.close();
	await rm(folder, { recursive: true, maxRetries: 5 });
	expect(slack.violations).toEqual([]);
});

async function run(streams: 'on' | 'auto' = 'on') {
	const easel = startProcess(folder, {
		...{ SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken },
		SLACK_STREAMS: streams,
		...{ SERVICE_BASE_URL: service.url, SERVICE_PROFILE: 'easel', SERVICE_API_KEY: 'key' },
	});
	running.add(easel.child);
	await easel.address;
	return easel;
}

/** Returns the texts that Ada sees, in a thread or in the channel. */
async function texts(thread?: string): Promise<string[]> {
	const user = slack.user('ada');
	if (thread !== undefined) user.enter(thread);
	return (await user.look()).map(({ text }) => text);
}

/** Returns the status that Slack shows in a thread. */
function session(thread?: string): string | undefined {
	const user = slack.user('ada');
	user.enter(thread);
	return user.session();
}
const allText = async (thread?: string) => (await texts(thread)).join();

/**
 * Kills Easel while a call is in flight, which Slack handles afterwards, and starts Easel again.
 *
 * @param count which call of the method it is
 */
async function killDuring(method: string, first: Awaited<ReturnType<typeof run>>, act: () => Promise<void>, count = 1) {
	const calls = () => slack.calls.filter((call) => call.method === method).length;
	const before = calls();
	slack.faults.add(method, { slow: Promise.resolve() }, count - 1);
	const release = slack.faults.slow(method);
	await act();
	// At once: what must outlive the kill was stored before the call.
	await expect.poll(calls, { timeout: 10_000, interval: 1 }).toBe(before + count);
	first.child.kill('SIGKILL');
	await first.ended;
	release();
	return run();
}

describe('after a kill, Easel answers once and pays once', () => {
	test.for([
		['while the status is posted', 'chat.postMessage', 0],
		['while the upload address is requested', 'files.getUploadURLExternal', 1],
		['while the upload is completed', 'files.completeUploadExternal', 1],
		['while Slack processes the picture', 'files.info', 1],
		['while the message is updated with the picture', 'chat.update', 1],
	] as const)('%s', async ([, method, paid]) => {
		service.next(answersPictures(await smallPng()));
		await killDuring(method, await run(), () => slack.user('ada').types('/imagine a fox'));
		await expect.poll(() => allText()).toMatch(paid ? /AI-generated/ : /stopped while this ran. Nothing was counted/);
		const [answer, ...others] = await slack.user('ada').look();
		expect(answer?.pictures).toHaveLength(paid);
		expect(others).toEqual([]);
		expect(service.requests).toHaveLength(paid);
	});

	test('while a picture is shared as a message, because the channel takes no others for now', async () => {
		service.next(answersPictures(await smallPng()));
		slack.faults.limit('chat.postMessage', { seconds: 60 });
		const ask = () => slack.user('ada').types('/imagine a fox');
		await killDuring('files.completeUploadExternal', await run(), ask);
		await expect
			.poll(() => slack.user('ada').look())
			.toEqual([expect.objectContaining({ pictures: [expect.anything()], private: false })]);
		expect(service.requests).toHaveLength(1);
	});

	test.for([
		['while its message is posted', 'chat.postMessage', 1],
		['while its file is shared', 'files.completeUploadExternal', 2],
	] as const)('a report has its file once: %s', async ([, method, count]) => {
		await killDuring(method, await run(), () => slack.user('ada').types('/limits report'), count);
		const direct = slack.user('ada').directMessages();
		await expect.poll(async () => (await direct.look()).map(({ files }) => files?.length)).toEqual([1]);
		const [report] = await direct.look();
		expect(report).toMatchObject({ pictures: [expect.anything()], files: [expect.stringMatching(/^usage-.*csv$/)] });
		direct.enter(report?.id);
		expect(await direct.look()).toHaveLength(2);
	});

	test.for(['chat.startStream', 'chat.appendStream', 'chat.stopStream', 'chat.update'])(
		'while an answer is streamed: %s',
		async (method) => {
			const answer = streamedAnswer();
			service.next(answer.behaviour);
			await killDuring(method, await run(), async () => {
				await slack.user('ada').types('/chat tell me a story');
				await answer.sends('Once upon a time ');
				if (method === 'chat.startStream') return;
				await expect.poll(() => slack.calls.find((call) => call.method === 'chat.startStream')?.status).toBe(200);
				await (method === 'chat.appendStream' ? answer.sends('there was a fox.') : answer.ends());
			});
			const [thread] = await slack.user('ada').threads();
			await expect.poll(() => allText(thread?.id)).toMatch(/Interrupted/);
			const [title, greeting, text, ...others] = await texts(thread?.id);
			expect([title, greeting]).toEqual([expect.stringMatching(/a story/), expect.stringMatching(/remember/)]);
			expect(text).toMatch(/^(Once upon a time.*)?\s*\*Interrupted/s);
			expect(others).toEqual([]);
			expect(service.requests).toHaveLength(1);
			await expect.poll(() => session(thread?.id)).toBe('active');
		},
	);

	test('while an answer is edited, in a channel by default', async () => {
		const answer = streamedAnswer();
		service.next(answer.behaviour);
		await killDuring('chat.update', await run('auto'), async () => {
			const ada = slack.user('ada');
			await ada.types('/chat tell me a story');
			await answer.sends('Once upon a time ');
			await expect.poll(async () => allText((await ada.threads())[0]?.id)).toMatch(/Once upon/);
			await answer.sends('there was a fox.');
		});
		const [thread] = await slack.user('ada').threads();
		await expect.poll(() => allText(thread?.id)).toMatch(/Interrupted/);
		const [, , text, ...others] = await texts(thread?.id);
		expect(text).toMatch(/^Once upon a time.*\s*\*Interrupted/s);
		expect(others).toEqual([]);
		expect(slack.calls.filter(({ method }) => method.endsWith('Stream'))).toEqual([]);
		await expect.poll(() => session(thread?.id)).toBe('active');
	});

	test('before the first word of an answer, whose status Slack would show for an hour', async () => {
		service.next(streamedAnswer().behaviour);
		const first = await run();
		await slack.user('ada').types('/chat tell me a story');
		await expect.poll(() => service.requests).toHaveLength(1);
		const [thread] = await slack.user('ada').threads();
		await expect.poll(() => session(thread?.id)).toBe('processing');
		first.child.kill('SIGKILL');
		await first.ended;
		await run();
		await expect.poll(() => allText(thread?.id)).toMatch(/Interrupted/);
		await expect.poll(() => session(thread?.id)).toBe('active');
	});
});

test('after SIGTERM while Slack processes a picture, Easel exits with 0 and posts the picture at its next start', async () => {
	service.next(answersPictures(await smallPng()));
	slack.settings.processing = 'never';
	const first = await run();
	await slack.user('ada').types('/imagine a fox');
	await expect.poll(() => slack.calls.some(({ method }) => method === 'files.info')).toBe(true);
	first.child.kill('SIGTERM');
	expect(await first.ended).toBe(0);
	expect(await texts()).toEqual([expect.stringMatching(/Drawing/)]);
	slack.settings.processing = { polls: 0, ms: 0 };
	await run();
	await expect.poll(() => allText()).toMatch(/AI-generated/);
	expect(await slack.user('ada').look()).toHaveLength(1);
	expect(service.requests).toHaveLength(1);
}, 30_000);
