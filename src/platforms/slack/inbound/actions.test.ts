import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { pngFile, textFile } from '../../../../packages/fakes/src/pictures.ts';
import { smallPng } from '../../../../packages/fakes/src/service.ts';
import {
	bytesOf,
	invocationOf,
	openSlackFixture,
	postIn,
	pressOf,
	type SlackFixture,
} from '../../../../test/harness/slack-fixture.ts';
import type { Field } from '../../../domain/command.ts';

const PROMPT: Field = {
	kind: 'text',
	name: 'prompt',
	description: 'What',
	required: true,
	minLength: 1,
	maxLength: 2000,
	suggestions: [],
};

let fixture: SlackFixture;
beforeEach(async () => {
	fixture = await openSlackFixture();
});
afterEach(async () => {
	expect(fixture.slack.violations).toEqual([]);
	await fixture.close();
});

const ada = () => fixture.slack.user('ada');
const invoked = (count?: number) => invocationOf(fixture, count);
const pressed = (count?: number) => pressOf(fixture, count);

describe('a button', () => {
	const result = async () => {
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		const pictures = [
			{ name: 'a.png', bytes: await smallPng('#111111'), alt: 'one' },
			{ name: 'b.png', bytes: await smallPng('#222222'), alt: 'two' },
		];
		await post.edit({ text: 'dots', pictures, buttons: [{ id: 'edit:1:job-1', label: 'Edit' }] });
		const [seen] = await ada().look();
		if (!seen) throw new Error('There is no message');
		return { seen, pictures };
	};

	test('is pressed with its message and the pictures in it', async () => {
		const { seen, pictures } = await result();
		await ada().press(seen, 'Edit');
		const { button, message, attached, channel } = await pressed();
		expect({ button, key: message.key, place: channel.place }).toEqual({
			button: 'edit:1:job-1',
			key: 'job-1',
			place: fixture.place,
		});
		for (const [index, upload] of attached.entries())
			expect(await bytesOf(upload)).toEqual(new Uint8Array(pictures[index]?.bytes ?? []));
		expect(attached).toHaveLength(2);
	});

	test('opens a form, which is submitted with the pictures it was opened from', async () => {
		const { seen, pictures } = await result();
		fixture.core.onPress = ({ open }) =>
			open({
				id: 'edit:1:job-1',
				command: 'edit',
				title: 'Edit image',
				note: 'Already chosen: **one**.',
				values: { prompt: 'once more', which: ['2'] },
				fields: [
					{ kind: 'choices', name: 'which', description: 'Which', required: true, choices: ['1', '2'], min: 1, max: 2 },
					PROMPT,
					{ kind: 'flag', name: 'private', description: 'Only you', required: false },
				],
			});
		const user = ada();
		await user.press(seen, 'Edit');
		await eventually(() => expect(user.form()?.title).toBe('Edit image'));
		// The form shows the pictures to choose from.
		expect(JSON.stringify(user.view()?.data).match(/"slack_file"/g)).toHaveLength(2);
		const form = user.form();
		if (!form) throw new Error('There is no form');
		await user.submit(form, { private: true });
		const { command, form: id, options, attached } = await invoked();
		expect({ command, id, options }).toEqual({
			command: 'edit',
			id: 'edit:1:job-1',
			options: { which: ['2'], prompt: 'once more', private: true },
		});
		expect(await bytesOf(attached?.[1])).toEqual(new Uint8Array(pictures[1]?.bytes ?? []));
	});

	test('of an ephemeral message edits and deletes it', async () => {
		fixture.core.onInvoke = ({ channel, id }) =>
			channel.post(
				{ text: 'Kept.', visibility: 'private', buttons: [{ id: 'clear:1:tray', label: 'Start over' }] },
				id,
			);
		await ada().types('/models');
		await eventually(async () => expect(await ada().look()).toHaveLength(1));
		const [seen] = await ada().look();
		if (!seen) throw new Error('There is no message');
		await ada().press(seen, 'Start over');
		const { message } = await pressed();
		await (await fixture.platform.find(message))?.edit({ text: 'Put away.' });
		expect((await ada().look()).map(({ text }) => text)).toEqual(['Put away.']);
		await (await fixture.platform.find(message))?.delete();
		expect(await ada().look()).toEqual([]);
	});

	test('whose handler fails is answered with an error', async () => {
		const { seen } = await result();
		fixture.core.onPress = async () => {
			throw new Error('unexpected');
		};
		await ada().press(seen, 'Edit');
		await eventually(async () => expect((await ada().look()).at(-1)?.text).toMatch(/Something went wrong/));
	});
});

test('a form whose state has expired returns an error and stays open', async () => {
	const user = ada();
	await user.types('/imagine');
	await eventually(() => expect(user.form()).toBeDefined());
	const view = user.view();
	if (view) view.data['private_metadata'] = JSON.stringify({ kept: 'form:gone' });
	await user.submit(user.form() as never, { prompt: 'a fox' });
	expect((await user.look()).at(-1)?.text).toBe('`prompt`: This form has expired. Start again.');
	expect(user.form()).toBeDefined();
	expect(fixture.core.invoked).toEqual([]);
});

describe('the menu of a message', () => {
	test('passes on the pictures of the message, shows a single one in its form, and answers in its thread', async () => {
		fixture.core.onPress = ({ open }) =>
			open({ id: 'edit:1:menu', command: 'edit', title: 'Edit image', fields: [PROMPT] });
		const file = await pngFile('#7f8c8d');
		const user = ada();
		await user.say('look here', [file, textFile]);
		const root = (await user.look())[0];
		if (!root) throw new Error('There is no message');
		await user.menu(root, 'Edit image');
		const press = await pressed();
		expect(press.button).toBe('edit:1:menu');
		expect(await bytesOf(press.attached[0])).toEqual(new Uint8Array(file.bytes));
		expect(press.channel.place).toEqual(fixture.place);

		await user.startThread(root);
		await user.say('and here', [file]);
		const answer = (await user.look()).at(-1);
		if (!answer) throw new Error('There is no message');
		await user.menu(answer, 'Compose images');
		expect((await pressed(2)).channel.place).toEqual({ ...fixture.place, thread: root.id });
		await eventually(() => expect(JSON.stringify(user.view()?.data)).toMatch(/"slack_file".*"alt_text":"Picture"/));
	});
});

describe('a command that takes long', () => {
	afterEach(() => void vi.useRealTimers());

	test('is not answered by another process while its own goes on', async () => {
		vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
		const { promise: done, resolve: finish } = Promise.withResolvers<void>();
		const others = [await fixture.another(), await fixture.another()];
		const cores = [fixture.core, ...others.map(({ core }) => core)];
		for (const core of cores) core.onInvoke = () => done;
		await ada().types('/models');
		await eventually(async () => cores.some(({ invoked }) => invoked.length > 0));
		for (let second = 0; second < 12; second++) {
			await vi.advanceTimersByTimeAsync(1000);
			// The store takes a turn of the event loop.
			await new Promise(setImmediate);
		}
		expect(await ada().look()).toEqual([]);
		finish();
	});
});
