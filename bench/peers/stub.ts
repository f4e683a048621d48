import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A stub of the image service: prepared answers, by the first part of the path. Sends its address to the parent process.
 */

const MB = 1024 * 1024;
const PNG_HEADER = Buffer.from('89504e470d0a1a0a0000000d49484452000004000000040008020000', 'hex');

/** A valid header and noise: the clients do not decode pixels. */
function picture(bytes: number): string {
	const noise = Buffer.alloc(bytes);
	for (let at = 0; at + 4 <= bytes; at += 4) noise.writeUInt32LE((Math.random() * 2 ** 32) >>> 0, at);
	PNG_HEADER.copy(noise);
	return noise.toString('base64');
}

function imageResult(count: number, bytes: number): Buffer {
	const data = Array.from({ length: count }, () => ({ b64_json: picture(bytes) }));
	return Buffer.from(JSON.stringify({ created: 1_760_000_000, data }));
}

function chat(deltas: number): Buffer[] {
	const frame = (delta: object) =>
		`data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })}\n\n`;
	const text = Buffer.from(
		`${Array.from({ length: deltas }, (_, i) => frame({ content: ` word${i % 10}` })).join('')}data: [DONE]\n\n`,
	);
	const block = 64 * 1024;
	return Array.from({ length: Math.ceil(text.length / block) }, (_, i) => text.subarray(i * block, (i + 1) * block));
}

const bodies: Record<string, Buffer> = {
	tiny: imageResult(1, 4 * 1024),
	one: imageResult(1, 2 * MB),
	four: imageResult(4, 10 * MB),
	many: imageResult(1, 4 * MB),
};
const deltas = chat(200_000);
const shortAnswer = chat(20);

/** Forty deltas in two seconds, the first at once. */
async function trickle(response: ServerResponse): Promise<void> {
	for (const block of Buffer.concat(chat(40))
		.toString()
		.split(/(?<=\n\n)/)) {
		response.write(block);
		await pause(50);
	}
	response.end();
}

const server = createServer(async (request, response) => {
	await finished(request.resume());
	const { url = '' } = request;
	const path = url.split('/')[1] ?? '';
	const scenario = path === 'mixed' ? (url.endsWith('/chat/completions') ? 'short-chat' : 'tiny') : path;
	const body = bodies[scenario];
	const answer = { chat: deltas, flood: deltas, 'short-chat': shortAnswer }[scenario];
	if (scenario === 'trickle') {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		return trickle(response);
	}
	if (answer) {
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		for (const block of answer)
			if (!response.write(block)) await new Promise((resolve) => response.once('drain', resolve));
		return void response.end();
	}
	if (!body) return void response.writeHead(404).end();
	response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
	response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
// The benchmark has ended.
process.on('disconnect', () => process.exit());
