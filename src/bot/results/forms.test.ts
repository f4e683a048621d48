import { expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import type { Channel, Person, Upload } from '../../domain/channel.ts';
import type { Form } from '../../domain/command.ts';
import type { ButtonPress, Invocation } from '../../domain/platform.ts';
import type { Easel } from '../../easel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { PROFILES } from '../../service/profiles.ts';
import { CommandCatalogue } from '../declaration/options.ts';
import { editAction } from './forms.ts';

const easel = { catalogue: new CommandCatalogue(commands, PROFILES.easel.capabilities) } as Easel;
const person: Person = { id: 'ada', name: 'Ada', moderator: false };
const upload = (name: string): Upload => ({ name, read: async () => new Uint8Array() });

async function opened(count: number, locale?: string, first = 0): Promise<Form | undefined> {
	let form: Form | undefined;
	const attached = Array.from({ length: count }, (_, index) => upload(`${index}.png`));
	const press = {
		button: 'edit:1:menu',
		attached,
		person: { ...person, ...(locale && { locale }) },
		open: async (shown: Form) => {
			form = shown;
		},
	};
	await editAction.press(press as unknown as ButtonPress, `job#${first}`, { easel, t: translatorFor(locale) });
	return form;
}

const submitted = async (submission: Invocation, first = 0) =>
	editAction.submit?.({ ...submission, form: 'edit:1:menu' }, `job#${first}`, { easel, t: translatorFor() });

const asked = (options: Record<string, unknown>) => {
	const attached = [upload('one.png')];
	return submitted({ id: 'i', command: 'edit', options, person, channel: {} as Channel, attached });
};

test('the fields that are used most come first, after those that are required', async () => {
	const names = async (count: number) => (await opened(count))?.fields.map(({ name }) => name);
	expect(await names(1)).toEqual(['prompt', 'image2', 'image3', 'size', 'private', 'n', 'model']);
	expect(await names(2)).toEqual(['which', 'prompt', 'image2', 'image3', 'size', 'private', 'n', 'model']);
	expect(await names(0)).toBeUndefined();
	expect((await opened(1))?.fields.filter(({ required }) => required).map(({ name }) => name)).toEqual(['prompt']);
});

test('pictures in a further message of a result have the numbers of the result', async () => {
	const form = await opened(2, undefined, 2);
	expect(form?.fields[0]).toMatchObject({ name: 'which', choices: ['3', '4'] });
	const attached = [upload('three.png'), upload('four.png')];
	const submission = { id: 'i', command: 'edit', person, channel: {} as Channel, attached };
	expect(await submitted({ ...submission, options: { which: '4', prompt: 'x' } }, 2)).toMatchObject({
		invoke: { options: { image: { name: 'four.png' } } },
	});
	expect(await submitted({ ...submission, options: { which: '1', prompt: 'x' } }, 2)).toHaveProperty('refusal');
});

test('a form is in the language of the person who opens it', async () => {
	const [english, german] = await Promise.all([opened(1), opened(1, 'de')]);
	expect(english?.fields[0]?.description).toBe('Change to make');
	expect(german?.fields[0]?.description).not.toBe('Change to make');
});

test('a file turns an edit into a composition, which refuses the options of edits by name', async () => {
	expect(await asked({ prompt: 'x', image3: upload('b'), image2: upload('a') })).toMatchObject({
		invoke: {
			command: 'compose',
			options: { image1: { name: 'one.png' }, image2: { name: 'a' }, image3: { name: 'b' } },
		},
	});
	expect(await asked({ prompt: 'x', model: 'beta' })).toMatchObject({
		invoke: { command: 'edit', options: { model: 'beta' } },
	});
	expect(await asked({ prompt: 'x', model: 'beta', image2: upload('a') })).toEqual({
		refusal: expect.objectContaining({ message: expect.stringMatching(/`model`/) }),
	});
	expect(await asked({ prompt: 'x', size: '64x64' })).toEqual({
		refusal: expect.objectContaining({ message: expect.stringMatching(/`size`/) }),
	});
	expect(await asked({ prompt: 'x', which: '7' })).toEqual({
		refusal: expect.objectContaining({ message: expect.stringMatching(/no picture/) }),
	});
});
