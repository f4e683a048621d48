import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A chat service for the relay's benchmark, by the first part of the path: `flood` sends 200,000 deltas as fast as they are read,
 * `stream` the same over ten seconds, `trickle` a short answer with a first delta at once. Sends its address to the parent process.
 */

const DELTAS = 200_000;
const STREAM_MS = 10_000;
const frame = (content: string) =>
	`data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** Words, sentences and paragraphs, as in an answer. */
const token = (index: number) =>
	index % 100 === 99 ? '\n\n' : index % 12 === 11 ? ` end${index % 10}.` : ` word${index % 10}`;
const frames = (from: number, to: number) =>
	Buffer.from(Array.from({ length: to - from }, (_, index) => frame(token(from + index))).join(''));

const STEPS = 500;
const blocks = Array.from({ length: STEPS }, (_, step) =>
	frames((step * DELTAS) / STEPS, ((step + 1) * DELTAS) / STEPS),
);
const DONE = 'data: [DONE]\n\n';
let lastTokenAt = 0n;

async function send(response: ServerResponse, ms: number): Promise<void> {
	const began = performance.now();
	for (const [step, block] of blocks.entries()) {
		const early = began + (step * ms) / STEPS - performance.now();
		if (early > 0) await pause(early);
		if (!response.write(block)) await new Promise((resolve) => response.once('drain', resolve));
	}
	lastTokenAt = process.hrtime.bigint();
	response.end(DONE);
}

async function trickle(response: ServerResponse): Promise<void> {
	for (let index = 0; index < 40; index++) {
		response.write(frame(token(index)));
		await pause(50);
	}
	response.end(DONE);
}

const server = createServer((request, response) => {
	request.resume();
	const scenario = request.url?.split('/')[1];
	if (scenario === 'last-token-at') return void response.end(String(lastTokenAt));
	response.writeHead(200, { 'content-type': 'text/event-stream' });
	if (scenario === 'trickle') return void trickle(response);
	void send(response, scenario === 'stream' ? STREAM_MS : 0);
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () =>
	process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
// The benchmark has ended.
process.on('disconnect', () => process.exit());
