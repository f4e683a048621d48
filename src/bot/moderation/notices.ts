import type { Channel } from '../../domain/channel.ts';
import type { Place } from '../../domain/place.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import type { Space } from '../../store/store.ts';
import type { Settings } from '../../usage/settings.ts';
import type { SettingsRepository } from '../../usage/settings-repository.ts';
import type { UsageStatus } from '../../usage/usage-status.ts';
import { usd } from '../messages/usage-messages.ts';

/** Tells the moderators' channel of a cap that comes near or is reached, and of the first money; each once a window. */
export type Notices = (
	place: Place,
	standings: readonly UsageStatus[],
	/** Read when they are missing. */
	settings?: Settings,
) => Promise<void>;

/** The share of a cap that counts as near; moderators are told of it, and of the whole. */
const NEAR = 0.8;

export function createNotices(parts: {
	space: Space;
	settings: SettingsRepository;
	open(place: Place): Promise<Channel | undefined>;
}): Notices {
	return async (place, standings, settings) => {
		const { noticeChannel, language } = settings ?? (await parts.settings.get(place));
		if (noticeChannel === undefined) return;
		const t = translatorFor(language);
		for (const { key, text, instead } of standings.flatMap((standing) => eventsOf(t, standing))) {
			const here = `notice:${place.platform}:${place.server}:`;
			// What was overtaken before it was told is not told afterwards.
			if (instead !== undefined) await parts.space.commit({ once: here + instead });
			if ((await parts.space.commit({ once: here + key })) !== 'done') continue;
			const { thread: _, ...server } = place;
			const channel = await parts.open({ ...server, channel: noticeChannel });
			await channel?.post({ text }, crypto.randomUUID());
		}
	};
}

/** Something to be told once a window, and what need not be told any more then. */
type Event = { key: string; text: string; instead?: string };

function eventsOf(t: Translate, { name, what = 'pictures', key, limit, used, period }: UsageStatus): Event[] {
	if (name === 'overage') {
		const text = t('notices.plan', { spent: usd(t, used) });
		return used > 0 ? [{ key: `${key}:first`, text }] : [];
	}
	// A member's own cap is the member's business; moderators are told of what they share.
	if (limit === undefined || name === 'member' || name === 'role' || used < limit * NEAR) return [];
	const text = t('notices.cap', { layer: name, used, limit, what, period, reached: used < limit ? 'no' : 'yes' });
	const near = `${key}:${limit}:near`;
	if (used < limit) return [{ key: near, text }];
	return [{ key: `${key}:${limit}:reached`, text, instead: near }];
}
