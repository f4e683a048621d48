import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { pngFile } from '../../../../packages/fakes/src/pictures.ts';
import { openSlackFixture, postIn } from '../../../../test/harness/slack-fixture.ts';

test('the home page shows usage and recent pictures, and without pictures if Slack refuses them', async () => {
	const fixture = await openSlackFixture();
	onTestFinished(() => fixture.close());
	const png = await pngFile('#27ae60');
	const post = await postIn(fixture, { text: 'a fox', pictures: [{ ...png, alt: 'a fox' }] }, 'job-1');
	fixture.core.home = async () => ({
		text: '- You today: **1** of 5\n- This server <b> & more: 3',
		recent: [
			{ handle: post.handle, prompt: 'a fox', at: Date.UTC(2026, 10, 20) },
			{ handle: { ...post.handle, key: 'gone' }, prompt: 'something older', at: Date.UTC(2026, 10, 19) },
		],
	});
	const user = fixture.slack.user('ada');
	user.openHome();
	await eventually(() => expect(user.home()).toBeDefined());
	const page = user.home();
	expect(page?.text).toMatch(
		/Your usage.*You today: .*1.* of 5.*This server <b> & more: 3.*Your latest pictures.*Nov 20, 2026 · a fox.*something older/s,
	);
	expect(page?.pictures).toEqual([{ bytes: new Uint8Array(png.bytes), alt: 'a fox' }]);

	fixture.slack.faults.refuse('views.publish', 'invalid_blocks');
	user.openHome();
	await eventually(() => expect(user.home()?.pictures).toEqual([]));
	expect(user.home()?.text).toMatch(/You today/);
	expect(fixture.slack.violations).toEqual([]);
});
