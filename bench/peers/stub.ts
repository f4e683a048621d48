import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';

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

/** Answers by the first part of the path; `mixed` draws and chats. */
const bodies: Record<string, Buffer> = {
	tiny: imageResult(1, 4 * 1024),
	four: imageResult(4, 10 * MB),
	many: imageResult(1, 4 * MB),
};
const chats: Record<string, Buffer[]> = { flood: chat(200_000), short: chat(20) };

const server = createServer(async (request, response) => {
	await finished(request.resume());
	const { url = '' } = request;
	const path = url.split('/')[1] ?? '';
	const name = path !== 'mixed' ? path : url.endsWith('/chat/completions') ? 'short' : 'tiny';
	const [body, answer] = [bodies[name], chats[name]];
	if (body) {
		response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
		return void response.end(body);
	}
	response.writeHead(answer ? 200 : 404, { 'content-type': 'text/event-stream' });
	for (const block of answer ?? [])
		if (!response.write(block)) await new Promise((resolve) => response.once('drain', resolve));
	response.end();
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
// The benchmark has ended.
process.on('disconnect', () => process.exit());
