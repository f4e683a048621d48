import { beforeEach, expect, test } from 'vitest';
import type { Place } from '../../domain/channel.ts';
import { type MessageChange, platformsOf } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { openStore } from '../../store/open-store.ts';
import type { Policy } from '../moderation/policy.ts';
import { Conversations } from './conversations.ts';
import { applyChange } from './thread-changes.ts';
import { newAnswer, utterance } from './transcript.ts';

const place: Place = { platform: 'test', server: 'club', channel: 'general', thread: 't1' };
const ada = { id: 'ada', name: 'Ada', moderator: false };

let conversations: Conversations;
beforeEach(async () => {
	conversations = new Conversations((await openStore('memory:')).space('chats'), 60_000);
	await conversations.save({ place, mentionsOnly: false });
	await conversations.append(place, () => utterance('m1', ada, 'Hello'));
	const answer = { ...newAnswer('a1', 'process', [ada.id]), text: 'Hi', posts: [{ place, key: 'a1.0' }] };
	await conversations.append(place, () => answer);
});

const policy = {
	check: async (_: string, { text }: { text: string }) => (text.includes('fox') ? 'No foxes.' : undefined),
} as unknown as Policy;
const change = (changed: Omit<MessageChange, 'place'>) =>
	applyChange({ policy, conversations, platforms: platformsOf([]) } as unknown as Easel, { place, ...changed });
const texts = async () =>
	(await conversations.read(place)).map((entry) => (entry.kind === 'gone' ? undefined : entry.text));

test('an edited message has its new text', async () => {
	await change({ id: 'm1', text: ' Good evening ' });
	expect(await texts()).toEqual(['Good evening', 'Hi']);
});

test('a deleted message leaves a gap, a deleted answer an empty answer', async () => {
	await change({ id: 'm1' });
	await change({ id: 'a1.0' });
	expect(await texts()).toEqual([undefined, '']);
});

test('a message whose new text breaks rules is treated as deleted', async () => {
	await change({ id: 'm1', text: 'A fox!' });
	expect(await texts()).toEqual([undefined, 'Hi']);
});

test('other messages, and edits of answers, change nothing', async () => {
	await change({ id: 'm2', text: 'Good evening' });
	await change({ id: 'a1.0', text: 'Hi, with its buttons gone' });
	expect(await texts()).toEqual(['Hello', 'Hi']);
});
