import { expect, test } from 'vitest';
import type { Channel, Upload } from '../domain/channel.ts';
import type { ButtonPress } from '../domain/platform.ts';
import type { Easel } from '../easel.ts';
import { PROFILES } from '../service/profiles.ts';
import { DEFAULT_SETTINGS } from '../usage/settings.ts';
import { ACTIONS, type ActionHandlers, type ActionName } from './declaration/actions.ts';
import { pressAction, submitForm } from './dispatch.ts';
import { Consent } from './privacy/consent.ts';

const channel = { place: { platform: 'p', server: 's', channel: 'c' } } as Channel;
const member = { id: 'ada', name: 'Ada', moderator: false };
const moderator = { ...member, moderator: true };
const upload: Upload = { name: 'one.png', read: async () => new Uint8Array() };

/** Each handler answers its action's name and the subject; only `edit` has a form. */
const handlers = Object.fromEntries(
	(Object.keys(ACTIONS) as ActionName[]).map((name) => [
		name,
		{
			press: async (_: ButtonPress, subject: string) => `${name} ${subject}`,
			...(name === 'edit' && { submit: async (_: unknown, subject: string) => `submitted ${subject}` }),
		},
	]),
) as unknown as ActionHandlers;
const settings = { get: async () => ({ ...DEFAULT_SETTINGS, moderatorRole: 'painters' }) };
const { capabilities } = PROFILES.easel;
const easel = { actions: handlers, service: { capabilities }, settings } as unknown as Easel;
easel.consent = new Consent(easel);

const press = (button: string, more: Partial<ButtonPress> = {}) =>
	pressAction(easel, {
		id: 'press',
		button,
		person: member,
		channel,
		message: { place: { platform: 'p', server: 's', channel: 'c' }, key: 'k' },
		attached: [],
		open: async () => {},
		...more,
	});
const submit = (form: string) =>
	submitForm(easel, { id: 'submit', command: 'edit', options: {}, person: member, channel, form });

const sentence = (text: RegExp) => expect.objectContaining({ message: expect.stringMatching(text) });

test('passes a press to its handler, with all of the subject', async () => {
	expect(await press('again:1:d:ada:7')).toBe('again d:ada:7');
});

test.each(['again', 'again:2:x', 'unheard-of:1:x', 'constructor:1:x', ''])(
	'answers %j in a sentence',
	async (button) => {
		expect(await press(button)).toEqual(sentence(/another version/));
		expect(await submit(button)).toEqual(sentence(/another version/));
	},
);

test('passes a submission to the handler of the button that opened the form', async () => {
	expect(await submit('edit:1:job')).toBe('submitted job');
	expect(await submit('delete:1:job')).toEqual(sentence(/another version/));
});

test('keeps the moderators’ actions from others', async () => {
	for (const button of ['remove:1:job', 'block:1:job', 'hide:1:job']) {
		expect(await press(button)).toEqual(sentence(/Only moderators/));
		expect(await press(button, { person: moderator })).toMatch(/ job$/);
		expect(await press(button, { person: { ...member, roles: ['painters'] } })).toMatch(/ job$/);
		expect(await press(button, { person: { ...member, roles: ['apprentices'] } })).toEqual(sentence(/Only moderators/));
	}
});

test('leaves people their own buttons while the settings cannot be read', async () => {
	const fails = { get: () => Promise.reject(new Error('Gone')) };
	const without = { ...easel, settings: fails } as unknown as Easel;
	const press = { person: { ...member, roles: ['painters'] }, channel, attached: [] } as unknown as ButtonPress;
	for (const button of ['cancel:1:job', 'edit:1:job', 'result:1:job'])
		expect(await pressAction(without, { ...press, button })).toMatch(/ job$/);
	await expect(pressAction(without, { ...press, button: 'remove:1:job' })).rejects.toThrow('Gone');
});

test('refuses what the service can no longer do', async () => {
	const without = { ...easel, service: { capabilities: { ...capabilities, compose: false } } } as Easel;
	const press = { person: member, channel, attached: [upload] } as unknown as ButtonPress;
	for (const button of ['reference:1:job', 'compose:1:tray', 'compose:1:menu'])
		expect(await pressAction(without, { ...press, button })).toEqual(sentence(/can't edit or combine/));
	expect(await pressAction(without, { ...press, button: 'edit:1:job' })).toBe('edit job');
});

test('requires a picture where a menu entry does', async () => {
	expect(await press('compose:1:menu')).toEqual(sentence(/no picture/));
	expect(await press('compose:1:menu', { attached: [upload] })).toBe('compose menu');
	expect(await press('compose:1:tray')).toBe('compose tray');
});

test('requires one that can be read, and says why it cannot be', async () => {
	const deleted = { ...upload, unreadable: 'deleted' as const };
	expect(await press('edit:1:menu', { attached: [deleted] })).toEqual(sentence(/was deleted. Send it as a file/));
	expect(await press('edit:1:menu', { attached: [deleted, upload] })).toBe('edit menu');
});
