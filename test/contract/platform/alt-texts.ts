import { describe, expect } from 'vitest';
import { answersChat } from '../../../packages/fakes/src/chat.ts';
import { answers, answersPictures, type Behaviour, smallPng } from '../../../packages/fakes/src/service.ts';
import type { ContractTest } from './contract-test.ts';

/** Answers requests for pictures with one, the list of models with one that sees pictures, and chats as given. */
const drawsAndChats = (png: Uint8Array, chats: Behaviour): Behaviour => {
	const model = { id: 'chat', object: 'model', architecture: { input_modalities: ['text', 'image'] } };
	return (exchange) => {
		const { method, path } = exchange.request;
		if (method === 'GET') return answers(200, JSON.stringify({ object: 'list', data: [model] }))(exchange);
		return (path.includes('/chat/') ? chats : answersPictures(png))(exchange);
	};
};

/** Tests alt texts that say what a result shows, where the operator wants them. */
export function altTexts(test: ContractTest): void {
	describe('the alt text of a result', () => {
		test('says what it shows, in the language of its requester', async ({ service, harness, ada, usageToday }) => {
			await harness.restart({ altText: 'describe' });
			service.always(drawsAndChats(await smallPng('#e67e22'), answersChat('An orange fox sleeps\nunder a tree.')));
			const result = await ada.does('/imagine', { prompt: 'fox pls' }).sees({ text: /fox pls/, pictures: 1 });
			expect(result.pictures[0]?.alt).toBe('An orange fox sleeps under a tree.');
			const asked = service.requests.find(({ path }) => path.includes('/chat/'));
			expect(String(asked?.body)).toMatch(/one plain sentence, in English.*data:image\/png/s);
			expect(await usageToday()).toBe(1);
		});

		test('is the prompt where the description fails, is no sentence, or breaks a rule', async ({
			service,
			harness,
			ada,
		}) => {
			await harness.restart({ altText: 'describe' });
			await ada.does('/limits ban', { words: 'weasel' }).sees(/Banned words: 1/);
			const png = await smallPng('#2980b9');
			for (const chats of [answersChat('A weasel runs.'), answersChat('On and on. '.repeat(60)), answers(500, '{}')]) {
				service.always(drawsAndChats(png, chats));
				const result = await ada.does('/imagine', { prompt: 'a stoat' }).sees({ text: /a stoat/, pictures: 1 });
				expect(result.pictures[0]?.alt).toBe('a stoat');
			}
		});

		test('is changed by its requester, in the message and wherever the result is shown again', async ({
			service,
			harness,
			ada,
			bjorn,
			usageToday,
		}) => {
			await harness.restart({ altText: 'describe' });
			service.always(drawsAndChats(await smallPng('#8e44ad'), answersChat('A cat on a mat.')));
			const result = await bjorn.does('/imagine', { prompt: 'a fox' }).sees({ text: /a fox/, pictures: 1 });
			const form = await bjorn.presses('Alt text', result).opens('Alt text');
			expect(form.values).toEqual({ alt_text: 'A cat on a mat.' });
			await bjorn
				.fillsIn(form, { alt_text: 'A fox\non a mat.' })
				.sees({ text: /^The alt text is changed\.$/, private: true });
			const changed = await ada.finds({ text: /a fox/, pictures: 1 });
			expect(changed).toMatchObject({ id: result.id, text: result.text, buttons: result.buttons });
			expect(changed.pictures).toMatchObject([{ alt: 'A fox on a mat.', bytes: result.pictures[0]?.bytes }]);
			const list = await bjorn.does('/history').sees(/a fox/);
			const again = await bjorn.presses('1', list).sees({ pictures: 1, private: true });
			expect(again.pictures[0]?.alt).toBe('A fox on a mat.');
			expect(await usageToday()).toBe(0);
		});

		test('is changed by nobody else but a moderator, within the rules of the server', async ({
			service,
			harness,
			ada,
			bjorn,
		}) => {
			await harness.restart({ altText: 'describe' });
			await ada.does('/limits ban', { words: 'weasel' }).sees(/Banned words: 1/);
			service.always(drawsAndChats(await smallPng('#8e44ad'), answersChat('A cat on a mat.')));
			const own = await ada.does('/imagine', { prompt: 'a pond' }).sees({ text: /a pond/, pictures: 1 });
			const refusal = { text: /^Only the person who asked for this picture, or a moderator,/, private: true };
			await bjorn.presses('Alt text', own).sees(refusal);
			const result = await bjorn.does('/imagine', { prompt: 'a lake' }).sees({ text: /a lake/, pictures: 1 });
			const form = await ada.presses('Alt text', result).opens('Alt text');
			const refused = await ada
				.fillsIn(form, { alt_text: 'A weasel.' })
				.sees({ text: /moderators have banned/, private: true });
			const repeated = await ada.presses('Try again', refused).opens('Alt text');
			expect(repeated.values).toEqual({ alt_text: 'A weasel.' });
			await ada.fillsIn(repeated, { alt_text: 'A stoat.' }).sees(/^The alt text is changed\.$/);
			expect((await bjorn.finds({ text: /a lake/, pictures: 1 })).pictures[0]?.alt).toBe('A stoat.');
		});

		test('of several pictures is changed for each, and is the prompt where it is empty', async ({
			service,
			harness,
			ada,
		}) => {
			await harness.restart({ altText: 'describe' });
			const pngs = await Promise.all([smallPng('#111111'), smallPng('#eeeeee')]);
			const draws = drawsAndChats(pngs[0] as Buffer, answersChat('A dot.'));
			service.always((exchange) =>
				(exchange.request.path.includes('/images/') ? answersPictures(...pngs) : draws)(exchange),
			);
			const result = await ada.does('/imagine', { prompt: 'dots', n: 2 }).sees({ pictures: 2 });
			const form = await ada.presses('Alt text', result).opens('Alt text');
			expect(form.values).toEqual({ 1: 'A dot.', 2: 'A dot.' });
			await ada.fillsIn(form, { 1: '', 2: 'A pale dot.' }).sees(/^The alt text is changed\.$/);
			const { pictures } = await ada.finds({ text: /dots/, pictures: 2 });
			expect(pictures.map(({ alt }) => alt)).toEqual(['dots (1 of 2)', 'A pale dot. (2 of 2)']);
		});

		test('has no button where it is the prompt', async ({ ada }) => {
			const { buttons } = await ada.does('/imagine', { prompt: 'a pond' }).sees({ text: /a pond/, pictures: 1 });
			expect(buttons).not.toContain('Alt text');
		});
	});
}
