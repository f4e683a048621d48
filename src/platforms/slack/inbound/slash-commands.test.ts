import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { pngFile } from '../../../../packages/fakes/src/pictures.ts';
import { bytesOf, invocationOf, openSlackFixture, type SlackFixture } from '../../../../test/harness/slack-fixture.ts';

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

describe('a slash command', () => {
	test('with all options runs at once, for its person and place', async () => {
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

	test('of a group is the command that its second word names, also an unknown one', async () => {
		await ada().types('/limits set server month 100');
		expect(await invoked()).toMatchObject({
			command: 'limits set',
			options: { scope: 'server', period: 'month', images: '100' },
		});
		await ada().types('/limits');
		expect(await invoked(2)).toMatchObject({ command: 'limits', options: {} });
		await ada().types('/limits dance now');
		expect(await invoked(3)).toMatchObject({ command: 'limits dance', options: {} });
	});

	test('whose only word is “help” asks for it, and opens no form', async () => {
		const lines = [
			['/imagine help', 'imagine help'],
			['/edit Help', 'edit help'],
			['/usage ?', 'usage help'],
			['/limits help', 'limits help'],
		] as const;
		for (const [index, [line, command]] of lines.entries()) {
			await ada().types(line);
			expect(await invoked(index + 1)).toMatchObject({ command, options: {} });
			expect(ada().form()).toBeUndefined();
		}
	});

	test('with a missing option opens a form with the others filled in', async () => {
		const user = ada();
		await user.types('/edit make it night n:2');
		await eventually(() =>
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

	test('shows errors in the form: a missing picture, a missing prompt', async () => {
		const user = ada();
		await user.types('/compose');
		await eventually(() => expect(user.form()).toBeDefined());
		const form = user.form();
		if (!form) throw new Error('There is no form');
		await user.submit(form, { image1: await pngFile() });
		expect(user.view()?.errors).toEqual({
			image2: '`image2` is missing.',
			prompt: '`prompt` is missing.',
		});
		expect(fixture.core.invoked).toEqual([]);
		const complete = { image1: await pngFile('#ff0000'), image2: await pngFile('#00ff00'), prompt: 'together' };
		// Slack's client checks ranges.
		expect(user.refuses({ ...complete, n: 9 })).toBe('Must be at most 4.');
		await user.submit(form, { ...complete, n: 1 });
		const { options } = await invoked();
		expect(await bytesOf(options['image2'])).toEqual(new Uint8Array((await pngFile('#00ff00')).bytes));
	});

	test('of a person who is not known yet opens a form in their language', async () => {
		const user = fixture.slack.user('bjorn');
		user.account.locale = 'de-DE';
		await user.types('/edit mach es Nacht');
		await eventually(() => expect(user.view()?.data['submit']).toMatchObject({ text: 'Absenden' }));
		expect(user.form()?.values).toEqual({ prompt: 'mach es Nacht' });
		const form = user.form();
		if (!form) throw new Error('There is no form');
		await user.submit(form, { image: await pngFile() });
		expect((await invoked()).options).toMatchObject({ prompt: 'mach es Nacht' });
	});

	test('with a text too long for a form returns an error', async () => {
		const user = ada();
		await user.types(`/edit ${'night '.repeat(400)}`);
		await eventually(async () =>
			expect((await user.look()).at(-1)?.text).toBe('`prompt` has 2,399 characters; the maximum is 2,000.'),
		);
		expect(fixture.core.invoked).toEqual([]);
	});

	test('whose form exceeds the rate limit returns an error', async () => {
		fixture.slack.faults.limit('views.open', { seconds: 30 });
		await ada().types('/edit make it night');
		await eventually(async () => expect((await ada().look()).at(-1)?.text).toMatch(/took too long to open/));
	});

	test('says in its form what a picture costs', async () => {
		fixture.core.form = async (command) => ({ note: command === 'edit' ? 'A picture costs 0.04 USD.' : undefined });
		const user = ada();
		await user.types('/edit make it night');
		await eventually(() => expect(user.form()?.note ?? '').toContain('A picture costs 0.04 USD.'));
	});

	test('with unknown words, or a name instead of a mention, opens a form', async () => {
		const user = ada();
		await user.types('/limits block ada');
		await eventually(() => expect(user.form()?.fields.map(({ name }) => name)).toEqual(['member']));
		expect(user.form()?.note).toMatch(/`?member`? can only be chosen/);
		await user.types('/limits set server month 100 please');
		await eventually(() => expect(user.form()?.title).toBe('/limits set'));
		expect(fixture.core.invoked).toEqual([]);
	});

	test('opens its form for those alone whom the core lets fill it in', async () => {
		const bjorn = fixture.slack.user('bjorn');
		fixture.core.form = async (command, { person }) =>
			command === 'limits block' && person.name === 'Björn' ? undefined : {};
		await bjorn.types('/limits block');
		expect(await invoked()).toMatchObject({ command: 'limits block', options: {}, person: { moderator: false } });
		expect(bjorn.form()).toBeUndefined();
		await bjorn.types('/edit');
		await eventually(() => expect(bjorn.form()?.title).toBe('/edit'));
	});

	test('that is delivered twice runs once', async () => {
		await ada().types('/imagine a fox', 'once');
		await ada().types('/imagine a fox', 'once');
		await ada().types('/imagine another');
		await eventually(() =>
			expect(fixture.core.invoked.map(({ options }) => options['prompt'])).toEqual(['a fox', 'another']),
		);
	});

	test('in the direct messages with the bot belongs there', async () => {
		await ada().directMessages().types('/imagine a fox');
		const { channel } = await invoked();
		expect(channel.place).toMatchObject({ direct: true, server: fixture.place.server });
	});

	test('whose form is opened, of which Slack says nothing, says no more either', async () => {
		fixture.slack.faults.serverError('views.open', { after: true });
		const user = ada();
		await user.types('/edit');
		await eventually(() => expect(fixture.slack.calls.filter(({ method }) => method === 'views.open')).toHaveLength(2));
		expect(await user.look()).toEqual([]);
		expect(user.form()?.title).toBe('/edit');
	});

	test('whose form is opened too late returns an error', async () => {
		fixture.slack.faults.refuse('views.open', 'expired_trigger_id');
		await ada().types('/edit');
		await eventually(async () => expect((await ada().look()).at(-1)?.text).toMatch(/took too long to open/));
	});
});
