import type { Context, Settings } from '../../src/bot/command.ts';
import type { Reply } from '../../src/bot/platform.ts';
import type { Translate } from '../../src/i18n/translator.ts';

/** So many of a list are named; more would fill a message. */
const NAMED = 20;

/** Where and by whom may be asked. */
export const accessWords = (t: Translate, { allowedChannels, allowedRoles }: Settings, show: Context['show']) => [
	allowedChannels.length === 0
		? t('- May be asked: everywhere')
		: t('- May be asked in: {channels}', { channels: listed(t, allowedChannels, (id) => show.refer('channel', id)) }),
	...(allowedRoles.length === 0
		? []
		: [t('- May ask: members with {roles}', { roles: listed(t, allowedRoles, (id) => show.refer('role', id)) })]),
];

export const spoilerWords = (t: Translate, { spoilerChannels }: Settings, show: Context['show']) =>
	spoilerChannels.length === 0
		? t('- Covered results: nowhere')
		: t('- Covered results in: {channels}', {
				channels: listed(t, spoilerChannels, (id) => show.refer('channel', id)),
			});

export const bannedWords = (t: Translate, { bannedWords: words }: Settings) =>
	t('- Banned words: {count, plural, =0 {none} other {#}}', { count: words.length });

/** Every rule about who may ask for what where. */
export const serverRuleWords = (t: Translate, settings: Settings, show: Context['show']) => [
	...accessWords(t, settings, show),
	bannedWords(t, settings),
	settings.logChannel === undefined
		? t('- Log of pictures: nowhere')
		: t('- Log of pictures: {channel}', { channel: show.refer('channel', settings.logChannel) }),
	spoilerWords(t, settings, show),
];

/** The words themselves, which may be more than a message holds; only for moderators' eyes. */
export const bannedWordsFile = ({ bannedWords: words }: Settings): Pick<Reply, 'files'> =>
	words.length === 0 ? {} : { files: [{ name: 'banned-words.txt', bytes: Buffer.from(`${words.join('\n')}\n`) }] };

function listed(t: Translate, ids: readonly string[], name: (id: string) => string): string {
	const named = ids.slice(0, NAMED).map(name).join(', ');
	return ids.length <= NAMED ? named : t('{list} and {more, number} more', { list: named, more: ids.length - NAMED });
}
