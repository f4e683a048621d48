import { fileURLToPath } from 'node:url';
import { alternate, type Figures, start, stop, table } from '../runner.ts';

export const description = `The client of the image service compared with the openai SDK and with fetch + JSON.parse + Buffer.from: same stub server in a
process of its own, every run in a fresh process after a first small picture, alternating rounds, medians. Peak: resident memory over the idle process.
CPU: user and system. Last byte: until the caller has every picture's bytes, or all of the text.`;

const ROUNDS = 7;
const PEERS = ['openai', 'fetch', 'easel'];

const SCENARIOS: Record<string, string> = {
	one: 'One 2 MB picture',
	four: 'Four 10 MB pictures in one answer',
	many: '32 at once, one 4 MB picture each, written to files as they come',
	chat: 'A chat stream of 200,000 small deltas',
};

export async function run(): Promise<Record<string, Record<string, Figures>>> {
	const stub = await start<string>(fileURLToPath(import.meta.resolve('../peers/stub.ts')));
	const peer = fileURLToPath(import.meta.resolve('../peers/client.ts'));
	const results: Record<string, Record<string, Figures>> = {};
	try {
		for (const [scenario, title] of Object.entries(SCENARIOS)) {
			const rows = await alternate(PEERS, ROUNDS, async (name) => {
				const { process, message } = await start<Figures>(peer, name, scenario, stub.message);
				await stop(process);
				return message;
			});
			results[scenario] = rows;
			console.log(`\n## ${title}\n\n${table(rows, Object.keys(rows[PEERS[0]!]!))}`);
		}
	} finally {
		await stop(stub.process);
	}
	return results;
}
