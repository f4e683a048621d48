import type { Place } from '../../domain/place.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { createOnce } from '../../store/once.ts';
import type { Space } from '../../store/store.ts';
import type { UsageStatus } from '../../usage/caps/usage-status.ts';
import type { Settings } from '../../usage/settings/settings.ts';
import type { SettingsRepository } from '../../usage/settings/settings-repository.ts';
import { usd } from '../messages/usage-messages.ts';
import type { PlatformAccess } from '../platform-access.ts';

/** The share of a cap from which on moderators are notified. */
const NEAR = 0.8;

/** Longer than the longest window of a cap. */
const NOTICE_MS = 32 * 24 * 3600_000;

type Parts = {
	space: Pick<Space, 'commit'>;
	settings: Pick<SettingsRepository, 'get'>;
	open: PlatformAccess['open'];
};

/** A notice, which is posted once in each window of its cap. */
type Notice = {
	key: string;
	text: string;
	/** The key of a notice that this one makes obsolete. */
	replaces?: string;
};

/** Notifies the moderators' channel when a cap is nearly or completely used, and when pictures begin to cost money. */
export class Notices {
	readonly #parts: Parts;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	/** @param settings read when they are missing */
	async notify(place: Place, usage: readonly UsageStatus[], settings?: Settings): Promise<void> {
		const { space, open } = this.#parts;
		const { noticeChannel, language } = settings ?? (await this.#parts.settings.get(place));
		if (noticeChannel === undefined) return;
		const isFirst = createOnce(space);
		const t = translatorFor(language);
		const prefix = `notice:${place.platform}:${place.server}:`;
		for (const { key, text, replaces } of usage.flatMap((status) => noticesOf(t, status))) {
			if (replaces !== undefined) await isFirst(prefix + replaces, NOTICE_MS);
			if (!(await isFirst(prefix + key, NOTICE_MS))) continue;
			const { thread: _, ...server } = place;
			const channel = await open({ ...server, channel: noticeChannel });
			await channel?.post({ text }, crypto.randomUUID());
		}
	}
}

function noticesOf(t: Translate, { name, what = 'pictures', key, limit, used, period }: UsageStatus): Notice[] {
	if (name === 'overage')
		return used > 0 ? [{ key: `${key}:first`, text: t('notices.plan', { spent: usd(t, used) }) }] : [];
	// Moderators are notified of caps that people share, not of those of one member.
	const isOfOneMember = name === 'member' || name === 'role' || name === 'operatorMember';
	if (limit === undefined || isOfOneMember || used < limit * NEAR) return [];
	const values = { used, limit, period, reached: used < limit ? 'no' : 'yes' };
	const text =
		name === 'operatorServer' ? t('notices.operatorCap', values) : t('notices.cap', { ...values, layer: name, what });
	const near = `${key}:${limit}:near`;
	return used < limit ? [{ key: near, text }] : [{ key: `${key}:${limit}:reached`, text, replaces: near }];
}
