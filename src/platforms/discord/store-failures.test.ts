import { expect, vi } from 'vitest';
import { storeFailures } from '../../../test/contract/store-failures.ts';
import { openDiscordHarness } from '../../../test/harness/discord.ts';
import { test } from '../../../test/harness/discord-platform.fixture.ts';

storeFailures('Discord', (serviceUrl, storeUrl) => openDiscordHarness(serviceUrl, {}, storeUrl));

test('a message and a command in direct messages get one sentence each, although nobody knows where they count', async ({
	discord,
	easel,
	keyv,
}) => {
	const direct = discord.user('ada').directMessages();
	await easel.start({});
	const gone = Object.assign(new Error('The store is gone.'), { name: 'StoreError' });
	for (const method of ['get', 'getRaw', 'set'] as const) vi.spyOn(keyv, method).mockRejectedValue(gone);
	const sentences = async () => (await direct.look()).filter(({ text }) => /can't reach its data/.test(text));
	await direct.say('Hello');
	await expect.poll(sentences).toHaveLength(1);
	await direct.command('imagine', { prompt: 'a fox' });
	await expect.poll(sentences).toHaveLength(2);
});
