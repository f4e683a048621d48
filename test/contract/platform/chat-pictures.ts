import sharp from 'sharp';
import { describe, expect } from 'vitest';
import { answersChat } from '../../../packages/fakes/src/chat.ts';
import { pngFile } from '../../../packages/fakes/src/pictures.ts';
import { answers, type Behaviour, type RecordedRequest, smallPng } from '../../../packages/fakes/src/service.ts';
import { chatTest } from './chat-test.ts';
import type { ContractTest } from './contract-test.ts';

/** Answers the list of models, of which the chat model takes pictures or not, and every chat. */
const chatsSeeing =
	(...modalities: string[]): Behaviour =>
	(exchange) => {
		const model = { id: 'chat', object: 'model', architecture: { input_modalities: modalities } };
		return exchange.request.method === 'GET'
			? answers(200, JSON.stringify({ object: 'list', data: [model] }))(exchange)
			: answersChat('A fox.')(exchange);
	};

type Part = { type: string; text?: string; image_url?: { url: string } };

/** Returns the content of the last message of a request. */
const contentOf = (request: RecordedRequest | undefined): string | Part[] =>
	JSON.parse(String(request?.body)).messages.at(-1).content;

/** Returns the text that a request ends with, and the width and first colour of each picture. */
async function seenIn(request: RecordedRequest | undefined) {
	const [text, ...pictures] = contentOf(request) as Part[];
	const sizes = pictures.map(async ({ image_url: image }) => {
		const picture = sharp(Buffer.from(image?.url.split(',')[1] ?? '', 'base64'));
		const { width } = await picture.metadata();
		return [width, ...(await picture.removeAlpha().extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer())];
	});
	return { text: text?.text, pictures: await Promise.all(sizes) };
}

/** Tests questions about pictures, which the chat model answers. */
export function chatPictures(contractTest: ContractTest): void {
	const test = chatTest(contractTest);

	describe('a question about pictures in a chat thread', () => {
		test('is answered by a model that takes pictures, which sees them reduced and in order', async ({
			service,
			ada,
			usageToday,
			openThread,
			chatRequests,
		}) => {
			await openThread();
			service.always(chatsSeeing('text', 'image'));
			const large = { name: 'large.png', bytes: await smallPng('#ff0000', 2000, 1000) };
			await ada.says('What is in these?', [large, await pngFile('#0000ff')]).sees(/^A fox\.$/);
			const pictures = [
				[1536, 255, 0, 0],
				[8, 0, 0, 255],
			];
			expect(await seenIn(chatRequests().at(-1))).toEqual({ text: 'Ada: What is in these?', pictures });
			await ada.says('Which is larger?').sees(/^A fox\.$/);
			const { messages } = JSON.parse(String(chatRequests().at(-1)?.body)) as { messages: { content: unknown }[] };
			expect(
				messages.map(({ content }) => (typeof content === 'string' ? 'text' : (content as Part[]).length)),
			).toEqual(['text', 'text', 'text', 3, 'text', 'text']);
			expect(service.requests.filter(({ path }) => path.startsWith('/v1/images/'))).toEqual([]);
			expect(await usageToday()).toBe(0);
		});

		test('is answered from its text by a model that takes none, and the answer says so', async ({
			service,
			ada,
			openThread,
			chatRequests,
		}) => {
			await openThread();
			service.always(chatsSeeing('text'));
			await ada.says('What is this?', [await pngFile()]).sees(/^A fox\.\n+.*takes no pictures/);
			expect(contentOf(chatRequests().at(-1))).toBe('Ada: What is this? (with a picture that you do not see)');
		});
	});
}
