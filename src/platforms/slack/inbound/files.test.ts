import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pngFile } from '../../../../packages/fakes/src/pictures.ts';
import { bytesOf, openSlackFixture, pressOf, type SlackFixture } from '../../../../test/harness/slack-fixture.ts';

let fixture: SlackFixture;
beforeEach(async () => {
	fixture = await openSlackFixture();
});
afterEach(async () => {
	expect(fixture.slack.violations).toEqual([]);
	await fixture.close();
});

const ada = () => fixture.slack.user('ada');
const pressed = (count?: number) => pressOf(fixture, count);

describe('an incoming picture', () => {
	const read = async () => {
		const user = ada();
		await user.say('look', [await pngFile('#7f8c8d')]);
		const message = (await user.look()).findLast(({ text }) => text === 'look');
		if (!message) throw new Error('There is no message');
		const before = fixture.core.pressed.length;
		await user.menu(message, 'Edit image');
		const { attached } = await pressed(before + 1);
		return bytesOf(attached[0]);
	};
	const original = async () => new Uint8Array((await pngFile('#7f8c8d')).bytes);

	test('follows redirects, without the token on other hosts', async () => {
		fixture.slack.settings.redirects = 'same host';
		expect(await read()).toEqual(await original());
		fixture.slack.settings.redirects = 'elsewhere';
		await expect(read()).resolves.toEqual(await original());
	});

	test('is refused at another port than that of the Web API, which does not get the token', async () => {
		fixture.slack.settings.filesAt = 'own host';
		await expect(read()).rejects.toThrow('`files:read`');
	});

	test('is read also when the event has only its id', async () => {
		fixture.slack.settings.thinFiles = true;
		expect(await read()).toEqual(await original());
	});

	test.each([true, 'mislabelled' as const])(
		'is refused with the missing scope when Slack returns its login page: %s',
		async (loginPage) => {
			fixture.slack.settings.loginPage = loginPage;
			await expect(read()).rejects.toThrow('`files:read`');
		},
	);
});
