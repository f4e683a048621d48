import type { Settings } from '../../src/bot/declaration/command.ts';
import type { Context } from '../../src/bot/declaration/context.ts';
import { usd } from '../../src/bot/messages/usage-messages.ts';
import type { Limit } from '../../src/domain/limit.ts';
import type { Reply } from '../../src/domain/reply.ts';
import type { Translate } from '../../src/i18n/translator.ts';

/** The entries of a list that are named. More would fill a message. */
const NAMED = 20;

type Show = Context['show'];

/** Describes a cap: whose it is, and how much it allows. */
export function capMessage(t: Translate, limit: Limit, show: Show): string {
	const { what = 'pictures', period, images } = limit;
	return t('limits.cap.text', { whose: capOwner(t, limit, show), images, what, period });
}

function capOwner(t: Translate, { scope, target }: Limit, show: Show): string {
	if (scope === 'server') return t('limits.cap.server');
	if (target === undefined) return t('limits.cap.every', { scope });
	if (scope === 'role') return t('limits.cap.role', { role: show.refer('role', target) });
	return show.refer(scope === 'member' ? 'person' : 'channel', target);
}

/** Returns all rules but the caps, one line each. */
export function ruleLines(t: Translate, settings: Settings, show: Show): string[] {
	const { timeZone, language = 'en', overageMills, atOnce, cooldownSeconds } = settings;
	const { noticeChannel, logChannel, blocked } = settings;
	const members = blocked.map((id) => show.refer('person', id)).join(', ');
	return [
		t('limits.rules.timeZone', { timeZone }),
		t('limits.rules.language', { language: new Intl.DisplayNames(t.language, { type: 'language' }).of(language) }),
		overageMills === 0 ? t('limits.rules.noOverage') : t('limits.rules.overage', { amount: usd(t, overageMills) }),
		t('limits.rules.pace', { atOnce, cooldown: cooldownSeconds }),
		noticeChannel === undefined
			? t('limits.rules.noNotices')
			: t('limits.rules.notices', { channel: show.refer('channel', noticeChannel) }),
		...accessLines(t, settings, show),
		bannedWordsLine(t, settings),
		logChannel === undefined
			? t('limits.rules.noLog')
			: t('limits.rules.log', { channel: show.refer('channel', logChannel) }),
		spoilerLine(t, settings, show),
		...(blocked.length > 0 ? [t('limits.rules.blocked', { members })] : []),
	];
}

/** Returns the channels and roles that are allowed. */
export function accessLines(t: Translate, { allowedChannels, allowedRoles }: Settings, show: Show): string[] {
	const channels = nameList(t, allowedChannels, (id) => show.refer('channel', id));
	const roles = nameList(t, allowedRoles, (id) => show.refer('role', id));
	return [
		allowedChannels.length === 0 ? t('limits.rules.everywhere') : t('limits.rules.channels', { channels }),
		...(allowedRoles.length === 0 ? [] : [t('limits.rules.roles', { roles })]),
	];
}

export function spoilerLine(t: Translate, { spoilerChannels }: Settings, show: Show): string {
	const channels = nameList(t, spoilerChannels, (id) => show.refer('channel', id));
	return spoilerChannels.length === 0 ? t('limits.rules.noSpoilers') : t('limits.rules.spoilers', { channels });
}

export const bannedWordsLine = (t: Translate, { bannedWords }: Settings): string =>
	t('limits.rules.bannedWords', { count: bannedWords.length });

/** Returns the banned words as a file, because they may be more than a message holds. Only moderators may see it. */
export const bannedWordsFile = ({ bannedWords }: Settings): Pick<Reply, 'files'> =>
	bannedWords.length === 0
		? {}
		: { files: [{ name: 'banned-words.txt', bytes: Buffer.from(`${bannedWords.join('\n')}\n`) }] };

function nameList(t: Translate, ids: readonly string[], nameOf: (id: string) => string): string {
	const list = ids.slice(0, NAMED).map(nameOf).join(', ');
	return ids.length <= NAMED ? list : t('limits.rules.andMore', { list, more: ids.length - NAMED });
}
