import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import { OpenForms } from './open-forms.ts';

test('keeps at most 16 forms that a person has opened, and finds the last', async () => {
	const keys = new Map<string, unknown>();
	const forms = new OpenForms<{ command: string }>(new Keyv({ store: keys }));
	for (let count = 0; count < 200; count++) await forms.save('1', `form:${count}`, { command: `edit${count}` });
	expect(keys.size).toBeLessThanOrEqual(16);
	expect(await forms.find('1', 'form:199')).toMatchObject({ command: 'edit199' });
	expect(await forms.find('2', 'form:199')).toBeUndefined();
});

test('does not find a form that another has replaced', async () => {
	const forms = new OpenForms<{ command: string }>(new Keyv());
	for (let count = 0; count < 17; count++) await forms.save('1', `form:${count}`, { command: `edit${count}` });
	const found = await Promise.all(Array.from({ length: 17 }, (_, count) => forms.find('1', `form:${count}`)));
	expect(found).toContain(undefined);
	for (const [index, one] of found.entries()) if (one) expect(one.command).toBe(`edit${index}`);
});
