import { z } from 'zod';
import { defineCommand, privately } from '../src/bot/declaration/command.ts';
import { inCode } from '../src/domain/text.ts';

/** Completions find the others by a part of their name. */
const MAX_LISTED = 200;

export const models = defineCommand({
	name: 'models',
	description: 'models.description',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ service, signal, t }) {
		const ids = await service.models(signal);
		const hints = new Map(service.capabilities.models.map(({ id, hint }) => [id, hint]));
		const list = ids
			.slice(0, MAX_LISTED)
			.map((id) => `- \`${inCode(id)}\`${hints.get(id) ? `: ${t.declared(hints.get(id) ?? '')}` : ''}`)
			.join('\n');
		if (list === '') return privately(t('models.none'));
		const more = ids.length - MAX_LISTED;
		return privately(`${t('models.list')}\n${more > 0 ? t('limits.rules.andMore', { list, more }) : list}`);
	},
});
