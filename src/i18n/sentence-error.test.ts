import { pino } from 'pino';
import { expect, test } from 'vitest';
import { errorMessageOf } from '../bot/messages/error-messages.ts';
import { PlatformRefusedError, SentenceError, translatorFor } from './translator.ts';

test('a refusal has its sentence in the language of the person', () => {
	const refused = new PlatformRefusedError('policy.moderators', { command: '/limits' });
	expect(refused.messageIn(translatorFor('en-GB'))).toBe('Only moderators can use /limits.');
	expect(refused.message).toBe('Only moderators can use /limits.');
});

test('a refusal may have a further sentence, in each language', () => {
	const refused = new SentenceError('policy.words').and('errors.cost.none');
	expect(refused.message).toMatch(/banned.* Nothing was counted\.$/);
	const t = translatorFor('de');
	expect(refused.messageIn(t)).toBe(`${t('policy.words')} ${t('errors.cost.none')}`);
});

test('a refusal is shown as it is, without a reference to the log', () => {
	const refused = new PlatformRefusedError('policy.moderators', { command: '/limits' });
	expect(errorMessageOf(translatorFor('en'), refused, 'free', pino({ level: 'silent' }))).toEqual({
		text: 'Only moderators can use /limits.',
		again: false,
	});
});
