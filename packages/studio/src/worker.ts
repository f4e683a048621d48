/** Reads the words of requests and draws, off the main thread: one message is one job (workers.ts). */
import { parentPort } from 'node:worker_threads';
import { reply } from './chat/reply.ts';
import { type Turn, withoutSpeakers } from './chat/talk.ts';
import { countTokens } from './chat/tokens.ts';
import { embed } from './embeddings/embed.ts';
import { InputError } from './input.ts';
import { readComposition } from './language/read-composition.ts';
import { readInstruction } from './language/read-instruction.ts';
import { readPrompt } from './language/read-prompt.ts';
import { categoriesOf } from './moderations/categories.ts';
import { draw, edit } from './operations/operate.ts';

/** What threads do, by name. Words that people write are read without waiting for anything. */
const jobs = {
	prompt: readPrompt,
	instruction: readInstruction,
	composition: readComposition,
	chat: (turns: readonly Turn[]) => ({
		text: reply(withoutSpeakers(turns)),
		promptTokens: countTokens(turns.map(({ text }) => text)),
	}),
	embeddings: (texts: readonly string[], dimensions: number) => ({
		vectors: texts.map((text) => embed(text, dimensions)),
		tokens: countTokens(texts),
	}),
	moderations: (inputs: readonly (readonly string[])[]) => inputs.map(categoriesOf),
	draw,
	edit,
};
export type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type Job = { name: JobName; given: readonly unknown[] };

/** A job is answered twice: when it starts and when it ends. `refused` is the message of an `InputError`, whose class is lost on the way. */
export type Answer = { started: true } | { result: unknown } | { error: unknown } | { refused: string };

const answer = (message: Answer) => parentPort?.postMessage(message);

parentPort?.on('message', async ({ name, given }: Job) => {
	answer({ started: true });
	try {
		answer({ result: await (jobs[name] as (...given: readonly unknown[]) => unknown)(...given) });
	} catch (error) {
		answer(error instanceof InputError ? { refused: error.message } : { error });
	}
});
