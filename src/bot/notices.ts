import type { Space } from '../store/store.ts';
import type { Standing } from '../usage/ledger.ts';
import type { SettingsBook } from '../usage/settings.ts';
import type { Channel, Place } from './platform.ts';
import { unit, usd } from './standing-words.ts';

/** Tells the moderators' channel of a cap that comes near or is reached, and of the first money; each once a window. */
export type Notices = (place: Place, standings: readonly Standing[]) => Promise<void>;

/** Shares of a cap that moderators are told of. */
const SHARES = [0.8, 1];

export function createNotices(parts: {
	space: Space;
	settings: SettingsBook;
	open(place: Place): Promise<Channel | undefined>;
}): Notices {
	return async (place, standings) => {
		const { noticeChannel } = await parts.settings.of(place);
		if (noticeChannel === undefined) return;
		for (const { key, text } of standings.flatMap(eventsOf)) {
			const here = `notice:${place.platform}:${place.server}:${key}`;
			if ((await parts.space.commit({ once: here })) !== 'done') continue;
			const { thread: _, ...server } = place;
			const channel = await parts.open({ ...server, channel: noticeChannel });
			await channel?.post({ text }, crypto.randomUUID());
		}
	};
}

function eventsOf({ name, what, key, limit, used, period }: Standing): { key: string; text: string }[] {
	const span = period === 'day' ? 'today' : 'this month';
	if (name === 'overage')
		return used > 0
			? [{ key: `${key}:first`, text: `The plan is used up: from now on pictures cost (${usd(used)} so far).` }]
			: [];
	// A member's own cap is the member's business; moderators are told of what they share.
	if (limit === undefined || name === 'member' || name === 'role') return [];
	return SHARES.filter((share) => used >= limit * share).map((share) => ({
		key: `${key}:${limit}:${share}`,
		text: `${{ plan: 'The plan', server: 'This server', channel: 'A channel' }[name]} has used ${used} of ${limit} ${unit(what, limit)} ${span}${share === 1 ? '; that was the last' : ''}.`,
	}));
}
