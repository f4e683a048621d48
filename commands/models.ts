import { z } from 'zod';
import { defineCommand, privately } from '../src/bot/declaration/command.ts';

export const models = defineCommand({
	name: 'models',
	description: 'models.description',
	makes: 'answer',
	options: z.strictObject({}),
	async run({ service, signal, t }) {
		const ids = await service.models(signal);
		const hints = new Map(service.capabilities.models.map(({ id, hint }) => [id, hint]));
		const list = ids
			.map((id) => `- \`${id}\`${hints.get(id) ? `: ${t.declared(hints.get(id) ?? '')}` : ''}`)
			.join('\n');
		return privately(list ? `${t('models.list')}\n${list}` : t('models.none'));
	},
});
