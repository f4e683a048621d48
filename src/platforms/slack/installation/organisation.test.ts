import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openScene, type Scene, say } from '../../../../test/fakes/slack-fixture.ts';

let scene: Scene;
let server: string;
beforeEach(async () => {
	scene = await openScene({
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
	server = scene.slack.world.team().enterprise?.id ?? '';
});
afterEach(async () => {
	expect(scene.slack.violations).toEqual([]);
	await scene.close();
});

const painters = () => [...scene.slack.world.team().groups.keys()];
const place = () => ({ ...scene.place, server });

test('installed for a whole organisation, a command comes under it, with its person’s rights and groups there', async () => {
	await scene.slack.seat('ada').types('/imagine a fox');
	await vi.waitFor(() => expect(scene.core.invoked).toHaveLength(1));
	await scene.slack.seat('bjorn').types('/imagine a fox');
	await vi.waitFor(() => expect(scene.core.invoked).toHaveLength(2));
	expect(scene.core.invoked.map(({ channel }) => channel.place)).toEqual([place(), place()]);
	expect(scene.core.invoked.map(({ person }) => [person.moderator, person.roles])).toEqual([
		[true, painters()],
		[false, []],
	]);
});

test('what is said to it and what is pressed come under it as well', async () => {
	const seat = scene.slack.seat('ada');
	await seat.say('@easel hello');
	await vi.waitFor(() => expect(scene.core.heard[0]?.channel.place.server).toBe(server));
	await say(scene, { text: 'Here.', buttons: [{ id: 'again:1:x', label: 'Again' }] }, 'job', place());
	const message = (await seat.look()).findLast(({ text }) => text === 'Here.');
	if (!message) throw new Error('The message is not there');
	await seat.press(message, 'Again');
	await vi.waitFor(() => expect(scene.core.pressed[0]?.message).toMatchObject({ key: 'job', place: place() }));
});

test('groups of the workspace where somebody chooses are offered in forms, and spelled by their names', async () => {
	const seat = scene.slack.seat('ada');
	await seat.types('/limits set role day');
	await vi.waitFor(() => expect(seat.form()).toBeDefined());
	const form = seat.form();
	if (!form) throw new Error('There is no form');
	await seat.submit(form, { role: painters()[0] ?? '', images: 3 });
	await vi.waitFor(() => expect(scene.core.invoked.at(-1)?.options).toMatchObject({ role: painters()[0], images: 3 }));
	await say(scene, { text: `For <!subteam^${painters()[0]}>` }, 'told', place());
	expect((await seat.look()).at(-1)?.text).toBe('For @painters');
});
