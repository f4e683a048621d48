import type { Place } from '../../domain/place.ts';
import type { Easel } from '../../easel.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { createOnce } from '../../store/store.ts';
import type { UsageStatus } from '../../usage/caps.ts';
import type { Settings } from '../../usage/settings.ts';
import { zoneAt } from '../../usage/windows.ts';
import { usd } from '../messages/usage-messages.ts';

/** The share of a cap from which on moderators are notified. */
const NEAR = 0.8;

/** Before so much of a month, and so much of its cap, its pace says little. */
const MIN_ELAPSED_MS = 3 * 24 * 3600_000;
const MIN_USED = 0.2;

/** Longer than the longest window of a cap. */
const NOTICE_MS = 32 * 24 * 3600_000;

/** A notice, which is posted once in each window of its cap. */
type Notice = {
	key: string;
	text: string;
	/** The key of a notice that this one makes obsolete. */
	replaces?: string;
	/** The key of which at most one notice is posted in a day. */
	daily?: string;
};

/**
 * Notifies moderators that a picture in review cannot be shown to them; in the channel of the request where there is none for notices.
 * Once an hour for a channel.
 *
 * @param why the log channel is gone or cannot be posted to, or the picture is private and every member would see it there
 */
export async function notifyOfReview(
	{ store, platforms }: Easel,
	{ thread: _, ...place }: Place,
	{ logChannel = '', noticeChannel, language }: Settings,
	why: 'gone' | 'visible',
): Promise<void> {
	const key = `notice:${place.platform}:${place.server}:${why}:${logChannel}`;
	if (!(await createOnce(store.space('ledger'))(key, 3600_000))) return;
	const notices = noticeChannel === undefined ? undefined : await platforms.open({ ...place, channel: noticeChannel });
	const channel = notices ?? (await platforms.open(place));
	const text = translatorFor(language)(why === 'gone' ? 'notices.logChannelGone' : 'notices.logChannelVisible');
	await channel?.post({ text }, crypto.randomUUID());
}

/**
 * Notifies the moderators' channel when a cap is nearly or completely used, when the pace of a month will use up its cap before the month
 * ends, and when pictures begin to cost money.
 */
export async function notifyOfUsage(
	{ store, platforms, now }: Easel,
	{ thread: _, ...place }: Place,
	usage: readonly UsageStatus[],
	settings: Settings,
): Promise<void> {
	const { noticeChannel, language } = settings;
	if (noticeChannel === undefined) return;
	const isFirst = createOnce(store.space('ledger'));
	const prefix = `notice:${place.platform}:${place.server}:`;
	for (const status of usage) {
		const notice = noticeOf(translatorFor(language), status, now(), zoneAt(settings, now()));
		if (!notice) continue;
		const { key, text, replaces, daily } = notice;
		if (replaces !== undefined) await isFirst(prefix + replaces, NOTICE_MS);
		if (!(await isFirst(prefix + key, NOTICE_MS))) continue;
		if (daily !== undefined && !(await isFirst(prefix + daily, NOTICE_MS))) continue;
		const channel = await platforms.open({ ...place, channel: noticeChannel });
		await channel?.post({ text }, crypto.randomUUID());
	}
}

/** Moderators are notified of caps that people share, not of those of one member. */
const OF_ONE_MEMBER: readonly string[] = ['member', 'role', 'operatorMember'];

/** Returns what there is to say about a counter. A cap that is nearly used up has no forecast. */
function noticeOf(t: Translate, status: UsageStatus, now: number, timeZone: string): Notice | undefined {
	const { name, what = 'pictures', unit, key, limit, used, period, window } = status;
	if (name === 'overage')
		return used > 0 ? { key: `${key}:first`, text: t('notices.plan', { spent: usd(t, used) }) } : undefined;
	if (limit === undefined || OF_ONE_MEMBER.includes(name)) return undefined;
	const amounts = { unit, used, limit, spent: usd(t, used), most: usd(t, limit), layer: name };
	if (used >= limit * NEAR) {
		const values = { ...amounts, period, what, reached: used < limit ? 'no' : 'yes' };
		const text = t(name === 'operatorServer' && unit === 'images' ? 'notices.operatorCap' : 'notices.cap', values);
		const near = `${key}:${limit}:near`;
		return used < limit ? { key: near, text } : { key: `${key}:${limit}:reached`, text, replaces: near };
	}
	const elapsed = now - window.startsAt;
	const usedUpAt = window.startsAt + (elapsed * limit) / used;
	const saysLittle = elapsed < MIN_ELAPSED_MS || used < limit * MIN_USED;
	if (period !== 'month' || saysLittle || usedUpAt >= window.resetsAt) return undefined;
	const dayOf = (at: number) =>
		Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(timeZone).toPlainDate();
	const date = dayOf(usedUpAt).toLocaleString(t.language, { day: 'numeric', month: 'long' });
	return {
		key: `${key}:${limit}:forecast:${dayOf(usedUpAt)}`,
		daily: `${key}:forecast:${dayOf(now)}`,
		text: t('notices.forecast', { ...amounts, what, date }),
	};
}
