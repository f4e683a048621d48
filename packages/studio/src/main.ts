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
const { host = '127.0.0.1', port = '0', key: apiKey, images, help } = readArguments();
if (help) {
	process.stdout.write(HELP);
} else {
	const [portNumber, imagesPerMonth] = [wholeNumber('port', port), images && wholeNumber('images', images)];
	const { address } = await listen(
		createStudio({
			apiKey,
			...(typeof imagesPerMonth === 'number' && { imagesPerMonth }),
			report: (error) => console.error(error),
		}),
		{ host, port: portNumber },
	).catch((error: Error) => refuse(error.message));
	console.log(`The studio is at ${address}/v1`);
	// Threads that draw would go on.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
}

function readArguments() {
	try {
		return parseArgs({ options }).values;
	} catch (error) {
		return refuse((error as Error).message);
	}
}

function wholeNumber(name: string, value: string): number {
	return /^\d{1,9}$/.test(value) ? Number(value) : refuse(`--${name} must be a whole number.`);
}

function refuse(fault: string): never {
	console.error(fault);
	process.exit(64);
}
