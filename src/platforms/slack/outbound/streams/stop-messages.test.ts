import { afterEach, beforeEach, expect, test } from 'vitest';
import { channelOfCommand, openSlackFixture, type SlackFixture } from '../../../../../test/fakes/slack-fixture.ts';
import { eventually } from '../../../../../test/harness/eventually.ts';
import type { Channel } from '../../../../domain/channel.ts';

const STOP = { id: 'stop:1:chat.abc', label: 'Stop' };
const GROWING = { text: 'Once', growing: 'Once', buttons: [STOP] };
const KEY = 'chat.abc.0';
const BELOW = { text: "I'm writing an answer.", buttons: ['Stop'] };

let fixture: SlackFixture;
let thread: Channel;

beforeEach(async () => {
	fixture = await openSlackFixture({ agents: false, streams: { noButtons: true } });
	thread = await (await channelOfCommand(fixture, '/chat a story')).openThread('a story');
});
afterEach(async () => {
	expect(fixture.slack.violations).toEqual([]);
	await fixture.close();
});

/** Returns what Ada sees in the thread, below its title. */
async function answers() {
	const ada = fixture.slack.user('ada');
	ada.enter(thread.place.thread);
	const seen = (await ada.look()).map(({ text, buttons }) => ({ text, buttons }));
	return seen.slice(seen.findIndex(({ text }) => text.includes('a story')) + 1);
}

test('a stream that cannot have buttons has Stop in a message below, until it ends', async () => {
	const post = await thread.post(GROWING, KEY);
	expect(await answers()).toEqual([{ text: 'Once', buttons: [] }, BELOW]);
	await post.edit({ text: 'Once upon', growing: 'Once upon', buttons: [STOP] });
	const ada = fixture.slack.user('ada');
	ada.enter(thread.place.thread);
	const below = (await ada.look()).at(-1);
	if (below) await ada.press(below, 'Stop');
	await eventually(() => expect(fixture.core.pressed).toMatchObject([{ button: STOP.id }]));
	await post.edit({ text: 'Once upon a time.' });
	expect(await answers()).toEqual([{ text: 'Once upon a time.', buttons: [] }]);
});

test('Stop is removed by the process that ends the answer after a crash, even one while it was posted', async () => {
	await thread.post(GROWING, KEY);
	const { channel, thread: root = '' } = thread.place;
	await fixture.keyv.set(`post:${KEY}.stop`, { channel, thread: root, since: Date.now() });
	const { platform } = await fixture.another();
	await (await platform.channel(thread.place))?.post({ text: 'Once\n\n*Interrupted*' }, KEY);
	expect(await answers()).toEqual([{ text: 'Once\n\n*Interrupted*', buttons: [] }]);
});

test('an answer is written even if Stop cannot be posted', async () => {
	fixture.slack.faults.refuse('chat.postMessage', 'restricted_action');
	const post = await thread.post(GROWING, KEY);
	expect(await answers()).toEqual([{ text: 'Once', buttons: [] }]);
	await post.edit({ text: 'Once upon a time.' });
	expect(await answers()).toEqual([{ text: 'Once upon a time.', buttons: [] }]);
});

test('Stop is deleted with its answer', async () => {
	const post = await thread.post(GROWING, KEY);
	await post.delete();
	expect(await answers()).toEqual([]);
});
