import type { ServerResponse } from 'node:http';
import type { Behaviour, RecordedRequest } from './service.ts';

const HEAD = { 'content-type': 'text/event-stream; charset=utf-8' };

const frame = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** Answers a chat request with this text, word by word. */
export function answersChat(text: string): Behaviour {
	return async ({ response, read }) => {
		await read();
		response.writeHead(200, HEAD);
		for (const word of text.match(/\s*\S+|\s+$/g) ?? []) response.write(frame(word));
		response.end('data: [DONE]\n\n');
	};
}

/** A chat answer that comes as the test says it. */
export type ToldAnswer = {
	behaviour: Behaviour;
	/** More of it. Waits until it is asked for. */
	says(text: string): Promise<void>;
	/** It is whole. */
	ends(): Promise<void>;
	/** The connection breaks. */
	breaks(): Promise<void>;
	/** Resolves when whoever asked has gone before the end. */
	left: Promise<void>;
};

export function toldAnswer(): ToldAnswer {
	const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
	const leaving = Promise.withResolvers<void>();
	return {
		async behaviour({ response, read }) {
			await read();
			response.on('close', () => !response.writableEnded && leaving.resolve());
			response.writeHead(200, HEAD).flushHeaders();
			resolve(response);
		},
		async says(text) {
			(await asked).write(frame(text));
		},
		async ends() {
			(await asked).end('data: [DONE]\n\n');
		},
		async breaks() {
			(await asked).destroy();
		},
		left: leaving.promise,
	};
}

/** What was sent to the model. */
export function chatOf(request: RecordedRequest | undefined): {
	model: string;
	system: string;
	/** `user` and `assistant` in turn. */
	said: { role: string; content: string }[];
} {
	const { model, messages } = JSON.parse(String(request?.body)) as {
		model: string;
		messages: { role: string; content: string }[];
	};
	const [system, ...said] = messages;
	return { model, system: system?.content ?? '', said };
}
