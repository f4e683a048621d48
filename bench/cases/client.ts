import { comparePeers, type Figures, withStub } from '../runner.ts';

export const description = `The client of the image service compared with the openai SDK: same stub server in a process of its own, every run in a
fresh process after a first small picture, alternating rounds, medians. Peak: resident memory over the idle process. CPU: user and system. Last byte:
until the caller has every picture's bytes.`;

const SCENARIOS: Record<string, string> = {
	four: 'Four 10 MB pictures in one answer',
	many: '32 at once, one 4 MB picture each, written to files as they come',
};

export const run = () =>
	withStub(async (stub) => {
		const results: Record<string, Record<string, Figures>> = {};
		const script = import.meta.resolve('../peers/client.ts');
		for (const [scenario, title] of Object.entries(SCENARIOS)) {
			const options = { title, script, peers: ['openai', 'easel'], rounds: 7 };
			results[scenario] = await comparePeers(options, [scenario, stub]);
		}
		return results;
	});
