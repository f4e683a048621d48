import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ada, BotHarness, moderator, storedState } from '../../test/harness/bot-harness.ts';
import type { Bot } from '../bot/bot.ts';
import type { Channel } from '../domain/channel.ts';
import type { Job } from '../domain/job.ts';
import { PlatformRefusedError } from '../i18n/translator.ts';

const HOUR_MS = 3600_000;

describe('a picture in review', () => {
	let harness: BotHarness;
	let bot: Bot;
	let clock: number;
	/** Ids of channels that exist besides the one of the requests. */
	let channels: Set<string>;
	let count: number;

	beforeEach(async () => {
		clock = Date.UTC(2026, 10, 20, 12);
		count = 0;
		channels = new Set(['log']);
		harness = await BotHarness.create();
		const { channel } = harness;
		harness.platform.channel = async (place): Promise<Channel | undefined> =>
			place.channel === 'channel' || channels.has(place.channel) ? { ...channel, place } : undefined;
		bot = await start();
		await run('limits settings', { log: 'log' });
		await run('limits review', { on: true });
	});
	afterEach(() => harness.close());

	const start = () => harness.start({ now: () => clock });

	/** Runs a moderator's command, and returns the answer. */
	async function run(command: string, options: Record<string, unknown>): Promise<string> {
		const id = `command-${count++}`;
		await bot.invoke({ id, command, options, person: moderator, channel: harness.channel });
		return harness.seen(id)?.text ?? '';
	}

	/** Presses a button of the entry, and returns the private answer. */
	async function press(action: string, person = moderator): Promise<string | undefined> {
		const id = `press-${count++}`;
		await harness.press(bot, id, `${action}:1:job`, 'log.job', person);
		return harness.seen(id)?.text;
	}

	async function reject(reason?: string): Promise<string | undefined> {
		const id = `form-${count++}`;
		const options = reason === undefined ? {} : { reason };
		const { channel } = harness;
		await bot.invoke({ id, form: 'reject:1:job', command: 'limits review', options, person: moderator, channel });
		return harness.seen(id)?.text;
	}

	const labels = (key: string) => harness.seen(key)?.buttons?.map(({ label }) => label);

	test('waits in the log channel, and appears in the same message once it is approved', async () => {
		await bot.invoke(harness.imagine());
		expect(harness.seen('job')?.text).toMatch(/a pond.*waits for a moderator’s review/s);
		expect(harness.seen('job')?.pictures).toBeUndefined();
		expect(harness.pictureIn('log.job')).toEqual(harness.png);
		expect(harness.seen('log.job')?.text).toMatch(/Waits for a review until 2026-11-21T12/);
		expect(labels('log.job')).toEqual(['Approve', 'Reject', 'Block']);
		expect(await harness.jobState()).toBe('delivered');
		expect(await press('approve', ada)).toBe('Only moderators can do that.');

		bot = await start();
		await bot.sweep();
		expect(await press('approve')).toBeUndefined();
		expect(harness.pictureIn('job')).toEqual(harness.png);
		expect(labels('job')).toContain('Again');
		await expect.poll(() => labels('log.job')).toEqual(['Remove', 'Block', 'Hide']);
		expect(harness.seen('log.job')?.text).toMatch(/Approved by mod/);
		expect(await reject()).toBe('mod has already approved it.');
		expect(harness.pictureIn('job')).toEqual(harness.png);
		expect(harness.faulty.requests).toHaveLength(1);
		await bot.invoke({ ...harness.imagine('usage'), command: 'usage', options: {} });
		expect(harness.seen('usage')?.text).toMatch(/You today: 1/);
	});

	test('says once it is approved what the service has not returned', async () => {
		await bot.invoke(harness.imagine('job', { n: 2 }));
		await press('approve');
		expect(harness.pictureIn('job')).toEqual(harness.png);
		expect(harness.seen('job')?.text).toMatch(/The image service returned 1 of 2 pictures; missing: 1\./);
		expect(harness.seen('job')?.text).not.toMatch(/was stopped/);
	});

	test('is rejected with a reason, and its picture is not kept', async () => {
		await bot.invoke(harness.imagine());
		await reject(' too *wet* ');
		expect(harness.seen('job')?.text).toBe(
			'**a pond**\nA moderator has rejected this picture: too \\*wet\\*\nThe call stays counted.',
		);
		expect(harness.seen('job')?.pictures).toBeUndefined();
		expect(harness.seen('log.job')?.text).toMatch(/Rejected by mod: too/);
		expect(labels('log.job')).toEqual(['Block']);
		expect(await harness.store.space('pictures').files.names('kept:')).toEqual([]);
		expect(await press('approve')).toBe('mod has already rejected it.');
		expect(harness.seen('job')?.pictures).toBeUndefined();
	});

	test('is rejected when its person is blocked', async () => {
		await bot.invoke(harness.imagine());
		await press('block');
		expect(harness.seen('job')?.text).toMatch(/A moderator has rejected this picture/);
		expect(harness.seen('log.job')?.text).toMatch(/Rejected by mod.*was blocked by mod/s);
	});

	test('is decided once when moderators press at once', async () => {
		await bot.invoke(harness.imagine());
		const [approved, rejected] = await Promise.all([press('approve'), reject(), press('approve')]);
		const answers = [approved, rejected];
		expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
		const isApproved = harness.pictureIn('job').length > 0;
		const late = answers.filter((answer) => answer !== undefined);
		expect(new Set(late)).toEqual(new Set([`mod has already ${isApproved ? 'approved' : 'rejected'} it.`]));
	});

	test('is not decided before moderators have seen all that is kept of it', async () => {
		await bot.invoke(harness.imagine('job', { n: 2 }));
		// A process that was suspended goes on.
		await bot.easel.pictureStore.keep('job', [harness.png, harness.png]);
		expect(await press('approve')).toMatch(/More pictures of this request have come/);
		expect(harness.seen('job')?.pictures).toBeUndefined();
		expect(harness.seen('log.job')?.pictures).toHaveLength(2);
		expect(await press('approve')).toBeUndefined();
		expect(harness.seen('job')?.pictures).toHaveLength(2);
	});

	test('ends without a decision as the server has set', async () => {
		await bot.invoke(harness.imagine());
		expect(await run('limits settings', { undecided: 'show', review_hours: 2 })).toMatch(/after 2 hours: shown/);
		await bot.invoke(harness.imagine('second'));
		clock += 2 * HOUR_MS;
		bot = await start();
		await bot.sweep();
		expect(harness.pictureIn('second')).toEqual(harness.png);
		expect(harness.seen('log.second')?.text).toMatch(/Shown, because nobody decided in time/);
		expect(harness.seen('job')?.text).toMatch(/waits/);
		await run('limits settings', { undecided: 'reject' });
		clock += 22 * HOUR_MS;
		await bot.sweep();
		expect(harness.seen('job')?.text).toMatch(/No moderator has decided on this picture in time/);
		expect(await press('approve')).toBe('The time for a decision is over.');
	});

	test('stays unseen while the log channel is gone, and moderators are told at once', async () => {
		channels.clear();
		await run('limits settings', { undecided: 'show' });
		await bot.invoke(harness.imagine());
		expect(harness.seen('job')?.text).toMatch(/waits for a moderator’s review/);
		const texts = () => [...harness.messages.values()].map(({ text }) => text).join('\n');
		expect(texts()).toMatch(/the channel of the moderation log is gone/);
		channels.add('other');
		await run('limits settings', { log: 'other' });
		clock += HOUR_MS;
		bot = await start();
		await bot.sweep();
		expect(labels('log.job')).toEqual(['Approve', 'Reject', 'Block']);
		channels.clear();
		clock += 24 * HOUR_MS;
		bot = await start();
		await bot.sweep();
		expect(harness.seen('job')?.text).toMatch(/No moderator has decided/);
	});

	test('is not posted without its picture to a log channel that takes no files', async () => {
		const { channel } = harness;
		harness.platform.channel = async (place) => ({
			...channel,
			place,
			async post(reply, ...rest) {
				if (place.channel === 'log' && reply.pictures) throw new PlatformRefusedError('log.expired');
				return channel.post(reply, ...rest);
			},
		});
		await bot.invoke(harness.imagine());
		expect(harness.seen('log.job')).toBeUndefined();
		expect(harness.seen('job')?.text).toMatch(/waits/);
	});

	test('is shown to moderators after a crash', async () => {
		const crash = () => Promise.reject(new Error('The process has ended'));
		const refusing = harness.withCommit((change, commit) =>
			storedState(change) === 'delivered' ? crash() : commit(change),
		);
		bot = await harness.start({ store: refusing, now: () => clock });
		await bot.invoke(harness.imagine());
		expect(harness.seen('log.job')).toBeUndefined();
		bot = await start();
		await bot.sweep();
		expect(labels('log.job')).toEqual(['Approve', 'Reject', 'Block']);
		expect(await harness.openJobs()).toEqual([]);
		expect(harness.seen('job')?.pictures).toBeUndefined();
	});

	test('appears after a crash between the decision and its delivery', async () => {
		await bot.invoke(harness.imagine());
		const dying = harness.withCommit((change, commit) =>
			storedState(change) === 'sent' ? Promise.reject(new Error('The process has ended')) : commit(change),
		);
		bot = await harness.start({ store: dying, now: () => clock });
		await press('approve');
		expect(harness.seen('job')?.pictures).toBeUndefined();
		bot = await start();
		await bot.sweep();
		expect(harness.pictureIn('job')).toEqual(harness.png);
	});

	test('appears once more when a process was late to say that it waits, also while that is under way', async () => {
		await bot.invoke(harness.imagine());
		await press('approve');
		const [other] = harness.pictureIn('job');
		expect(other).toBeDefined();
		await harness.channel.post({ text: 'waits', pictures: [], visibility: 'public' }, 'job');
		await bot.easel.reviews.repeat((await bot.easel.ledger.find('job')) as Job, [harness.png]);
		await bot.sweep();
		expect(harness.pictureIn('job')).toEqual(harness.png);
		expect((await bot.easel.ledger.find('job'))?.review?.checkAt).toBeUndefined();
	});

	test('is not possible without a log channel, nor in it', async () => {
		expect(await run('limits settings', { off: 'log' })).toMatch(/Turn reviews off first/);
		expect(await run('limits settings', { log: 'channel' })).toMatch(/log channel cannot be reviewed/);
		expect(await run('limits review', { on: false })).toMatch(/Channels with review: none/);
		await run('limits settings', { off: 'log' });
		expect(await run('limits review', { on: true })).toMatch(/Set a channel for the moderation log first/);
	});
});
