import { expect, test } from 'vitest';
import { startOpenaiService } from '../packages/fakes/src/openai/openai-service.ts';
import { startWithService } from './harness/with-service.ts';

// What people see of transparent backgrounds is in `test/contract/backgrounds.ts`.
test('a service that would draw the words of an instruction gets none', async () => {
	const service = await startOpenaiService();
	const { ada: open } = startWithService(service, { SERVICE_PROFILE: 'easel', IMAGE_MODEL: 'gpt-image-2' });
	const ada = await open();
	const fox = { prompt: 'a fox', background: 'transparent' };
	await ada.does('/imagine', fox).sees({ text: /The background stayed/, pictures: 1 });
	const [sent] = service.requests.filter(({ path }) => path.startsWith('/v1/images/'));
	expect(JSON.parse(String(sent?.body))).toMatchObject({ prompt: 'a fox' });
	expect(String(sent?.body)).not.toContain('background');
});
