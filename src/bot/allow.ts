import { translatorFor } from '../i18n/translator.ts';
import type { Settings } from '../usage/settings.ts';
import type { Person, Place } from './platform.ts';

/** Cooldowns are remembered for this many members; of more, those who asked longest ago may ask again. */
const REMEMBERED = 10_000;

/** Why a member may not ask for a picture now, as a sentence; undefined when they may. */
export type Allow = (settings: Settings, place: Place, person: Person) => string | undefined;

/** Blocks and cooldowns. A cooldown is courtesy, not money, so each process keeps its own. */
export function createAllow(now: () => number): Allow {
	const last = new Map<string, number>();
	return ({ blocked, cooldownSeconds }, { platform, server }, { id, locale }) => {
		const t = translatorFor(locale);
		if (blocked.includes(id)) return t('A moderator has blocked you from asking for pictures here.');
		if (cooldownSeconds === 0) return undefined;
		const key = `${platform}:${server}:${id}`;
		const waitMs = (last.get(key) ?? Number.NEGATIVE_INFINITY) + cooldownSeconds * 1000 - now();
		if (waitMs > 0)
			return t('Wait {seconds, number} s before you ask again; moderators have set that here.', {
				seconds: Math.ceil(waitMs / 1000),
			});
		last.delete(key);
		last.set(key, now());
		const oldest = last.keys().next();
		if (last.size > REMEMBERED && !oldest.done) last.delete(oldest.value);
		return undefined;
	};
}
