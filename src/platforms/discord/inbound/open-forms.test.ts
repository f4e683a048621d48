import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import { OpenForms } from './open-forms.ts';

const form = (id: string) => ({ id, command: 'edit', title: 'Edit image', submit: 'Edit', fields: [] });

test('keeps at most 16 forms that a person has opened, and finds the last', async () => {
	const keys = new Map<string, unknown>();
	const forms = new OpenForms(new Keyv({ store: keys }));
	let last = '';
	for (let count = 0; count < 200; count++) last = await forms.save('1', form(`edit${count}`), []);
	expect(keys.size).toBeLessThanOrEqual(16);
	expect(await forms.find('1', last)).toMatchObject({ form: 'edit199', command: 'edit', attached: [] });
	expect(await forms.find('2', last)).toBeUndefined();
});

test('does not find a form that another has replaced', async () => {
	const forms = new OpenForms(new Keyv());
	const ids: string[] = [];
	for (let count = 0; count < 17; count++) ids.push(await forms.save('1', form(`edit${count}`), []));
	const found = await Promise.all(ids.map((id) => forms.find('1', id)));
	expect(found).toContain(undefined);
	for (const [index, one] of found.entries()) if (one) expect(one.form).toBe(`edit${index}`);
});
