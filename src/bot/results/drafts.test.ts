import { expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { ada, createFakePlatform } from '../../../test/harness/bot-harness.ts';
import type { Form } from '../../domain/command.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { TemporaryUploads } from '../../requests/uploads.ts';
import { PROFILES } from '../../service/profiles.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { CommandCatalogue } from '../declaration/options.ts';
import { reopenAction, saveDraft } from './drafts.ts';

test('are bounded for each person, and open for nobody else', async () => {
	const store: Store = await openStore('memory:');
	const catalogue = new CommandCatalogue(commands, PROFILES.easel.capabilities);
	const easel = { store, catalogue, temporaryUploads: new TemporaryUploads(store.space('uploads')) } as Easel;
	const { channel } = createFakePlatform();
	const read = () => Promise.reject(new Error('There are no pictures'));
	const save = (id: string, person = ada) =>
		saveDraft(easel, { id, command: 'imagine', options: { prompt: id }, person, channel }, read);
	for (let index = 0; index < 100; index++) await save(`draft-${index}`);
	expect(await Array.fromAsync(store.space('forms').list(''))).toHaveLength(16);
	const bjorn = { ...ada, id: 'bjorn' };
	await save('of-bjorn', bjorn);
	const unexpected = () => Promise.reject(new Error('It came from no form'));
	const { press } = reopenAction({ press: unexpected, submit: unexpected });
	const context = { easel, t: translatorFor() };
	const reopen = async (id: string, person = ada) => {
		const forms: Form[] = [];
		const open = async (form: Form) => void forms.push(form);
		const message = { place: channel.place, key: 'x' };
		await press({ id: 'press', button: 'reopen:1:x', channel, attached: [], open, message, person }, id, context);
		return forms[0];
	};
	expect(await reopen('draft-99')).toMatchObject({ command: 'imagine', values: { prompt: 'draft-99' } });
	expect(await reopen('draft-99', bjorn)).toBeUndefined();
	expect(await reopen('of-bjorn', bjorn)).toMatchObject({ command: 'imagine' });
	await store.close();
});
