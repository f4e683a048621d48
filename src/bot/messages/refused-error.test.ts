import { pino } from 'pino';
import { expect, test } from 'vitest';
import { translatorFor } from '../../i18n/translator.ts';
import { errorMessageOf } from './error-messages.ts';
import { PlatformRefusedError } from './refused-error.ts';

test('a refusal has its sentence in the language of the person', () => {
	const refused = new PlatformRefusedError('policy.moderators', { command: '/limits' });
	expect(refused.messageIn(translatorFor('en-GB'))).toBe('Only moderators can use /limits.');
	expect(refused.message).toBe('Only moderators can use /limits.');
});

test('a refusal is shown as it is, without a reference to the log', () => {
	const refused = new PlatformRefusedError('policy.moderators', { command: '/limits' });
	expect(errorMessageOf(translatorFor('en'), refused, 'free', pino({ level: 'silent' }))).toEqual({
		text: 'Only moderators can use /limits.',
		again: false,
	});
});
