import { fileURLToPath } from 'node:url';
import { alternate, type Figures, start, stop, table } from '../runner.ts';

export const description = `The chat's streaming compared with the openai SDK's stream with simple edits (every second the text so far, cut to 2,000
characters; the rest is never shown). Both into a channel that allows 5 edits in 5 s, takes 2,000 characters a message and answers after
50 ms for each of them; Easel shows all of the text, so it posts long after the peer is finished. The chat service is a process of its
own. Every run in a fresh process after a first short answer, alternating rounds, medians. Peak: resident memory over the
idle process. First text: from the call to the first text's answer, less the channel's 50 ms.`;

const PEERS = ['openai', 'easel'];

const SCENARIOS: Record<string, { title: string; rounds: number }> = {
	flood: { title: '200,000 small deltas as fast as they are taken', rounds: 3 },
	trickle: { title: '200 threads streaming at once in one process', rounds: 5 },
};

export async function run(): Promise<Record<string, Record<string, Figures>>> {
	const stub = await start<string>(fileURLToPath(import.meta.resolve('../peers/stub.ts')));
	const peer = fileURLToPath(import.meta.resolve('../peers/relay.ts'));
	const results: Record<string, Record<string, Figures>> = {};
	try {
		for (const [scenario, { title, rounds }] of Object.entries(SCENARIOS)) {
			const rows = await alternate(PEERS, rounds, async (name) => {
				const { process, message } = await start<Figures>(peer, name, scenario, stub.message);
				await stop(process);
				return message;
			});
			results[scenario] = rows;
			const ratios = Object.keys(rows[PEERS[0]!]!).filter((column) => /^(?:CPU|peak|first)/.test(column));
			console.log(`\n## ${title}\n\n${table(rows, ratios)}`);
		}
	} finally {
		await stop(stub.process);
	}
	return results;
}
