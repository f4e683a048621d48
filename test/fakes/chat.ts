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
export type StreamedAnswer = {
	behaviour: Behaviour;
	/** More of it. Waits until it is asked for. */
	sends(text: string): Promise<void>;
	/** It is whole. */
	ends(): Promise<void>;
	/** The connection breaks. */
	breaks(): Promise<void>;
	/** Resolves when whoever asked has gone before the end. */
	aborted: Promise<void>;
};

export function streamedAnswer(): StreamedAnswer {
	const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
	const leaving = Promise.withResolvers<void>();
	return {
		async behaviour({ response, read }) {
			await read();
			response.on('close', () => !response.writableEnded && leaving.resolve());
			response.writeHead(200, HEAD).flushHeaders();
			resolve(response);
		},
		async sends(text) {
			(await asked).write(frame(text));
		},
		async ends() {
			(await asked).end('data: [DONE]\n\n');
		},
		async breaks() {
			(await asked).destroy();
		},
		aborted: leaving.promise,
	};
}

/** Reads a request for a chat completion. */
export function chatOf(request: RecordedRequest | undefined): {
	model: string;
	system: string;
	/** Of the roles `user` and `assistant`. */
	messages: { role: string; content: string }[];
} {
	const { model, messages } = JSON.parse(String(request?.body)) as ReturnType<typeof chatOf>;
	const [system, ...others] = messages;
	return { model, system: system?.content ?? '', messages: others };
}
