import { afterEach, beforeEach, expect, test } from 'vitest';
import { answersChat } from '../../../packages/fakes/src/chat.ts';
import { textFile } from '../../../packages/fakes/src/pictures.ts';
import { smallPng } from '../../../packages/fakes/src/service.ts';
import { ada, BotHarness } from '../../../test/harness/bot-harness.ts';
import type { Upload } from '../../domain/channel.ts';
import { PROFILES } from '../../service/profiles.ts';
import type { Bot } from '../bot.ts';

let harness: BotHarness;
let bot: Bot;
let said = 0;

beforeEach(async () => {
	harness = await BotHarness.create();
	await harness.useService(PROFILES.openai, { chatPictures: 'on' });
	harness.faulty.always(answersChat('Indeed.'));
	bot = await harness.start({ followUpMs: 0 });
});
afterEach(() => harness.close());

const channel = () => ({ ...harness.channel, place: { ...harness.channel.place, thread: 't' } });
const upload = (bytes: Uint8Array, name = 'a.png'): Upload => ({ name, read: async () => bytes });
const asks = (text: string, ...uploads: Upload[]) =>
	bot.hear({ id: `m${said++}`, text, uploads, addressed: true, person: ada, channel: channel() });
const pictures = async (...colours: string[]) => Promise.all(colours.map(async (one) => upload(await smallPng(one))));

/** Returns the base64 of the pictures in the last chat request, in order. */
const seen = () =>
	[...String(harness.faulty.requests.at(-1)?.body).matchAll(/data:image\/png;base64,([^"]+)/g)].map(([, one]) => one);

test('the model sees the four newest pictures, and is told how many it does not see', async () => {
	const [red, green, blue] = ['#ff0000', '#00ff00', '#0000ff'];
	await asks('What are these?', ...(await pictures(red, green, blue)));
	await asks('And these?', ...(await pictures('#000000', '#ffffff')));
	const expected = await Promise.all([green, blue, '#000000', '#ffffff'].map((one) => smallPng(one)));
	expect(seen()).toEqual(expected.map((png) => png.toString('base64')));
	expect(String(harness.faulty.requests.at(-1)?.body)).toContain('these? (with a picture that you do not see)');
});

test('an edited question keeps its pictures, and a deleted one loses them', async () => {
	await asks('What is this?', ...(await pictures('#ff0000')));
	const { place } = channel();
	await bot.changed({ id: `m${said - 1}`, place, text: 'What colour is this?' });
	await asks('And now?');
	expect(seen()).toHaveLength(1);
	expect(String(harness.faulty.requests.at(-1)?.body)).toContain('What colour is this?');
	await bot.changed({ id: `m${said - 2}`, place });
	await asks('And now?');
	expect(seen()).toEqual([]);
});

test('a picture that cannot be used costs nothing, and the answer says why', async () => {
	await asks('What is this?', upload(textFile.bytes));
	expect([...harness.messages.values()].at(-1)?.text).toMatch(/isn't a picture|not a picture/);
	expect(harness.faulty.requests).toEqual([]);
	expect(await harness.openJobs()).toEqual([]);
});
