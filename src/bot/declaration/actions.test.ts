import { expect, test } from 'vitest';
import { MAX_ACTION_ID } from '../../domain/channel.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { ACTIONS, type ActionName, actionButton } from './actions.ts';

/** The longest delivery id that a platform may use. */
const MAX_DELIVERY_ID = 48;

test.each(Object.keys(ACTIONS) as ActionName[])('%s has room for the id of a job', (action) => {
	const { label } = ACTIONS[action];
	const subject = typeof label === 'string' ? 'x'.repeat(MAX_DELIVERY_ID) : (Object.keys(label).at(-1) ?? '');
	expect(actionButton(translatorFor(), action, subject).id.length).toBeLessThanOrEqual(MAX_ACTION_ID);
});

test('a button says what it does, in the language of the person', () => {
	expect(actionButton(translatorFor(), 'delete', 'job')).toEqual({
		id: 'delete:1:job',
		label: 'Delete',
		kind: 'danger',
	});
	expect(actionButton(translatorFor(), 'mentions', 'all')).toEqual({
		id: 'mentions:1:all',
		label: 'Answer everything',
	});
	expect(actionButton(translatorFor('de'), 'again', 'job').label).not.toBe('Again');
});
