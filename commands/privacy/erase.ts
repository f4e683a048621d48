import { z } from 'zod';
import { actionButton } from '../../src/bot/declaration/actions.ts';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';

export const privacyErase = defineCommand({
	name: 'privacy erase',
	description: 'privacy.erase.description',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ privacy, t }) {
		const { subject, minutes } = privacy.confirmation();
		return { ...privately(t('privacy.erase.confirm', { minutes })), buttons: [actionButton(t, 'erase', subject)] };
	},
});
