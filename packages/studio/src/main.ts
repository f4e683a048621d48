#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { createStudio } from './app.ts';
import { listen } from './listen.ts';

const HELP = `easel-studio [--host ADDRESS] [--port NUMBER] [--key KEY] [--images NUMBER]

Starts a stand-in for an images API. Pictures are drawn by rules; the same words give the same pictures.

  --host    address to listen at; default 127.0.0.1
  --port    port to listen at; 0 takes a free one (default)
  --key     the bearer key that is required; any key by default
  --images  calls until the plan is used up and the answer is 402; unlimited by default
`;

const text = { type: 'string' } as const;
const options = { host: text, port: text, key: text, images: text, help: { type: 'boolean', short: 'h' } } as const;
try {
	const { host = '127.0.0.1', port = '0', key: apiKey, images, help } = parseArgs({ options }).values;
	if (help) process.stdout.write(HELP);
	else {
		const imagesPerMonth = images === undefined ? undefined : wholeNumber('images', images);
		const studio = createStudio({ apiKey, imagesPerMonth, report: (error) => console.error(error) });
		const { address } = await listen(studio, { host, port: wholeNumber('port', port) });
		console.log(`The studio is at ${address}/v1`);
		// Threads that draw would go on.
		for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
	}
} catch (error) {
	console.error((error as Error).message);
	process.exit(64);
}

function wholeNumber(name: string, value: string): number {
	if (/^\d{1,9}$/.test(value)) return Number(value);
	throw new Error(`--${name} must be a whole number.`);
}
