import type { Space } from '../store/store.ts';
import type { Standing } from '../usage/ledger.ts';
import type { SettingsBook } from '../usage/settings.ts';
import type { Channel, Place } from './platform.ts';
import { unit, usd } from './standing-words.ts';

/** Tells the moderators' channel of a cap that comes near or is reached, and of the first money; each once a window. */
export type Notices = (place: Place, standings: readonly Standing[]) => Promise<void>;

/** The share of a cap that counts as near; moderators are told of it, and of the whole. */
const NEAR = 0.8;

export function createNotices(parts: {
	space: Space;
	settings: SettingsBook;
	open(place: Place): Promise<Channel | undefined>;
}): Notices {
	return async (place, standings) => {
		const { noticeChannel } = await parts.settings.of(place);
		if (noticeChannel === undefined) return;
		for (const { key, text, instead } of standings.flatMap(eventsOf)) {
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

function eventsOf({ name, what, key, limit, used, period }: Standing): Event[] {
	const span = period === 'day' ? 'today' : 'this month';
	if (name === 'overage') {
		const text = `The plan is used up: from now on pictures cost (${usd(used)} so far).`;
		return used > 0 ? [{ key: `${key}:first`, text }] : [];
	}
	// A member's own cap is the member's business; moderators are told of what they share.
	if (limit === undefined || name === 'member' || name === 'role' || used < limit * NEAR) return [];
	const whose = { plan: 'The plan', server: 'This server', channel: 'A channel' }[name];
	const text = `${whose} has used ${used} of ${limit} ${unit(what, limit)} ${span}`;
	const near = `${key}:${limit}:near`;
	if (used < limit) return [{ key: near, text: `${text}.` }];
	return [{ key: `${key}:${limit}:reached`, text: `${text}; that was the last.`, instead: near }];
}
