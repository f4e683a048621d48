import { comparePeers, withStub } from '../runner.ts';

export const description = `The chat's streaming compared with the openai SDK's stream with simple edits (every second the text so far, cut to 2,000
characters; the rest is never shown). Both into a channel that allows 5 edits in 5 s, takes 2,000 characters a message and answers after
50 ms for each of them; Easel shows all of the text, so it posts long after the peer is finished. The chat service is a process of its
own. Every run in a fresh process after a first short answer, alternating rounds, medians. Peak: resident memory over the idle process.`;

const FLOOD = {
	title: '200,000 small deltas as fast as they are taken',
	script: import.meta.resolve('../peers/relay.ts'),
	peers: ['openai', 'easel'],
	rounds: 3,
};

export const run = () => withStub(async (stub) => ({ flood: await comparePeers(FLOOD, [stub]) }));
