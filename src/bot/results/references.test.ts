import { beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { smallPng } from '../../../packages/fakes/src/service.ts';
import type { Channel, Upload } from '../../domain/channel.ts';
import type { Form } from '../../domain/command.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError, translatorFor } from '../../i18n/translator.ts';
import { TemporaryUploads } from '../../requests/uploads.ts';
import { PROFILES } from '../../service/profiles.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import type { SubmissionResult } from '../declaration/actions.ts';
import { CommandCatalogue } from '../declaration/options.ts';
import { addReference, referenceActions, referencesOf } from './references.ts';

const person = { id: 'ada', name: 'Ada', moderator: false };
const place = { platform: 'test', server: 'club', channel: 'general' };
const channel = { place } as Channel;
const upload = (name: string): Upload => ({ name, read: async () => new Uint8Array() });
const uploads = (count: number, prefix: string) =>
	Array.from({ length: count }, (_, index) => upload(`${prefix}${index + 1}`));

const MENU = 'compose:1:menu';
const TRAY = 'compose:1:tray';

let easel: Easel;
const { compose } = referenceActions;
const context = () => ({ easel, t: translatorFor() });
beforeEach(async () => {
	const store: Store = await openStore('memory:');
	const catalogue = new CommandCatalogue(commands, PROFILES.easel.capabilities);
	const service = { capabilities: PROFILES.easel.capabilities };
	easel = { store, temporaryUploads: new TemporaryUploads(store.space('uploads')), catalogue, service } as Easel;
});

/** Collects references, each a picture of its own. */
async function refer(count: number): Promise<void> {
	for (let width = 1; width <= count; width++)
		await addReference(easel, place, person, await smallPng('#27ae60', width));
}

async function press(button: string, attached: number, isPrivate?: true) {
	let form: Form | undefined;
	const result = await compose.press(
		{
			id: 'press',
			button,
			person,
			channel,
			message: { place, key: 'k' },
			attached: uploads(attached, 'message'),
			...(isPrivate && { private: isPrivate }),
			async open(opened) {
				form = opened;
			},
		},
		'',
		context(),
	);
	return { result, form, fields: form?.fields.map(({ name }) => name) };
}

async function submit(form: string, attached: number, options: Record<string, unknown>): Promise<SubmissionResult> {
	const submission = { id: 's', command: 'compose', person, channel, form, attached: uploads(attached, 'message') };
	return (await compose.submit?.({ ...submission, options: { prompt: 'x', ...options } }, '', context())) ?? 'answered';
}

const images = (result: SubmissionResult) =>
	typeof result === 'object' && 'invoke' in result
		? Object.entries(result.invoke.options).flatMap(([name, value]) =>
				name.startsWith('image') ? [`${name} ${(value as Upload).name}`] : [],
			)
		: result;

describe('the form', () => {
	test('asks for the pictures that are missing', async () => {
		expect((await press(MENU, 1)).fields).toEqual(['prompt', 'image2', 'image3', 'size', 'private', 'n']);
		expect((await press(MENU, 3)).fields).toEqual(['prompt', 'size', 'private', 'n']);
		await refer(2);
		const { fields, form } = await press(TRAY, 0);
		expect(fields).toEqual(['prompt', 'image3', 'size', 'private', 'n']);
		expect(form?.note?.split('\n')).toHaveLength(2);
	});

	test('is private only for pictures of a private message, not for references', async () => {
		expect((await press(MENU, 1, true)).form?.values).toEqual({ private: true });
		await refer(2);
		expect((await press(TRAY, 0, true)).form?.values).toBeUndefined();
	});

	test('asks which of the pictures to take when the message has too many', async () => {
		await refer(1);
		const { form } = await press(MENU, 4);
		expect(form?.fields[0]).toMatchObject({ name: 'which', choices: ['1', '2', '3', '4'], max: 2 });
		expect(form?.fields.find(({ name }) => name === 'image3')?.required).toBe(false);
	});

	test('is not opened when no picture can be added, or none is left', async () => {
		expect(await press(TRAY, 0)).toMatchObject({ result: { id: 'references.expired' }, form: undefined });
		await refer(3);
		const { result, form } = await press(MENU, 1);
		expect(form).toBeUndefined();
		expect(result).toMatchObject({ reply: { buttons: [{ id: TRAY }, { id: 'clear:1:tray' }] } });
	});
});

describe('a submission', () => {
	test('composes the references, the pictures of the message and the files, in this order', async () => {
		await refer(1);
		expect(images(await submit(MENU, 1, { image3: upload('file') }))).toEqual([
			...['image1 image1', 'image2 message1', 'image3 file'],
		]);
	});

	test('takes the pictures that were chosen, in the order of their choice', async () => {
		expect(images(await submit(MENU, 4, { which: ['4', '2'] }))).toEqual(['image1 message4', 'image2 message2']);
	});

	test('clears the tray only once its options have been found valid', async () => {
		await refer(2);
		const result = await submit(TRAY, 0, {});
		expect(await referencesOf(easel, place, person)).toHaveLength(2);
		if (typeof result === 'object' && 'accepted' in result) await result.accepted?.();
		expect(await referencesOf(easel, place, person)).toEqual([]);
	});

	test.each([
		['a picture that the message does not have', 2, { which: ['3'] }],
		['a picture that is chosen twice', 2, { which: ['1', '1'] }],
		['no choice among too many pictures', 4, {}],
		['too many pictures', 3, { image3: upload('file') }],
	])('is refused with %s', async (_, attached, options) => {
		expect(await submit(MENU, attached, options)).toEqual({ refusal: expect.any(SentenceError) });
	});
});

test('a service may take more: references and the pictures of a message, without a choice', async () => {
	easel.service = { capabilities: PROFILES.openai.capabilities } as Easel['service'];
	await refer(4);
	const { form, fields } = await press(MENU, 6);
	expect([fields?.includes('which'), form?.note?.split('\n')]).toEqual([
		false,
		expect.objectContaining({ length: 10 }),
	]);
	const submitted = await submit(MENU, 6, { prompt: 'all of them' });
	expect(submitted).toMatchObject({ invoke: { command: 'compose' } });
	const names = Array.from({ length: 10 }, (_, index) => `image${index + 1}`);
	expect(Object.keys((submitted as { invoke: { options: object } }).invoke.options).sort()).toEqual(
		[...names, 'prompt'].sort(),
	);
	expect((await press(MENU, 7)).fields).toContain('which');
});
