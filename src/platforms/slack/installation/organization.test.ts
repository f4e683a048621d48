import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { openSlackFixture, postIn, type SlackFixture } from '../../../../test/harness/slack-fixture.ts';

let fixture: SlackFixture;
let server: string;
beforeEach(async () => {
	fixture = await openSlackFixture({
		teams: [
			{
				name: 'Atelier',
				enterprise: 'Guild',
				orgWide: true,
				users: { ada: { name: 'Ada', admin: true }, bjorn: { name: 'Björn' } },
				groups: { painters: ['ada'] },
			},
		],
	});
	server = fixture.slack.world.team().enterprise?.id ?? '';
});
afterEach(async () => {
	expect(fixture.slack.violations).toEqual([]);
	await fixture.close();
});

const painters = () => [...fixture.slack.world.team().groups.keys()];
const place = () => ({ ...fixture.place, server });

test('a command belongs to the organization, with the rights and groups of its person there', async () => {
	await fixture.slack.user('ada').types('/imagine a fox');
	await eventually(() => expect(fixture.core.invoked).toHaveLength(1));
	await fixture.slack.user('bjorn').types('/imagine a fox');
	await eventually(() => expect(fixture.core.invoked).toHaveLength(2));
	expect(fixture.core.invoked.map(({ channel }) => channel.place)).toEqual([place(), place()]);
	expect(fixture.core.invoked.map(({ person }) => [person.moderator, person.roles])).toEqual([
		[true, painters()],
		[false, []],
	]);
});

test('messages and buttons belong to the organization', async () => {
	const user = fixture.slack.user('ada');
	await user.say('@easel hello');
	await eventually(() => expect(fixture.core.received[0]?.channel.place.server).toBe(server));
	await postIn(fixture, { text: 'Here.', buttons: [{ id: 'again:1:x', label: 'Again' }] }, 'job', place());
	const message = (await user.look()).findLast(({ text }) => text === 'Here.');
	if (!message) throw new Error('The message is not there');
	await user.press(message, 'Again');
	await eventually(() => expect(fixture.core.pressed[0]?.message).toMatchObject({ key: 'job', place: place() }));
});

test('forms offer the user groups of the workspace, and messages show their names', async () => {
	const user = fixture.slack.user('ada');
	await user.types('/limits set role');
	await eventually(() => expect(user.form()).toBeDefined());
	const form = user.form();
	if (!form) throw new Error('There is no form');
	await user.submit(form, { period: 'day', role: painters()[0] ?? '', images: 3 });
	await eventually(() =>
		expect(fixture.core.invoked.at(-1)?.options).toMatchObject({ role: painters()[0], images: 3 }),
	);
	await postIn(fixture, { text: `For <!subteam^${painters()[0]}>` }, 'told', place());
	expect((await user.look()).at(-1)?.text).toBe('For @painters');
});
