import { z } from 'zod';
import { defineCommand, privately } from '../../src/bot/declaration/command.ts';

export const privacyExport = defineCommand({
	name: 'privacy export',
	description: 'privacy.export.description',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ privacy, t }) {
		const exported = await privacy.export();
		if (exported === 'too soon') return privately(t('privacy.later'));
		const { bytes, pictures, omitted } = exported;
		const text = t('privacy.export.here', { pictures, omitted });
		return { ...privately(text), files: [{ name: 'easel-data.zip', bytes }] };
	},
});
