import { z } from 'zod';
import { channel, defineCommand, privately } from '../../src/bot/declaration/command.ts';
import type { Language } from '../../src/i18n/translator.ts';
import { ruleWords } from './rule-words.ts';

/** By the names that those who speak them call them, the one way in which everybody finds their own. */
const LANGUAGES: Readonly<Record<string, Language>> = {
	English: 'en',
	Deutsch: 'de',
	Français: 'fr',
	Español: 'es',
	日本語: 'ja',
	Português: 'pt-BR',
	Русский: 'ru',
};

export const limitsSettings = defineCommand({
	name: 'limits settings',
	description: 'Time zone, language, notices, log, cooldown and how many requests of a member run at once',
	moderators: true,
	makes: 'answer',
	options: z.strictObject({
		time_zone: z
			.string()
			.trim()
			.max(64)
			.refine(isTimeZone, '`{option}` is not a time zone such as Europe/Berlin or America/New_York.')
			.describe('Where days and months begin, such as Europe/Berlin')
			.meta({ examples: ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'America/Sao_Paulo'] })
			.optional(),
		language: z.enum(Object.keys(LANGUAGES)).describe('What is said to moderators in their channels').optional(),
		notices: channel('Where moderators are told at 80 % and 100 % of a cap').optional(),
		log: channel('Where moderators see every picture that is made').optional(),
		off: z.enum(['notices', 'log']).describe('What is told nowhere any more').optional(),
		cooldown: z.int().min(0).max(3600).describe('Seconds between two requests of a member; 0 for none').optional(),
		at_once: z.int().min(1).max(10).describe('Requests of one member that run at once; more wait').optional(),
	}),
	async run({ options, serverAdmin, show, t }) {
		const { time_zone: timeZone, notices: noticeChannel, log: logChannel, off } = options;
		const { cooldown: cooldownSeconds, at_once: atOnce } = options;
		const language = options.language && LANGUAGES[options.language];
		const given = Object.entries({
			timeZone,
			language,
			noticeChannel,
			logChannel,
			cooldownSeconds,
			atOnce,
		}).filter(([, value]) => value !== undefined);
		const without = off && { notices: 'noticeChannel' as const, log: 'logChannel' as const }[off];
		if (given.length > 0 || without)
			await serverAdmin.change('limits settings', (settings) => {
				const changed = { ...settings, ...Object.fromEntries(given) };
				if (without) delete changed[without];
				return changed;
			});
		return privately(ruleWords(t, await serverAdmin.settings(), show).join('\n'));
	},
});

function isTimeZone(name: string): boolean {
	try {
		return Boolean(Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)) && !/^[+-]/.test(name);
	} catch {
		return false;
	}
}
