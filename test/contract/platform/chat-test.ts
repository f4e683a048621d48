import { answersChat, chatOf } from '../../../packages/fakes/src/chat.ts';
import type { RecordedRequest } from '../../../packages/fakes/src/service.ts';
import type { SeenMessage } from '../../../packages/fakes/src/test-user.ts';
import type { ContractTest } from './contract-test.ts';

/** The buttons of a finished answer. */
export const AFTER = ['Retry', 'Draw this', 'Forget'];

type ChatFixtures = {
	/** Opens a thread about foxes with both people in it. Returns its first answer. */
	openThread: (options?: Record<string, string | boolean>) => Promise<SeenMessage>;
	/** Returns the requests for chat completions. */
	chatRequests: () => RecordedRequest[];
	/** Returns the last message of the last request. */
	lastPrompt: () => string | undefined;
	/** Returns all messages of the last request, one a line. */
	conversation: () => string;
};

/** Adds fixtures for chat threads. */
export const chatTest = (test: ContractTest) =>
	test.extend<ChatFixtures>({
		openThread: ({ service, ada, bjorn }, use) =>
			use(async (options = { prompt: 'Tell me of foxes' }) => {
				service.next(answersChat('Foxes are small and red.'));
				await ada.does('/chat', options);
				for (const person of [ada, bjorn]) await person.enters(/foxes/);
				return ada.finds({ text: /small and red/, buttons: AFTER });
			}),
		chatRequests: ({ service }, use) =>
			use(() => service.requests.filter(({ path }) => path === '/v1/chat/completions')),
		lastPrompt: ({ chatRequests }, use) => use(() => chatOf(chatRequests().at(-1)).messages.at(-1)?.content),
		conversation: ({ chatRequests }, use) =>
			use(() =>
				chatOf(chatRequests().at(-1))
					.messages.map(({ content }) => content)
					.join('\n'),
			),
	});
