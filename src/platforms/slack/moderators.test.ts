import { expect, onTestFinished, test } from 'vitest';
import { invocationOf, openSlackFixture } from '../../../test/harness/slack-fixture.ts';

test('admins are moderators, and guests never are', async () => {
	const fixture = await openSlackFixture({
		teams: [
			{
				name: 'Atelier',
				users: { ada: { name: 'Ada', admin: true }, bjorn: { name: 'Björn' }, carl: { guest: true, admin: true } },
				channels: [{ name: 'general', members: ['ada', 'bjorn', 'carl'] }],
			},
		],
	});
	onTestFinished(() => fixture.close());
	for (const [index, person] of ['ada', 'bjorn', 'carl'].entries()) {
		await fixture.slack.user(person).types('/usage');
		expect([person, (await invocationOf(fixture, index + 1)).person.moderator]).toEqual([person, person === 'ada']);
	}
	expect(fixture.slack.violations).toEqual([]);
});
