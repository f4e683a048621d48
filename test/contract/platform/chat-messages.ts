import { describe, expect } from 'vitest';
import { answersChat, chatOf } from '../../../packages/fakes/src/chat.ts';
import { pngFile } from '../../../packages/fakes/src/pictures.ts';
import { answersPictures, smallPng } from '../../../packages/fakes/src/service.ts';
import { AFTER, chatTest } from './chat-test.ts';
import type { ContractTest } from './contract-test.ts';
import { expectContained, expectInOrder } from './request-body.ts';

/** Tests which messages are answered in threads and channels, and those that ask for pictures. */
export function chatMessages(contractTest: ContractTest): void {
	const test = chatTest(contractTest);

	describe('a message in a chat thread', () => {
		test('is not answered when it addresses somebody else', async ({
			service,
			ada,
			bjorn,
			openThread,
			chatRequests,
			conversation,
		}) => {
			await openThread();
			await ada.says('@Björn did you know that?');
			service.next(answersChat('Good.'));
			await bjorn.says('I did.').sees(/Good/);
			const his = (await ada.looks()).find(({ text }) => text === 'I did.');
			if (!his) throw new Error('The message is not there');
			await ada.replies(his, 'So you say.');
			service.next(answersChat('I am here.'));
			await ada.says('@Easel and you?').sees(/I am here/);
			expect(chatRequests()).toHaveLength(3);
			expect(conversation()).not.toMatch(/did you know|So you say/);
			expect(conversation()).toMatch(/I did/);
		});

		test('is answered only with a mention in a thread that is set so', async ({
			service,
			ada,
			bjorn,
			openThread,
			chatRequests,
			lastPrompt,
		}) => {
			await openThread({ prompt: 'Tell me of foxes', mentions_only: true });
			const opening = await ada.finds({
				text: /I answer every message here that mentions me/,
				buttons: ['Answer everything'],
			});
			await bjorn.says('They are lovely.');
			service.next(answersChat('They are.'));
			await ada.says('@Easel are they?').sees(/^They are\.$/);
			expect(chatRequests()).toHaveLength(2);
			expect(lastPrompt()).toMatch(/^Björn: They are lovely\.\n\nAda: .*are they\?$/);
			await ada.presses('Answer everything', opening).sees(/I answer every message/);
			service.next(answersChat('Indeed.'));
			await bjorn.says('And clever.').sees(/Indeed/);
		});

		test('is sent to the model as it was edited, and not once it is deleted', async ({
			service,
			ada,
			openThread,
			conversation,
		}) => {
			await openThread();
			service.next(answersChat('I see.'));
			const first = await ada.says('My number is 12345.').sees(/I see/);
			const own = (await ada.looks()).find(({ text }) => text.includes('12345'));
			if (!own) throw new Error('The message is not there');
			await ada.rewrites(own, 'My number is a secret.');
			service.next(answersChat('All right.'));
			await ada.says('And forget me not.').sees(/All right/);
			expect(conversation()).toMatch(/number is a secret/);
			expect(conversation()).not.toMatch(/12345/);
			await ada.erases(own);
			service.next(answersChat('Well.'));
			await ada.says('What is my number?').sees(/Well/);
			expect(conversation()).not.toMatch(/secret/);
			expect(first.text).toBe('I see.');
		});

		test('is not read in other threads, until the bot is mentioned there', async ({
			service,
			ada,
			chatRequests,
			conversation,
		}) => {
			await ada.says('A quiet word among us');
			const message = await ada.finds(/quiet word/);
			await ada.startsThread(message);
			await ada.says('Nobody else is here.');
			service.next(answersChat('Now I am.'));
			await ada.says('@Easel come in!').sees(/Now I am/);
			expect(chatRequests()).toHaveLength(1);
			expect(conversation()).toMatch(/Ada: come in!$/);
			service.next(answersChat('Yes.'));
			await ada.says('Still here?').sees(/^Yes\.$/);
		});

		test('makes pictures of "draw …", of a picture with an instruction, and of an answer', async ({
			service,
			ada,
			bjorn,
			usageToday,
			openThread,
			lastPrompt,
		}) => {
			const answer = await openThread();
			const png = await smallPng('#c0392b');
			service.always(answersPictures(png));
			await ada.says('draw a red fox in the snow').sees({ text: /a red fox in the snow/, pictures: 1 });
			await ada.says('make it night', [await pngFile()]).sees({ text: /AI-generated.*/, pictures: 1 });
			await bjorn.presses('Draw this', answer).sees({ text: /Foxes are small and red.*for Björn/s, pictures: 1 });
			await ada.says('', [await pngFile()]).sees(/Say what to do with the picture/);
			expect(service.requests.slice(1).map(({ path }) => path)).toEqual([
				'/v1/images/generations',
				'/v1/images/edits',
				'/v1/images/generations',
			]);
			expect(JSON.parse(String(service.requests[1]?.body))).toMatchObject({ prompt: 'a red fox in the snow' });
			expect(await usageToday()).toBe(2);
			service.next(answersChat('Nice.'));
			await ada.says('How is it?').sees(/Nice/);
			expect(lastPrompt()).toMatch(/draw a red fox/);
		});

		test('draws what plain words ask for, and what “Draw this” is pressed for', async ({
			service,
			ada,
			openThread,
		}) => {
			await openThread();
			service.always(answersPictures(await smallPng()));
			for (const [said, prompt] of [
				['can you make me a picture of a castle?', 'a castle'],
				['zeichne bitte einen Hund', 'einen Hund'],
				['猫の絵を描いてください', '猫'],
				['请帮我画一只戴帽子的猫', '一只戴帽子的猫'],
			] as const) {
				await ada.says(said).sees({ text: new RegExp(prompt), pictures: 1 });
				expect(JSON.parse(String(service.requests.at(-1)?.body))).toMatchObject({ prompt });
			}
			service.next(answersChat('A castle on a hill, I see.'));
			const answer = await ada.says('a castle on a hill').sees({ text: /I see/, buttons: AFTER });
			await ada.presses('Draw this', answer).sees({ pictures: 1 });
			expect(JSON.parse(String(service.requests.at(-1)?.body))).toMatchObject({ prompt: 'a castle on a hill' });
		});

		test('draws an item of a numbered answer', async ({ service, ada, openThread }) => {
			await openThread();
			service.next(answersChat('Two ideas:\n\n1. A fox in the snow\n2. **A boat** at night'));
			await ada.says('Give me ideas!').sees(/at night/);
			service.next(answersPictures(await smallPng()));
			await ada.says('draw the second one').sees({ text: /A boat at night/, pictures: 1 });
			expect(JSON.parse(String(service.requests.at(-1)?.body))).toMatchObject({ prompt: 'A boat at night' });
			await ada.says('draw number 7').sees(/no answer here with such an item/);
		});

		test('changes the picture right above it, and leaves talk as talk', async ({ service, ada, openThread }) => {
			await openThread();
			const [first, second] = [await smallPng('#16a085'), await smallPng('#8e44ad')];
			service.next(answersPictures(first), answersPictures(second));
			await ada.says('draw a sunset size:wide').sees({ text: /a sunset\*{0,2}\n/, pictures: 1 });
			expectContained(service.requests.at(-1), Buffer.from('1792x1024'));
			await ada.says('make it night').sees({ text: /make it night.*for Ada/s, pictures: 1 });
			expect(service.requests.at(-1)?.path).toBe('/v1/images/edits');
			expectContained(service.requests.at(-1), first);
			service.next(answersChat('A list of colours.'), answersChat('Indeed.'));
			await ada.says('make a list of its colours').sees(/A list of colours/);
			await ada.says('without a doubt').sees(/Indeed/);
			expect(service.requests.filter(({ path }) => path.includes('/images/'))).toHaveLength(2);
			service.next(answersChat('It could.'), answersPictures(first));
			const answer = await ada.says('could it be darker?').sees({ text: /It could/, buttons: AFTER });
			await ada.presses('Draw this', answer).sees({ text: /could it be darker.*for Ada/s, pictures: 1 });
			expect(service.requests.at(-1)?.path).toBe('/v1/images/edits');
			expectContained(service.requests.at(-1), second);
			await ada.says('Nice! One more').sees({ text: /could it be darker.*for Ada · again from/s, pictures: 1 });
			expectContained(service.requests.at(-1), second);
		});
	});

	describe('a reply to a picture, with a mention', () => {
		test('edits the picture that it names, and composes it with those that it brings', async ({
			service,
			composePath,
			ada,
			chatRequests,
		}) => {
			const pngs = [await smallPng('#111111'), await smallPng('#eeeeee')];
			service.next(answersPictures(...pngs));
			const result = await ada.does('/imagine', { prompt: 'dots', n: 2 }).sees({ pictures: 2 });
			await ada.replies(result, '@Easel make it night');
			// On Slack, a reply is in the thread of its message.
			const [thread] = await ada.threads();
			if (thread) ada.goesTo(thread.id);
			await ada.finds(/This result has 2 pictures/);
			expect(service.requests).toHaveLength(1);
			await ada.replies(result, '@Easel make the second one larger');
			await ada.finds({ text: /make the second one larger.*for Ada/s, pictures: 1 });
			expect(service.requests[1]?.path).toBe('/v1/images/edits');
			expectContained(service.requests[1], pngs[1] as Buffer);

			const file = await pngFile('#c0392b');
			await ada.replies(result, '@Easel put picture 1 beside this', [file]);
			await ada.finds({ text: /put picture 1 beside this.*for Ada/s, pictures: 1 });
			expect(service.requests[2]?.path).toBe(composePath);
			expectInOrder(service.requests[2], pngs[0] as Buffer, file.bytes);
			expect(chatRequests()).toEqual([]);
		});

		test('changes the latest picture of the channel without one, by a plain instruction', async ({
			service,
			ada,
			chatRequests,
		}) => {
			await ada.does('/imagine', { prompt: 'a lighthouse' }).sees({ pictures: 1 });
			await ada.says('@Easel make it a sunny day').sees({ text: /make it a sunny day.*for Ada/s, pictures: 1 });
			expect(service.requests.at(-1)?.path).toBe('/v1/images/edits');
			expect(chatRequests()).toEqual([]);
		});

		test('is answered in words where it thanks or asks for a description', async ({ service, ada, shareMessage }) => {
			const message = await shareMessage('my drawing', await pngFile('#7f8c8d'));
			service.always(answersChat('A grey square, drawn with care.'));
			await ada.replies(message, '@Easel describe this');
			await ada.enters(/describe this|my drawing/);
			await ada.finds(/^A grey square/);
			const paid = service.requests.filter(({ path }) => path.startsWith('/v1/images'));
			expect(paid).toEqual([]);
		});

		test.for<[says: string, answer: RegExp]>([
			['please delete this picture', /press \*{0,2}Delete\*{0,2} below it/],
			['undo', /reply to that/],
			['another one', /I know nothing about this picture/],
		])('%s to a picture of nobody buys nothing', async ([says, answer], { service, ada, shareMessage }) => {
			const message = await shareMessage('my drawing', await pngFile('#7f8c8d'));
			await ada.replies(message, `@Easel ${says}`);
			for (const { id } of await ada.threads()) ada.goesTo(id);
			await ada.finds(answer);
			expect(service.requests).toEqual([]);
		});

		test('repeats the request of a result for another one like it', async ({ service, ada, bjorn, chatRequests }) => {
			const result = await ada.does('/imagine', { prompt: 'a pond', size: 'wide' }).sees({ pictures: 1 });
			await bjorn.replies(result, '@Easel another one please!');
			const [thread] = await bjorn.threads();
			if (thread) bjorn.goesTo(thread.id);
			await bjorn.finds({ text: /a pond.*for Björn · again from/s, pictures: 1 });
			expect(service.requests[1]?.body).toEqual(service.requests[0]?.body);
			expect(chatRequests()).toEqual([]);
		});

		test('edits the picture of another person', async ({ service, ada, bjorn, shareMessage }) => {
			const file = await pngFile('#7f8c8d');
			await bjorn.replies(await shareMessage('my drawing', file), '@Easel ink it');
			const [thread] = await bjorn.threads();
			for (const person of [ada, bjorn]) if (thread) person.goesTo(thread.id);
			await ada.finds({ text: /ink it.*for Björn/s, pictures: 1 });
			expectContained(service.requests[0], file.bytes);
		});
	});

	describe('help', () => {
		test('comes for a command, a mention, and as the only word of a prompt, and buys nothing', async ({
			service,
			ada,
			bjorn,
		}) => {
			const shown = await bjorn.does('/help').sees({ text: /what I can do.*`\/imagine` .a red fox/s, private: true });
			expect(shown.buttons).toEqual(['Draw a red fox', 'Ask for ideas', 'My pictures', 'What is left']);
			await bjorn.presses('What is left', shown).sees({ text: /You today: 0/, private: true });
			await ada.does('/help').sees({ text: /`\/limits set`/, private: true });
			const about = await bjorn.does('/imagine', { prompt: 'Help' }).sees({ text: /^`\/imagine`:/, private: true });
			expect(about.text).toMatch(/`prompt` \(required\):/);
			for (const word of ['help', '?', 'Hilfe']) await bjorn.says(`@Easel ${word}`).sees(/what I can do/);
			expect(await bjorn.threads()).toHaveLength(0);
			expect(service.requests).toEqual([]);
			await bjorn.presses('Draw a red fox', shown).sees({ text: /a red fox in the snow.*for Björn/s, pictures: 1 });
		});
	});

	describe('a command that is written as words after a mention', () => {
		test('makes its picture, runs, or says where to type it, and buys no answer', async ({ service, ada }) => {
			await ada.says('@Easel /usage').sees(/^`\/usage` came as words|You today/);
			await ada.says('@Easel `/edit make it night`', [await pngFile('#7f8c8d')]);
			await service.arrived(1);
			for (const { id } of await ada.threads()) ada.goesTo(id);
			await ada.finds({ text: /make it night/, pictures: 1 });
			expect(service.requests.map(({ path }) => path)).toEqual(['/v1/images/edits']);
		});
	});

	describe('a mention of the bot in a channel', () => {
		test('opens a thread and is answered there', async ({ service, ada, bjorn }) => {
			service.next(answersChat('Small and red.'));
			await ada.says('@Easel what are foxes like?');
			await ada.enters(/what are foxes like/);
			await ada.finds(/Small and red/);
			await ada.finds({ text: /I answer every message here/, private: false });
			await bjorn.enters(/what are foxes like/);
			service.next(answersChat('Mostly mice.'));
			await bjorn.says('What do they eat?').sees(/Mostly mice/);
			expect(chatOf(service.requests[1]).messages.map(({ content }) => content)).toEqual([
				'Ada: what are foxes like?',
				'Small and red.',
				'Björn: What do they eat?',
			]);
		});

		test('makes the requested picture in its thread', async ({ service, ada }) => {
			await ada.says('@Easel draw a red fox');
			await ada.enters(/draw a red fox/);
			await ada.finds({ text: /a red fox/, pictures: 1 });
			expect(service.requests.map(({ path }) => path)).toEqual(['/v1/images/generations']);
		});

		test('lists the commands when it says nothing else', async ({ service, ada }) => {
			const help = await ada.says('@Easel').sees(/what I can do/);
			for (const command of ['/imagine', '/edit', '/compose', '/usage', '/models'])
				expect(help.text).toContain(command);
			expect(await ada.threads()).toEqual([]);
			expect(service.requests).toEqual([]);
		});
	});
}
