import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { answersChat, streamedAnswer } from '../../../../packages/fakes/src/chat.ts';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { pngFile } from '../../../../packages/fakes/src/pictures.ts';
import {
	answersPictures,
	type FaultyService,
	smallPng,
	startFaultyService,
} from '../../../../packages/fakes/src/service.ts';
import { type SlackFake, startSlack } from '../../../../packages/fakes/src/slack/index.ts';
import { startBot } from '../../../../test/harness/easel.ts';
import { describeCommands } from '../../../bot/declaration/options.ts';
import { PROFILES } from '../../../service/profiles.ts';
import { openStore } from '../../../store/open-store.ts';
import { createClaim } from '../../../store/store.ts';
import { createSlack } from '../index.ts';
import { manifestOf } from '../manifest.ts';

let slack: SlackFake;
let service: FaultyService;
let close: () => Promise<void>;

beforeEach(async () => {
	const all = describeCommands(commands, PROFILES.easel.capabilities);
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
		attachmentOrigins: [],
		space,
		claim: createClaim(space),
		timing: { rateLimitFactor: 0.01, processing: 1000 },
		log,
	});
	const easel = await startBot(platform, service.url, store, log);
	close = async () => {
		await easel.stop();
		await slack.close();
		await service.close();
		await rm(folder, { recursive: true });
		expect(slack.violations).toEqual([]);
	};
});
afterEach(() => close());

const expectMessage = (person: string, where: string, text: RegExp, pictures = 0) =>
	eventually(async () => {
		const seen = await slack.user(person, where).look();
		expect(seen).toContainEqual(
			expect.objectContaining({
				text: expect.stringMatching(text),
				pictures: expect.toSatisfy((all: unknown[]) => all.length === pictures),
			}),
		);
	});

describe('in a channel without the bot', () => {
	test('a request is refused with an invitation hint, without a call to the service', async () => {
		await slack.user('bjorn', 'vault').types('/imagine a fox');
		await expectMessage('bjorn', 'vault', /not in this channel.*\/invite @easel/i);
		expect(service.requests).toEqual([]);
	});

	test('a text reply is ephemeral', async () => {
		await slack.user('bjorn', 'vault').types('/usage');
		await expectMessage('bjorn', 'vault', /You today/);
	});

	test.each([{ error: 'invalid_blocks' }, { status: 500 }, { die: true as const }, { limited: 1 }])(
		'a text reply comes also after %j',
		async (fault) => {
			slack.faults.add('response_url', fault);
			await slack.user('bjorn', 'vault').types('/usage');
			await expectMessage('bjorn', 'vault', /You today/);
		},
	);

	test('a private request whose person Slack does not name is refused with a sentence', async () => {
		slack.faults.refuse('conversations.open', 'user_not_found', 5);
		await slack.user('bjorn', 'vault').types('/imagine a fox private:true');
		await expectMessage('bjorn', 'vault', /does not let me send you direct messages/);
		expect(service.requests).toEqual([]);
	});

	test('a private request is answered in direct messages', async () => {
		service.next(answersPictures(await smallPng()));
		await slack.user('bjorn', 'vault').types('/imagine a fox private:true');
		await expectMessage('bjorn', 'vault', /a fox/, 1);
		await expectMessage('bjorn', 'vault', /My answer is in our direct messages/);
	});
});

test('all who ask while a channel is backed up see a sign at once, and get their pictures there once, with buttons that work', async () => {
	const people = ['ada', 'bjorn'] as const;
	const prompts = Array.from({ length: 10 }, (_, index) => `fox ${index}`);
	for (const _ of prompts) service.next(answersPictures(await smallPng()));
	slack.faults.limit('chat.postMessage', { seconds: 2 });
	for (const [index, prompt] of prompts.entries())
		await slack.user(people[index % 2] ?? 'ada').types(`/imagine ${prompt}`);
	const seen = () => slack.user('bjorn').look();
	await expectMessage('bjorn', 'general', /Many people are asking here at once/);
	await eventually(async () => {
		const pictures = (await seen()).filter((message) => message.pictures.length === 1 && !message.private);
		expect(pictures.map(({ text }) => text.match(/fox \d/)?.[0]).toSorted()).toEqual(prompts);
	});
	await eventually(async () => expect((await seen()).filter((message) => message.private)).toEqual([]));
	const mine = (await seen()).findLast(({ text }) => text.includes('fox 9'));
	if (!mine) throw new Error('There is no message');
	await slack.user('bjorn').press(mine, 'Delete');
	const asked = await eventually(async () => {
		const found = (await seen()).find(({ buttons }) => buttons.includes('Delete for good'));
		return found ?? expect.fail('Nothing asks before the deletion');
	});
	await slack.user('bjorn').press(asked, 'Delete for good');
	const left = async () => (await seen()).filter((message) => !message.private);
	await eventually(async () => expect((await left()).filter(({ text }) => text.includes('fox 9'))).toEqual([]));
	expect(await left()).toHaveLength(9);
});

test('a request is refused with a sentence when the token is no longer valid', async () => {
	const installed = slack.world.team().installation;
	if (!installed) throw new Error('The application is not installed');
	await slack.user('bjorn').types('/usage');
	await expectMessage('bjorn', 'general', /You today/);
	installed.token = 'xoxb-another';
	await slack.user('bjorn').types('/imagine a fox');
	await expectMessage('bjorn', 'general', /no longer has access to this workspace.*Nothing was counted/);
	expect(service.requests).toEqual([]);
});

test('an error is in the language of its reader', async () => {
	await slack.user('ada', 'vault').types('/imagine a fox');
	await eventually(async () => {
		const text = (await slack.user('ada', 'vault').look()).map((message) => message.text).join();
		expect(text).toMatch(/\/invite @easel/i);
		expect(text).not.toMatch(/I'm not in/);
	});
});

test('a picture that cannot be posted is offered by /usage', async () => {
	service.next(answersPictures(await smallPng()));
	slack.faults.refuse('files.completeUploadExternal', 'storage_limit_reached', 50);
	await slack.user('bjorn').types('/imagine a fox');
	await expectMessage(
		'bjorn',
		'general',
		/Use \/usage to see it\. This workspace's storage is full\. An admin has to free space/,
	);
	slack.faults.clear();
	await slack.user('bjorn').types('/usage');
	const user = slack.user('bjorn');
	await expectMessage('bjorn', 'general', /You today/);
	const offer = (await user.look()).findLast(({ buttons }) => buttons.length > 0);
	if (!offer) throw new Error('There is no offer');
	await user.press(offer, offer.buttons[0] ?? '');
	await expectMessage('bjorn', 'general', /This could not be posted before/, 1);
	expect(service.requests).toHaveLength(1);
});

test.each([
	['slack_connect_file_upload_sharing_blocked', /A workspace that shares this channel does not allow files in it/],
	['blocked_file_type', /do not allow files of this type/],
])('a picture that Slack refuses with %s is offered with the reason', async (code, reason) => {
	service.next(answersPictures(await smallPng()));
	slack.faults.refuse('files.completeUploadExternal', code, 50);
	await slack.user('bjorn').types('/imagine a fox');
	await expectMessage('bjorn', 'general', reason);
});

test('a result that the workspace does not let Easel delete stays, with the reason', async () => {
	service.next(answersPictures(await smallPng()));
	const bjorn = slack.user('bjorn');
	await bjorn.types('/imagine a fox');
	await expectMessage('bjorn', 'general', /a fox/, 1);
	slack.faults.refuse('chat.delete', 'compliance_exports_prevent_deletion', 5);
	const result = (await bjorn.look()).find(({ pictures }) => pictures.length > 0);
	if (result) await bjorn.press(result, 'Delete');
	const asked = await eventually(async () => {
		const found = (await bjorn.look()).find(({ buttons }) => buttons.includes('Delete for good'));
		return found ?? expect.fail('Nothing asks before the deletion');
	});
	await bjorn.press(asked, 'Delete for good');
	await expectMessage('bjorn', 'general', /keeps all messages, so Slack does not let me delete mine/);
});

test('a command with a file that is no picture says what it is', async () => {
	const bjorn = slack.user('bjorn');
	await bjorn.say('@Easel edit make it night', [{ name: 'brief.pdf', bytes: Buffer.from('%PDF-1.7 brief') }]);
	await expectMessage('bjorn', 'general', /This is a PDF file/);
	expect(service.requests).toEqual([]);
});

test('a private request that is refused is refused in its place, and only its person sees it', async () => {
	await slack.user('ada').types('/limits set server day 0');
	await expectMessage('ada', 'general', /0/);
	await slack.user('bjorn').types('/imagine a fox private:true');
	await expectMessage('bjorn', 'general', /0 of 0 calls/);
	expect(await slack.user('bjorn').directMessages().look()).toEqual([]);
});

test('a command in a message with files is answered in the thread of the message', async () => {
	const user = slack.user('bjorn');
	service.next(answersPictures(await smallPng()));
	await user.say('@easel edit make it night', [await pngFile()]);
	await eventually(async () => {
		const [root] = (await user.look()).filter(({ text }) => text.includes('make it night'));
		user.enter(root?.id);
		expect((await user.look()).at(-1)).toMatchObject({
			text: expect.stringContaining('make it night'),
			pictures: [expect.anything()],
		});
	});
	expect(service.requests[0]?.path).toBe('/v1/images/edits');
});

describe('where the app may not write direct messages', () => {
	test.each(['/imagine a fox private:true', '/chat hello private:true'])(
		'%s is refused with a sentence, and nothing is paid',
		async (line) => {
			slack.settings.messagesTab = false;
			await slack.user('bjorn').types(line);
			await expectMessage('bjorn', 'general', /does not let me send you direct messages/);
			expect(service.requests).toEqual([]);
		},
	);

	test('a mention is refused with a sentence', async () => {
		slack.settings.messagesTab = false;
		await slack.user('bjorn').say('@easel imagine a fox private:true');
		await expectMessage('bjorn', 'general', /does not let me send you direct messages/);
		expect(service.requests).toEqual([]);
	});

	test('a mention is refused for everybody to see where no ephemeral messages are shown either', async () => {
		slack.settings.messagesTab = false;
		slack.faults.refuse('chat.postEphemeral', 'user_not_in_channel', 100);
		await slack.user('bjorn').say('@easel imagine a fox private:true');
		const bjorn = slack.user('bjorn');
		bjorn.enter((await bjorn.look())[0]?.id);
		await eventually(async () =>
			expect((await bjorn.look()).map(({ text }) => text).at(-1)).toMatch(/does not let me send you direct messages/),
		);
		expect(service.requests).toEqual([]);
	});

	test.each(['cannot_dm_bot', 'user_disabled'])('also for %s', async (code) => {
		slack.faults.refuse('conversations.open', code, 10);
		await slack.user('bjorn').types('/imagine a fox private:true');
		await expectMessage('bjorn', 'general', /does not let me send you direct messages/);
		expect(service.requests).toEqual([]);
	});
});

test.each([
	{ name: 'directmessage', im: true },
	{ name: 'mpdm-ada--bjorn-1', private: true },
])(
	'a request in a conversation between people ($name) is refused with a sentence that can be followed',
	async (kind) => {
		const { team } = slack.world.person('ada');
		const between = slack.world.addChannel(team, { ...kind, members: ['ada', 'bjorn'], bot: false });
		await slack.user('bjorn', between).types('/imagine a fox');
		await eventually(async () =>
			expect((await slack.user('bjorn', between).look()).at(-1)?.text).toMatch(/conversation between people. Ask me/),
		);
		expect(service.requests).toEqual([]);
	},
);

test('an entry of a menu opens no form in the direct messages of other people', async () => {
	const { team } = slack.world.person('ada');
	const talk = { name: 'directmessage', im: true, members: ['ada', 'bjorn'], bot: false };
	const bjorn = slack.user('bjorn', slack.world.addChannel(team, talk));
	await bjorn.say('look', [await pngFile()]);
	const [picture] = await bjorn.look();
	if (picture) await bjorn.menu(picture, 'Edit image');
	await eventually(async () =>
		expect((await bjorn.look()).at(-1)?.text).toMatch(/conversation between people. Ask me/),
	);
	expect(bjorn.form()).toBeUndefined();
});

test('the rules of a channel hold when Slack gives it another id', async () => {
	const general = slack.world.channel('general');
	const ada = slack.user('ada', general);
	await ada.types('/limits set channel day 0 channel:#general');
	await expectMessage('ada', 'general', /0/);
	slack.changeId(general);
	await eventually(async () => {
		await ada.types('/limits show');
		expect((await ada.look()).some(({ text }) => text.includes('#general'))).toBe(true);
	});
	await slack.user('bjorn', general).types('/imagine a fox');
	await expectMessage('bjorn', general.id, /has used 0 of 0 calls today/);
	expect(service.requests).toEqual([]);
});

test.each([
	['an app', true],
	['a workflow, whose messages do not name its user,', 'workflow'],
] as const)('%s is answered once moderators name it', async (_, app) => {
	const { team } = slack.world.person('ada');
	const channel = slack.world.channel('general');
	channel.members.add(slack.world.addUser(team, 'zapier', { name: 'Zapier', app }).id);
	const asks = (person: string, prompt: string) => slack.user(person).say(`@easel imagine ${prompt}`);
	const requests = (count: number) => eventually(() => expect(service.requests).toHaveLength(count));
	service.always(answersPictures(await smallPng()));
	await asks('zapier', 'a fox');
	await asks('bjorn', 'a pond');
	await requests(1);
	expect(String(service.requests[0]?.body)).toContain('a pond');
	await slack.user('ada').types('/limits settings apps:@Zapier');
	await expectMessage('ada', 'general', /@Zapier/);
	await asks('zapier', 'a hill');
	await requests(2);
	expect(String(service.requests[1]?.body)).toContain('a hill');
});

test('a mention that is added by an edit is answered once where only mentions are', async () => {
	const bjorn = slack.user('bjorn');
	await bjorn.types('/chat mentions_only:true');
	await eventually(async () => expect(await bjorn.threads()).toHaveLength(1));
	const [thread] = await bjorn.threads();
	bjorn.enter(thread?.id);
	await bjorn.say('which red is best?');
	service.next(answersChat('Ochre.'));
	const ada = slack.user('ada');
	ada.enter(thread?.id);
	await ada.say('@easel hello');
	await eventually(async () => expect((await bjorn.look()).at(-1)?.text).toContain('Ochre.'));
	const question = (await bjorn.look()).find(({ text }) => text.includes('which red'));
	service.next(answersChat('Vermilion.'));
	await bjorn.rewrite({ ...question } as NonNullable<typeof question>, '@easel which red is best?');
	await eventually(async () => expect((await bjorn.look()).at(-1)?.text).toContain('Vermilion.'));
	await bjorn.rewrite({ ...question } as NonNullable<typeof question>, '@easel which red is the best?');
	service.next(answersChat('Cobalt.'));
	await ada.say('@easel and which blue?');
	await eventually(async () => expect((await bjorn.look()).at(-1)?.text).toContain('Cobalt.'));
	expect(service.requests).toHaveLength(3);
	expect(String(service.requests.at(-1)?.body).match(/which red/g)).toHaveLength(1);
});

test('what was used in a channel, its chats and its pictures go on when Slack gives it another id', async () => {
	const general = slack.world.channel('general');
	const ada = slack.user('ada', general);
	const bjorn = slack.user('bjorn', general);
	await ada.types('/limits set channel day 1 channel:#general');
	await expectMessage('ada', 'general', /1/);
	service.next(answersPictures(await smallPng()));
	await bjorn.types('/imagine a fox');
	await expectMessage('bjorn', 'general', /fox/, 1);
	service.next(answersChat('An earth pigment.'));
	await bjorn.types('/chat what is ochre?');
	await eventually(async () => expect(await bjorn.threads()).toHaveLength(1));
	const [thread] = await bjorn.threads();
	bjorn.enter(thread?.id);
	await eventually(async () => expect((await bjorn.look()).at(-1)?.text).toContain('An earth pigment.'));
	slack.changeId(general);
	service.always(answersChat('From iron.'));
	await eventually(async () => {
		// Until the threads are moved, nothing is answered there.
		await bjorn.say('where does it come from?');
		expect((await bjorn.look()).some(({ text }) => text.includes('From iron.'))).toBe(true);
	});
	expect(String(service.requests.at(-1)?.body)).toContain('An earth pigment.');
	bjorn.enter();
	await bjorn.types('/imagine a hill');
	await expectMessage('bjorn', general.id, /1 of 1 call today/);
	expect(service.requests.filter(({ path }) => path.includes('images'))).toHaveLength(1);
	const picture = (await bjorn.look()).find(({ pictures }) => pictures.length > 0);
	await bjorn.press({ ...picture } as NonNullable<typeof picture>, 'Delete');
	const sure = await eventually(async () => {
		const found = (await bjorn.look()).find(({ buttons }) => buttons.includes('Delete for good'));
		return found ?? expect.fail('Nothing asks before the deletion');
	});
	await bjorn.press(sure, 'Delete for good');
	await eventually(async () => expect((await bjorn.look()).filter(({ pictures }) => pictures.length > 0)).toEqual([]));
});

describe('an answer in a chat', () => {
	/** Starts an answer. Returns the person in its thread, and the texts there. */
	async function begin() {
		const answer = streamedAnswer();
		service.next(answer.behaviour);
		const user = slack.user('bjorn');
		await user.types('/chat tell me a story');
		await eventually(() => expect(service.requests).toHaveLength(1));
		const [thread] = await user.threads();
		user.enter(thread?.id);
		const texts = async () => (await user.look()).map(({ text }) => text);
		await answer.sends('Once upon a time');
		await eventually(async () => expect((await texts()).at(-1)).toContain('Once upon a time'));
		return { user, answer, texts };
	}

	test('whose message takes no more edits goes on in a new one', async () => {
		const { answer, texts } = await begin();
		slack.settings.editWindowMs = 0;
		await answer.sends(' there was a fox.');
		await answer.ends();
		await eventually(async () =>
			expect((await texts()).slice(-2)).toEqual(['Once upon a time', expect.stringMatching(/^ there was a fox\./)]),
		);
	});

	test('ends when its message is deleted', async () => {
		const { user, answer, texts } = await begin();
		const growing = (await user.look()).at(-1);
		await slack.user('ada').erase({ ...growing } as NonNullable<typeof growing>);
		await answer.sends(' there was a fox.');
		await answer.aborted;
		expect((await texts()).join()).not.toContain('there was a fox');
	});

	test('with two tables, which Slack refuses in a message, is plain text', async () => {
		const table = (name: string) => `| ${name} | price |\n| --- | --- |\n| fox | 1 |\n`;
		service.next(answersChat(`Here are the two plans.\n\n${table('small')}\nand\n\n${table('large')}\nThat is all.`));
		const user = slack.user('bjorn');
		await user.types('/chat compare them');
		await eventually(async () => {
			const [thread] = await user.threads();
			user.enter(thread?.id);
			const last = (await user.look()).at(-1)?.text ?? '';
			expect(last).toContain('small');
			expect(last).toMatch(/large.*That is all\./s);
		});
	});
});
