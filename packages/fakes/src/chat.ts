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

/** A chat answer that a test streams piece by piece. */
export type StreamedAnswer = {
	behaviour: Behaviour;
	/** Sends a piece, once the request has arrived. */
	sends(text: string): Promise<void>;
	/** Completes the stream. */
	ends(): Promise<void>;
	/** Breaks the connection. */
	breaks(): Promise<void>;
	/** Resolves when the client aborts the request. */
	aborted: Promise<void>;
};

export function streamedAnswer(): StreamedAnswer {
	const { promise: requested, resolve } = Promise.withResolvers<ServerResponse>();
	const aborting = Promise.withResolvers<void>();
	return {
		async behaviour({ response, read }) {
			await read();
			response.on('close', () => !response.writableEnded && aborting.resolve());
			response.writeHead(200, HEAD).flushHeaders();
			resolve(response);
		},
		async sends(text) {
			(await requested).write(frame(text));
		},
		async ends() {
			(await requested).end('data: [DONE]\n\n');
		},
		async breaks() {
			(await requested).destroy();
		},
		aborted: aborting.promise,
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
