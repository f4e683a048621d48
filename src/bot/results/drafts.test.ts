import { expect, test } from 'vitest';
import { ada, createFakePlatform } from '../../../test/fakes/bot-harness.ts';
import { openStore } from '../../store/open-store.ts';
import { TemporaryUploads } from '../repositories/temporary-uploads.ts';
import { reopenDraft, saveDraft } from './drafts.ts';

test('are bounded for each person, and open for nobody else', async () => {
	const store = await openStore('memory:');
	const drafts = { store, temporaryUploads: new TemporaryUploads(store.space('uploads')) };
	const { channel } = createFakePlatform();
	const read = () => Promise.reject(new Error('There are no pictures'));
	const save = (id: string, person = ada) =>
		saveDraft(drafts, { id, command: 'imagine', options: { prompt: id }, person, channel }, read);
	for (let index = 0; index < 100; index++) await save(`draft-${index}`);
	expect(await Array.fromAsync(store.space('forms').list(''))).toHaveLength(16);
	const bjorn = { ...ada, id: 'bjorn' };
	await save('of-bjorn', bjorn);
	const press = { id: 'press', button: 'reopen:1:x', channel, attached: [], open: async () => {} };
	const message = { place: channel.place, key: 'x' };
	const reopen = (id: string, person = ada) => reopenDraft(drafts, { ...press, message, person }, id);
	expect(await reopen('draft-99')).toMatchObject({ command: 'imagine' });
	expect(await reopen('draft-99', bjorn)).toBeUndefined();
	expect(await reopen('of-bjorn', bjorn)).toMatchObject({ command: 'imagine' });
	await store.close();
});
