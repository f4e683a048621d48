import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pngFile, textFile } from '../../../../../test/fakes/pictures.ts';
import { smallPng } from '../../../../../test/fakes/service.ts';
import { openSlackFixture, postIn, type SlackFixture } from '../../../../../test/fakes/slack-fixture.ts';
import type { Upload } from '../../../../domain/reply.ts';

let fixture: SlackFixture;
beforeEach(async () => {
	fixture = await openSlackFixture();
});
afterEach(async () => {
	expect(fixture.slack.violations).toEqual([]);
	await fixture.close();
});

const ada = () => fixture.slack.user('ada');
const invoked = async (count = 1) => {
	await vi.waitFor(() => expect(fixture.core.invoked).toHaveLength(count));
	return fixture.core.invoked[count - 1] as (typeof fixture.core.invoked)[number];
};
const pressed = async (count = 1) => {
	await vi.waitFor(() => expect(fixture.core.pressed).toHaveLength(count));
	return fixture.core.pressed[count - 1] as (typeof fixture.core.pressed)[number];
};
const bytesOf = async (upload: unknown) => new Uint8Array(await (upload as Upload).read(AbortSignal.timeout(5000)));

describe('a slash command', () => {
	test('that says all that is needed runs at once, for who asked and where', async () => {
		await ada().types('/imagine a red fox size:1024x1024 n:2');
		const { command, options, person, channel, id } = await invoked();
		expect({ command, options }).toEqual({
			command: 'imagine',
			options: { prompt: 'a red fox', size: '1024x1024', n: '2' },
		});
		expect(person).toMatchObject({
			name: 'Ada',
			moderator: true,
			locale: 'en-US',
			roles: [expect.stringMatching(/^S/)],
		});
		expect(channel.place).toEqual(fixture.place);
		expect(id).toMatch(/^[\w.:-]{1,48}$/);
	});

	test('of a group reads its second word, and alone says what there is', async () => {
		await ada().types('/limits set server month 100');
		expect(await invoked()).toMatchObject({
			command: 'limits set',
			options: { scope: 'server', period: 'month', images: '100' },
		});
		await ada().types('/limits');
		await vi.waitFor(async () => expect((await ada().look()).at(-1)?.text).toMatch(/limits show.*limits set/s));
		await ada().types('/limits dance');
		await vi.waitFor(async () => expect((await ada().look()).at(-1)?.text).toMatch(/no `\/limits dance`/));
	});

	test('that lacks something opens a form with the rest filled in, whose inputs have the options’ names', async () => {
		const user = ada();
		await user.types('/edit make it night n:2');
		await vi.waitFor(() =>
			expect(user.form()?.fields.map(({ name }) => name)).toEqual(['image', 'prompt', 'n', 'model', 'private']),
		);
		const image = await pngFile();
		const form = user.form();
		if (!form) throw new Error('There is no form');
		expect(JSON.stringify(user.view()?.data)).toContain('make it night');
		await user.submit(form, { image });
		const { command, options, channel } = await invoked();
		expect({ command, ...options }).toMatchObject({ command: 'edit', prompt: 'make it night', n: 2 });
		expect(await bytesOf(options['image'])).toEqual(new Uint8Array(image.bytes));
		expect(channel.place).toEqual(fixture.place);
	});

	test('says in the form what is wrong: one file where two are needed, no prompt, a number too large', async () => {
		const user = ada();
		await user.types('/compose');
		await vi.waitFor(() => expect(user.form()).toBeDefined());
		const form = user.form();
		if (!form) throw new Error('There is no form');
		await user.submit(form, { image1: await pngFile(), n: 9 });
		expect(user.view()?.errors).toEqual({
			image2: '`image2` is missing.',
			prompt: '`prompt` is missing.',
			n: '`n` must be at most 4; you gave 9.',
		});
		expect(fixture.core.invoked).toEqual([]);
		await user.submit(form, {
			image1: await pngFile('#ff0000'),
			image2: await pngFile('#00ff00'),
			prompt: 'together',
			n: 1,
		});
		const { options } = await invoked();
		expect(await bytesOf(options['image2'])).toEqual(new Uint8Array((await pngFile('#00ff00')).bytes));
	});

	test('by somebody whom nobody knows yet opens a form that turns into their language', async () => {
		const user = fixture.slack.user('bjorn');
		user.account.locale = 'de-DE';
		await user.types('/edit mach es Nacht');
		await vi.waitFor(() => expect(user.view()?.data['submit']).toMatchObject({ text: 'Absenden' }));
		expect(user.form()?.values).toEqual({ prompt: 'mach es Nacht' });
		const form = user.form();
		if (!form) throw new Error('There is no form');
		await user.submit(form, { image: await pngFile() });
		expect((await invoked()).options).toMatchObject({ prompt: 'mach es Nacht' });
	});

	test('too long for a form says so', async () => {
		const user = ada();
		await user.types(`/edit ${'night '.repeat(400)}`);
		await vi.waitFor(async () =>
			expect((await user.look()).at(-1)?.text).toBe('`prompt` has 2,399 characters; the maximum is 2,000.'),
		);
		expect(fixture.core.invoked).toEqual([]);
	});

	test('whose form Slack does not show for now says so', async () => {
		fixture.slack.faults.limit('views.open', { seconds: 30 });
		await ada().types('/edit make it night');
		await vi.waitFor(async () => expect((await ada().look()).at(-1)?.text).toMatch(/took too long to open/));
	});

	test('with words that belong nowhere, or names that are no mentions, is asked in a form', async () => {
		const user = ada();
		await user.types('/limits block ada');
		await vi.waitFor(() => expect(user.form()?.fields.map(({ name }) => name)).toEqual(['member']));
		expect(user.form()?.note).toMatch(/`?member`? can only be chosen/);
		await user.types('/limits set server month 100 please');
		await vi.waitFor(() => expect(user.form()?.title).toBe('/limits set'));
		expect(fixture.core.invoked).toEqual([]);
	});

	test('delivered twice is heard once', async () => {
		await ada().types('/imagine a fox', 'once');
		await ada().types('/imagine a fox', 'once');
		await ada().types('/imagine another');
		await vi.waitFor(() =>
			expect(fixture.core.invoked.map(({ options }) => options['prompt'])).toEqual(['a fox', 'another']),
		);
	});

	test('in direct messages with the bot is asked there', async () => {
		await ada().directMessages().types('/imagine a fox');
		const { channel } = await invoked();
		expect(channel.place).toMatchObject({ direct: true, server: fixture.place.server });
	});

	test('whose form came too late says so', async () => {
		fixture.slack.faults.refuse('views.open', 'expired_trigger_id');
		await ada().types('/edit');
		await vi.waitFor(async () => expect((await ada().look()).at(-1)?.text).toMatch(/took too long to open/));
	});
});

describe('a button', () => {
	const result = async () => {
		const post = await postIn(fixture, { text: 'Drawing …' }, 'job-1');
		const pictures = [
			{ name: 'a.png', bytes: await smallPng('#111111'), alt: 'one' },
			{ name: 'b.png', bytes: await smallPng('#222222'), alt: 'two' },
		];
		await post.edit({ text: 'dots', pictures, buttons: [{ id: 'edit:1:job-1', label: 'Edit' }] });
		const [seen] = await ada().look();
		if (!seen) throw new Error('The message is not there');
		return { seen, pictures };
	};

	test('is pressed with its message and the pictures there, as they were posted', async () => {
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

	test('opens a form, which comes back with what it was opened from', async () => {
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
					{
						kind: 'text',
						name: 'prompt',
						description: 'What',
						required: true,
						minLength: 1,
						maxLength: 2000,
						suggestions: [],
					},
					{ kind: 'flag', name: 'private', description: 'Only you', required: false },
				],
			});
		const user = ada();
		await user.press(seen, 'Edit');
		await vi.waitFor(() => expect(user.form()?.title).toBe('Edit image'));
		// What can be chosen is to be seen.
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

	test('of what one person sees for the moment is in that message', async () => {
		fixture.core.onInvoke = ({ channel, id }) =>
			channel.post(
				{ text: 'Kept.', visibility: 'private', buttons: [{ id: 'clear:1:tray', label: 'Start over' }] },
				id,
			);
		await ada().types('/models');
		await vi.waitFor(async () => expect(await ada().look()).toHaveLength(1));
		const [seen] = await ada().look();
		if (!seen) throw new Error('The message is not there');
		await ada().press(seen, 'Start over');
		const { message } = await pressed();
		await (await fixture.platform.find(message))?.edit({ text: 'Put away.' });
		expect((await ada().look()).map(({ text }) => text)).toEqual(['Put away.']);
		await (await fixture.platform.find(message))?.delete();
		expect(await ada().look()).toEqual([]);
	});

	test('whose work fails is answered all the same', async () => {
		const { seen } = await result();
		fixture.core.onPress = async () => {
			throw new Error('nobody foresaw this');
		};
		await ada().press(seen, 'Edit');
		await vi.waitFor(async () => expect((await ada().look()).at(-1)?.text).toMatch(/Something went wrong/));
	});
});

test('a form of which nothing is kept says so, and stays', async () => {
	const user = ada();
	await user.types('/imagine');
	await vi.waitFor(() => expect(user.form()).toBeDefined());
	const view = user.view();
	if (view) view.data['private_metadata'] = JSON.stringify({ kept: 'form:gone' });
	await user.submit(user.form() as never, { prompt: 'a fox' });
	expect((await user.look()).at(-1)?.text).toBe('`prompt`: This form has expired. Start again.');
	expect(user.form()).toBeDefined();
	expect(fixture.core.invoked).toEqual([]);
});

describe('the menu of a message', () => {
	test('brings the message’s pictures, and answers in its thread', async () => {
		const file = await pngFile('#7f8c8d');
		const user = ada();
		await user.say('look here', [file, textFile]);
		const root = (await user.look())[0];
		if (!root) throw new Error('The message is not there');
		await user.menu(root, 'Edit image');
		const press = await pressed();
		expect(press.button).toBe('edit:1:menu');
		expect(await bytesOf(press.attached[0])).toEqual(new Uint8Array(file.bytes));
		expect(press.channel.place).toEqual(fixture.place);

		await user.startThread(root);
		await user.say('and here', [file]);
		const answer = (await user.look()).at(-1);
		if (!answer) throw new Error('The message is not there');
		await user.menu(answer, 'Compose images');
		expect((await pressed(2)).channel.place).toEqual({ ...fixture.place, thread: root.id });
	});
});

describe('a picture that somebody brings', () => {
	const read = async () => {
		const user = ada();
		await user.say('look', [await pngFile('#7f8c8d')]);
		const message = (await user.look()).findLast(({ text }) => text === 'look');
		if (!message) throw new Error('The message is not there');
		const before = fixture.core.pressed.length;
		await user.menu(message, 'Edit image');
		const { attached } = await pressed(before + 1);
		return bytesOf(attached[0]);
	};
	const original = async () => new Uint8Array((await pngFile('#7f8c8d')).bytes);

	test('comes also by redirects, which see no token where they are not Slack', async () => {
		fixture.slack.settings.redirects = 'same host';
		expect(await read()).toEqual(await original());
		fixture.slack.settings.redirects = 'elsewhere';
		await expect(read()).resolves.toEqual(await original());
	});

	test('comes also where only its id was told', async () => {
		fixture.slack.settings.thinFiles = true;
		expect(await read()).toEqual(await original());
	});

	test('is missed in a sentence that names the permission, where Slack answers with a page to log in at', async () => {
		fixture.slack.settings.loginPage = true;
		await expect(read()).rejects.toThrow('`files:read`');
	});
});

test('moderators are admins, who is named, and groups that are named; never guests', async () => {
	await fixture.close();
	fixture = await openSlackFixture(
		{
			teams: [
				{
					name: 'Atelier',
					users: { ada: { name: 'Ada', admin: true }, bjorn: { name: 'Björn' }, carl: { guest: true, admin: true } },
					channels: [{ name: 'general', members: ['ada', 'bjorn', 'carl'] }],
				},
			],
		},
		{},
	);
	for (const [index, person] of ['ada', 'bjorn', 'carl'].entries()) {
		await fixture.slack.user(person).types('/usage');
		expect([person, (await invoked(index + 1)).person.moderator]).toEqual([person, person === 'ada']);
	}
});
