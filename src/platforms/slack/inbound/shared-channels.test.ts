import { afterEach, beforeEach, expect, test } from 'vitest';
import { answersChat } from '../../../../packages/fakes/src/chat.ts';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { type FaultyService, startFaultyService } from '../../../../packages/fakes/src/service.ts';
import type { SlackFake, TeamDescription } from '../../../../packages/fakes/src/slack/index.ts';
import type { Channel } from '../../../../packages/fakes/src/slack/world/model.ts';
import { openSlackHarness } from '../../../../test/harness/slack-harness.ts';

let slack: SlackFake;
let service: FaultyService;
let shared: Channel;
let close: () => Promise<void>;

beforeEach(async () => {
	service = await startFaultyService();
	const teams: TeamDescription[] = [
		{ name: 'Atelier', users: { ada: { name: 'Ada', admin: true } }, channels: ['general'] },
		{ name: 'Bindery', users: { bea: { name: 'Bea', admin: true } }, channels: ['office'] },
	];
	const harness = await openSlackHarness('oauth', { teams })(service.url, 'memory:');
	slack = harness.slack;
	shared = slack.world.channel('general', slack.world.team('Atelier'));
	slack.share(shared, 'Bindery');
	close = async () => {
		await harness.close();
		await service.close();
	};
});
afterEach(() => close());

const texts = async (person: string, thread?: string) => {
	const user = slack.user(person, shared);
	if (thread) user.enter(thread);
	return (await user.look()).map(({ text }) => text);
};

/** Starts a chat in the shared channel, with the installation of one's own workspace. Returns its thread. */
async function chat(person: string, question: string, answer: string): Promise<string> {
	service.next(answersChat(answer));
	await slack.user(person, shared).say(`@easel ${question}`);
	const thread = [...shared.messages.keys()].at(0) ?? '';
	await eventually(async () => expect((await texts(person, thread)).join()).toContain(answer));
	return thread;
}

/** The workspaces whose bots have written in the shared channel. */
const answering = () =>
	new Set([...shared.messages.values()].flatMap(({ author }) => (author.bot ? author.team.name : [])));

const EITHER = [
	['Atelier', 'Bindery'],
	['Bindery', 'Atelier'],
];

test.each(EITHER)('a talk in a shared channel goes on when its events name %s after %s', async (named, before) => {
	slack.settings.named = before;
	const thread = await chat('ada', 'what is red ochre?', 'An earth pigment.');
	slack.settings.named = named;
	const bea = slack.user('bea', shared);
	bea.enter(thread);
	service.next(answersChat('From iron oxide.'));
	await bea.say('where does it come from?');
	await eventually(async () => expect((await texts('bea', thread)).at(-1)).toContain('From iron oxide.'));
	service.next(answersChat('In caves.'));
	await bea.say('@easel and where is it used?');
	await eventually(async () => expect((await texts('bea', thread)).at(-1)).toContain('In caves.'));
	expect(String(service.requests.at(-1)?.body)).toMatch(
		/An earth pigment\..*From iron oxide\..*Bea: and where is it used/s,
	);
	expect(service.requests).toHaveLength(3);
	expect(answering()).toEqual(new Set(['Atelier']));
});

test('an edit in a shared channel is one of the talk that it belongs to', async () => {
	slack.settings.named = 'Atelier';
	const thread = await chat('ada', 'what is red ochre?', 'An earth pigment.');
	slack.settings.named = 'Bindery';
	const ada = slack.user('ada', shared);
	const question = (await ada.look()).find(({ text }) => text.includes('what is red ochre?'));
	if (question) await ada.rewrite(question, '@easel what is yellow ochre?');
	ada.enter(thread);
	service.next(answersChat('A lighter one.'));
	await ada.say('how does it look?');
	await eventually(async () => expect((await texts('ada', thread)).at(-1)).toContain('A lighter one.'));
	expect(String(service.requests.at(-1)?.body)).toContain('what is yellow ochre?');
});

test('a mention is for the bot that it names, whatever installation its event names', async () => {
	slack.settings.named = 'Atelier';
	await chat('bea', 'what is vellum?', 'Calfskin.');
	expect(answering()).toEqual(new Set(['Bindery']));
	expect(service.requests).toHaveLength(1);
});

test('people of either workspace get pictures and forms of both bots', async () => {
	const bea = slack.user('bea', shared);
	const pictures = async () => (await bea.look()).filter((message) => message.pictures.length > 0);
	for (const person of ['bea', 'ada']) await slack.user(person, shared).types('/imagine a fox');
	await eventually(async () => expect(await pictures()).toHaveLength(2));
	expect(answering()).toEqual(new Set(['Atelier', 'Bindery']));
	for (const picture of await pictures()) {
		await bea.press(picture, 'Edit');
		const form = await eventually(() => bea.form() ?? expect.fail('No form is open'));
		await bea.submit(form, { prompt: 'make it night' });
	}
	await eventually(async () => expect(await pictures()).toHaveLength(4));
});
