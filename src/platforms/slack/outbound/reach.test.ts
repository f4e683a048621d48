import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { startBehind } from '../../../../test/fakes/easel.ts';
import { pngFile } from '../../../../test/fakes/pictures.ts';
import { answersPictures, type FaultyService, smallPng, startFaultyService } from '../../../../test/fakes/service.ts';
import { type SlackFake, startSlack } from '../../../../test/fakes/slack/index.ts';
import { describeCommands } from '../../../bot/declaration/available-commands.ts';
import { easelProfile } from '../../../service/profiles/easel.ts';
import { createOnce } from '../../../store/once.ts';
import { openStore } from '../../../store/open-store.ts';
import { createSlack } from '../index.ts';
import { manifestOf } from '../manifest.ts';

let slack: SlackFake;
let service: FaultyService;
let close: () => Promise<void>;

beforeEach(async () => {
	const all = describeCommands(commands, easelProfile.capabilities);
	service = await startFaultyService();
	slack = await startSlack({
		pace: 0.01,
		manifest: manifestOf(all, { by: 'socket' }),
		teams: [
			{
				name: 'Atelier',
				users: { ada: { name: 'Ada', admin: true, locale: 'de-DE' }, bjorn: { name: 'Björn' } },
				channels: ['general', { name: 'vault', private: true, bot: false }, { name: 'attic', archived: true }],
			},
		],
	});
	const folder = await mkdtemp(join(tmpdir(), 'easel-'));
	const log = pino({ level: 'silent' });
	const store = await openStore(`sqlite:${folder}/easel.db`);
	const space = store.space('slack');
	const { platform } = createSlack({
		access: { kind: 'socket', botToken: slack.botToken, appToken: slack.appToken },
		apiUrl: slack.apiUrl,
		commands: all,
		moderators: [],
		attachmentOrigins: [slack.filesOrigin],
		keyv: space.keyv,
		once: createOnce(space),
		timing: { rateLimitFactor: 0.01, processing: 1000 },
		log,
	});
	const easel = await startBehind(platform, service.url, store, log);
	close = async () => {
		await easel.stop();
		await slack.close();
		await service.close();
		await rm(folder, { recursive: true });
		expect(slack.violations).toEqual([]);
	};
});
afterEach(() => close());

const says = (person: string, where: string, text: RegExp, pictures = 0) =>
	vi.waitFor(async () => {
		const seen = await slack.user(person, where).look();
		expect(seen).toContainEqual(
			expect.objectContaining({
				text: expect.stringMatching(text),
				pictures: expect.toSatisfy((all: unknown[]) => all.length === pictures),
			}),
		);
	});

describe('where the bot is not', () => {
	test('who asks is told how to let it in, and nothing is asked for', async () => {
		await slack.user('bjorn', 'vault').types('/imagine a fox');
		await says('bjorn', 'vault', /not in this channel.*\/invite @easel/i);
		expect(service.requests).toEqual([]);
	});

	test('an answer in words is given all the same', async () => {
		await slack.user('bjorn', 'vault').types('/usage');
		await says('bjorn', 'vault', /You today/);
	});

	test('what is private comes as a direct message', async () => {
		service.next(answersPictures(await smallPng()));
		await slack.user('bjorn', 'vault').types('/imagine a fox private:true');
		await says('bjorn', 'vault', /a fox/, 1);
		await says('bjorn', 'vault', /My answer is in our direct messages/);
	});
});

test('where Slack lets the bot do nothing any more, who asks is told so', async () => {
	const installed = slack.world.team().installation;
	if (!installed) throw new Error('The application is not installed');
	await slack.user('bjorn').types('/usage');
	await says('bjorn', 'general', /You today/);
	installed.token = 'xoxb-another';
	await slack.user('bjorn').types('/imagine a fox');
	await says('bjorn', 'general', /no longer has access to this workspace.*Nothing was counted/);
	expect(service.requests).toEqual([]);
});

test('everybody is answered in their own language', async () => {
	await slack.user('ada', 'vault').types('/imagine a fox');
	await vi.waitFor(async () => {
		const text = (await slack.user('ada', 'vault').look()).map((message) => message.text).join();
		expect(text).toMatch(/\/invite @easel/i);
		expect(text).not.toMatch(/I'm not in/);
	});
});

test('a picture whose place is lost while it is drawn is not lost', async () => {
	service.next(answersPictures(await smallPng()));
	slack.faults.refuse('files.completeUploadExternal', 'storage_limit_reached', 50);
	await slack.user('bjorn').types('/imagine a fox');
	await says(
		'bjorn',
		'general',
		/Use \/usage to see it\. This workspace's storage is full\. An admin has to free space/,
	);
	slack.faults.clear();
	await slack.user('bjorn').types('/usage');
	const user = slack.user('bjorn');
	await says('bjorn', 'general', /You today/);
	const offer = (await user.look()).findLast(({ buttons }) => buttons.length > 0);
	if (!offer) throw new Error('Nothing is offered');
	await user.press(offer, offer.buttons[0] ?? '');
	await says('bjorn', 'general', /This could not be posted before/, 1);
	expect(service.requests).toHaveLength(1);
});

test('a command that is said to the bot with files is answered in the thread of what was said', async () => {
	const user = slack.user('bjorn');
	service.next(answersPictures(await smallPng()));
	await user.say('@easel edit make it night', [await pngFile()]);
	await vi.waitFor(async () => {
		const [root] = (await user.look()).filter(({ text }) => text.includes('make it night'));
		user.enter(root?.id);
		expect((await user.look()).at(-1)).toMatchObject({
			text: expect.stringContaining('make it night'),
			pictures: [expect.anything()],
		});
	});
	expect(service.requests[0]?.path).toBe('/v1/images/edits');
});
