import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { noise } from '../pictures.ts';
import { alternate, type Figures, start, stop, table } from '../runner.ts';
import { posted } from '../scenarios.ts';
import { bots } from './discord.ts';

export const description = `Eight compositions of three pictures of 10 MB at once, from the attachments on Discord to the body that the image service
receives, compared with a minimal bot on discord.js and openai. Every run in fresh processes, alternating rounds, medians.`;

const AT_ONCE = 8;
const ROUNDS = 5;
const PEERS = Object.keys(bots);

export async function run(): Promise<Record<string, Figures>> {
	const stub = await start<string>(fileURLToPath(import.meta.resolve('../peers/stub.ts')));
	const pictures = await Promise.all([1, 2, 3].map(() => noise()));
	try {
		const rows = await alternate(PEERS, ROUNDS, async (name) => {
			const fixture = await bots[name as keyof typeof bots](`${stub.message}/tiny`);
			try {
				return await measure(fixture, pictures);
			} finally {
				await fixture.close();
			}
		});
		console.log(`\n${table(rows, ['peak over idle, MB', 'CPU, s'])}`);
		return rows;
	} finally {
		await stop(stub.process);
	}
}

async function measure(
	{ bot, imagine, compose }: Awaited<ReturnType<(typeof bots)['easel']>>,
	pictures: readonly Buffer[],
): Promise<Figures> {
	// Some code is loaded for the first picture.
	await posted(imagine(AT_ONCE), 1);
	await pause(500);
	bot.resetPeak();
	const idle = bot.memory();
	const cpu = bot.cpu();
	const began = performance.now();
	const images = Object.fromEntries(pictures.map((bytes, at) => [`image${at + 1}`, { name: `${at + 1}.png`, bytes }]));
	for (const one of Array.from({ length: AT_ONCE }, (_, member) => compose(member, images))) await posted(one, 1);
	const ms = performance.now() - began;
	return { 'peak over idle, MB': bot.peak() - idle, 'CPU, s': bot.cpu() - cpu, 'all posted, ms': ms };
}
