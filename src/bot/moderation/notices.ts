import type { Place } from '../../domain/place.ts';
import type { Easel } from '../../easel.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { createOnce } from '../../store/pages.ts';
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
 * Notifies the moderators' channel when a cap is nearly or completely used, when the pace of a month will use up its cap before the month
 * ends, and when pictures begin to cost money.
 */
export class Notices {
	readonly #easel: Easel;

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/**
	 * Notifies moderators that a picture in review cannot be shown to them; in the channel of the request where there is none for notices.
	 * Once an hour for a channel.
	 *
	 * @param why the log channel is gone or cannot be posted to, or the picture is private and every member would see it there
	 */
	async reviewImpossible({ thread: _, ...place }: Place, settings: Settings, why: 'gone' | 'visible'): Promise<void> {
		const { store, platforms } = this.#easel;
		const { logChannel = '', noticeChannel, language } = settings;
		const key = `notice:${place.platform}:${place.server}:${why}:${logChannel}`;
		if (!(await createOnce(store.space('ledger'))(key, 3600_000))) return;
		const notices =
			noticeChannel === undefined ? undefined : await platforms.open({ ...place, channel: noticeChannel });
		const channel = notices ?? (await platforms.open(place));
		const t = translatorFor(language);
		const text = why === 'gone' ? t('notices.logChannelGone') : t('notices.logChannelVisible');
		await channel?.post({ text }, crypto.randomUUID());
	}

	/** @param settings read when they are missing */
	async notify(place: Place, usage: readonly UsageStatus[], settings?: Settings): Promise<void> {
		const { store, platforms, now } = this.#easel;
		const current = settings ?? (await this.#easel.settings.get(place));
		const { noticeChannel, language } = current;
		if (noticeChannel === undefined) return;
		const isFirst = createOnce(store.space('ledger'));
		const t = translatorFor(language);
		const prefix = `notice:${place.platform}:${place.server}:`;
		const notices = usage.flatMap((status) => [
			...noticesOf(t, status),
			...forecastOf(t, status, now(), zoneAt(current, now())),
		]);
		for (const { key, text, replaces, daily } of notices) {
			if (replaces !== undefined) await isFirst(prefix + replaces, NOTICE_MS);
			if (!(await isFirst(prefix + key, NOTICE_MS))) continue;
			if (daily !== undefined && !(await isFirst(prefix + daily, NOTICE_MS))) continue;
			const { thread: _, ...server } = place;
			const channel = await platforms.open({ ...server, channel: noticeChannel });
			await channel?.post({ text }, crypto.randomUUID());
		}
	}
}

function noticesOf(t: Translate, { name, what = 'pictures', key, limit, used, period }: UsageStatus): Notice[] {
	if (name === 'overage')
		return used > 0 ? [{ key: `${key}:first`, text: t('notices.plan', { spent: usd(t, used) }) }] : [];
	if (limit === undefined || isOfOneMember(name) || used < limit * NEAR) return [];
	const values = { used, limit, period, reached: used < limit ? 'no' : 'yes' };
	const text =
		name === 'operatorServer' ? t('notices.operatorCap', values) : t('notices.cap', { ...values, layer: name, what });
	const near = `${key}:${limit}:near`;
	return used < limit ? [{ key: near, text }] : [{ key: `${key}:${limit}:reached`, text, replaces: near }];
}

/** Moderators are notified of caps that people share, not of those of one member. */
const isOfOneMember = (name: UsageStatus['name']) => name === 'member' || name === 'role' || name === 'operatorMember';

/** Returns a notice when a month's pace so far will use up its cap before it ends. One that is nearly used up has its own notice. */
function forecastOf(t: Translate, status: UsageStatus, now: number, timeZone: string): Notice[] {
	const { name, what = 'pictures', key, limit, used, period, window } = status;
	if (period !== 'month' || limit === undefined || name === 'overage' || isOfOneMember(name)) return [];
	const elapsed = now - window.startsAt;
	if (elapsed < MIN_ELAPSED_MS || used < limit * MIN_USED || used >= limit * NEAR) return [];
	const usedUpAt = window.startsAt + (elapsed * limit) / used;
	if (usedUpAt >= window.resetsAt) return [];
	const dayOf = (at: number) =>
		Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(timeZone).toPlainDate();
	const date = dayOf(usedUpAt).toLocaleString(t.language, { day: 'numeric', month: 'long' });
	return [
		{
			key: `${key}:${limit}:forecast:${dayOf(usedUpAt)}`,
			daily: `${key}:forecast:${dayOf(now)}`,
			text: t('notices.forecast', { layer: name, used, limit, what, date }),
		},
	];
}
