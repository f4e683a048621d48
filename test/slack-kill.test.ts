import { test as base, describe, vi } from 'vitest';
import { answersChat, streamedAnswer } from '../packages/fakes/src/chat.ts';
import { pngFile } from '../packages/fakes/src/pictures.ts';
import { answersPictures, smallPng, startFaultyService } from '../packages/fakes/src/service.ts';
import { type SlackFake, type SlackUser, startSlack } from '../packages/fakes/src/slack/index.ts';
import { Site } from './harness/site.ts';

/** The tests wait for leases, so they run side by side. */
class SlackSite extends Site<SlackFake> {
	get slack(): SlackFake {
		return this.platform;
	}

	async run() {
		const { slack } = this;
		const easel = this.start({
			...{ SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken },
		});
		await easel.address;
		return easel;
	}

	/** Returns the texts that Ada sees, in a thread or in the channel. */
	async texts(thread?: string): Promise<string[]> {
		const user = this.slack.user('ada');
		if (thread !== undefined) user.enter(thread);
		return (await user.look()).map(({ text }) => text);
	}

	async allText(thread?: string): Promise<string> {
		return (await this.texts(thread)).join();
	}

	/**
	 * Kills Easel while a call is in flight, which Slack handles afterwards, and starts Easel again.
	 *
	 * @param count which call of the method it is
	 * @param isLost Slack never handles it
	 */
	async killDuring(
		method: string,
		first: Awaited<ReturnType<SlackSite['run']>>,
		act: () => Promise<void>,
		count = 1,
		isLost = false,
	) {
		const { slack } = this;
		const calls = () => slack.calls.filter((call) => call.method === method).length;
		const before = calls();
		slack.faults.add(method, { slow: Promise.resolve() }, count - 1);
		const release = slack.faults.slow(method);
		await act();
		// At once: what must outlive the kill was stored before the call.
		await vi.waitUntil(() => calls() === before + count, { timeout: 25_000, interval: 1 });
		first.child.kill('SIGKILL');
		await first.ended;
		if (!isLost) release();
		return this.run();
	}
}

const test = base.extend<{ site: SlackSite }>({
	// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which other fixtures this one needs.
	site: async ({}, use) => {
		const site = new SlackSite(await startSlack({ pace: 0.02 }), await startFaultyService());
		await use(site);
		await site.close();
	},
});

describe.concurrent('after a kill, Easel answers once and pays once', () => {
	test.for([
		['while the status is posted', 'chat.postMessage', 0],
		['while the upload address is requested', 'files.getUploadURLExternal', 1],
		['while the upload is completed', 'files.completeUploadExternal', 1],
		['while Slack processes the picture', 'files.info', 1],
		['while the message is updated with the picture', 'chat.update', 1],
	] as const)('%s', async ([, method, paid], { site, expect }) => {
		site.service.next(answersPictures(await smallPng()));
		await site.killDuring(method, await site.run(), () => site.slack.user('ada').types('/imagine a fox'));
		await expect
			.poll(() => site.allText())
			.toMatch(paid ? /AI-generated/ : /stopped while this ran. Nothing was counted/);
		const [answer, ...others] = await site.slack.user('ada').look();
		expect(answer?.pictures).toHaveLength(paid);
		expect(others).toEqual([]);
		expect(site.service.requests).toHaveLength(paid);
	});

	test.for([
		['a slash command', (ada: SlackUser) => ada.types('/imagine a fox')],
		['a button', async (ada: SlackUser) => ada.press((await ada.look()).at(-1)!, 'Again')],
		['a shortcut', async (ada: SlackUser) => ada.menu((await ada.look()).at(-1)!, 'Edit image')],
		['a form', async (ada: SlackUser) => ada.submit(ada.form()!, { image: await pngFile(), prompt: 'make it night' })],
	] as const)(
		'right after the acknowledgement of %s, which the next process answers',
		async ([, act], { site, expect }) => {
			const ada = site.slack.user('ada');
			site.service.next(answersPictures(await smallPng()));
			const before = await site.run();
			await ada.types('/imagine a pond');
			await expect.poll(async () => (await ada.look()).at(-1)?.pictures).toHaveLength(1);
			await ada.types('/edit make it night');
			await expect.poll(() => ada.form()).toBeDefined();
			before.child.kill('SIGTERM');
			await before.ended;
			// A new process has cached nobody, so it looks the person up first.
			await site.killDuring('users.info', await site.run(), () => act(ada));
			await expect
				.poll(async () => (await ada.look()).slice(1).map(({ text, private: isPrivate }) => [text, isPrivate]), {
					timeout: 20_000,
				})
				.toEqual([[expect.stringMatching(/stopped while this ran. Nothing was counted/), true]]);
			expect(site.service.requests).toHaveLength(1);
		},
	);

	test.for([
		['while its message is posted', 'chat.postMessage', 1],
		['while its file is shared', 'files.completeUploadExternal', 2],
	] as const)('a report has its file once: %s', async ([, method, count], { site, expect }) => {
		await site.killDuring(method, await site.run(), () => site.slack.user('ada').types('/limits report'), count);
		const direct = site.slack.user('ada').directMessages();
		await expect.poll(async () => (await direct.look()).map(({ files }) => files?.length)).toEqual([1]);
		const [report] = await direct.look();
		expect(report).toMatchObject({ pictures: [expect.anything()], files: [expect.stringMatching(/^usage-.*csv$/)] });
		direct.enter(report?.id);
		expect(await direct.look()).toHaveLength(2);
	});

	test('while an answer grows', async ({ site, expect }) => {
		const answer = streamedAnswer();
		site.service.next(answer.behaviour);
		await site.killDuring('chat.update', await site.run(), async () => {
			const ada = site.slack.user('ada');
			await ada.types('/chat tell me a story');
			await answer.sends('Once upon a time ');
			await expect.poll(async () => site.allText((await ada.threads())[0]?.id)).toMatch(/Once upon/);
			await answer.sends('there was a fox.');
		});
		const [thread] = await site.slack.user('ada').threads();
		await expect.poll(() => site.allText(thread?.id)).toMatch(/Interrupted/);
		const [, , text, ...others] = await site.texts(thread?.id);
		expect(text).toMatch(/^Once upon a time.*\s*\*Interrupted/s);
		expect(others).toEqual([]);
	});

	test('before the first word of an answer', async ({ site, expect }) => {
		site.service.next(streamedAnswer().behaviour);
		const first = await site.run();
		await site.slack.user('ada').types('/chat tell me a story');
		await expect.poll(() => site.service.requests).toHaveLength(1);
		const [thread] = await site.slack.user('ada').threads();
		first.child.kill('SIGKILL');
		await first.ended;
		await site.run();
		await expect.poll(() => site.allText(thread?.id)).toMatch(/Interrupted/);
	});
});

test('after SIGTERM while Slack processes a picture, Easel exits with 0 and posts the picture at its next start', async ({
	site,
	expect,
}) => {
	site.service.next(answersPictures(await smallPng()));
	site.slack.settings.processing = 'never';
	const first = await site.run();
	await site.slack.user('ada').types('/imagine a fox');
	await expect.poll(() => site.slack.calls.some(({ method }) => method === 'files.info')).toBe(true);
	first.child.kill('SIGTERM');
	expect(await first.ended).toBe(0);
	expect(await site.texts()).toEqual([expect.stringMatching(/Drawing/)]);
	site.slack.settings.processing = { polls: 0, ms: 0 };
	await site.run();
	await expect.poll(() => site.allText()).toMatch(/AI-generated/);
	expect(await site.slack.user('ada').look()).toHaveLength(1);
	expect(site.service.requests).toHaveLength(1);
}, 30_000);

// Apart from the others: each process takes its share of the machine.
describe.concurrent('after a kill', () => {
	test('a report that Slack never got is told of', async ({ site, expect }) => {
		const ada = site.slack.user('ada');
		await site.killDuring('chat.postMessage', await site.run(), () => ada.types('/limits report'), 1, true);
		await expect
			.poll(async () => (await ada.look()).map(({ text }) => text))
			.toEqual([expect.stringMatching(/stopped while this ran/)]);
	});

	test('a mention gets its report with its file once', async ({ site, expect }) => {
		const ada = site.slack.user('ada');
		await site.killDuring('chat.postMessage', await site.run(), () => ada.say('@Easel limits report'));
		const direct = ada.directMessages();
		await expect.poll(async () => (await direct.look()).map(({ files }) => files?.length)).toEqual([1]);
		direct.enter((await direct.look())[0]?.id);
		expect(await direct.look()).toHaveLength(2);
	});

	test.for([
		['the channel in it is looked up', 'conversations.info', false],
		['its thread begins, of which Slack learns nothing', 'chat.postMessage', true],
	] as const)('a mention is answered while %s', async ([, method, isLost], { site, expect }) => {
		site.service.always(answersChat('An earth pigment.'));
		const ada = site.slack.user('ada');
		await site.killDuring(method, await site.run(), () => ada.say('@Easel what is the ochre in #gallery?'), 1, isLost);
		const [asked] = await ada.look();
		ada.enter(asked?.id);
		const answers = async () => (await ada.look()).filter(({ text }) => text.includes('An earth pigment.'));
		await expect.poll(answers).toHaveLength(1);
		expect(site.service.requests).toHaveLength(1);
	});

	test('a message in a chat is answered, also without a mention', async ({ site, expect }) => {
		site.service.always(answersChat('An earth pigment.'));
		const ada = site.slack.user('ada');
		const before = await site.run();
		await ada.types('/chat');
		await expect.poll(() => ada.look()).toHaveLength(1);
		ada.enter((await ada.look())[0]?.id);
		before.child.kill('SIGTERM');
		await before.ended;
		// A new process has cached nobody, so it looks the person up first.
		await site.killDuring('users.info', await site.run(), () => ada.say('What is ochre?'));
		const answers = async () => (await ada.look()).filter(({ text }) => text.includes('An earth pigment.'));
		await expect.poll(answers, { timeout: 20_000 }).toHaveLength(1);
		expect(site.service.requests).toHaveLength(1);
	});
});
