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
import type { Manner } from './operations/apply.ts';
import { type LayoutRequest, layOut, operate } from './operations/operate.ts';
import { paintScene } from './operations/paint-scene.ts';
import type { Operation } from './scene/operation.ts';
import type { Scene } from './scene/scene.ts';

/** What is done with words that people write. None of it waits for anything. */
const readers = {
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
};
export type Readers = typeof readers;

export type Drawing =
	/** `width` and `height` in pixels. */
	| { do: 'draw'; scene: Scene; width: number; height: number }
	| { do: 'operate'; picture: Uint8Array; operations: readonly Operation[]; manner: Manner }
	| { do: 'layOut'; request: LayoutRequest; manner: Manner };
export type Job = Drawing | { do: 'read'; what: keyof Readers; texts: readonly unknown[] };

/** A job is answered twice: when it starts and when it ends. `refused` is the message of an `InputError`, whose class is lost on the way. */
export type Answer = { started: true } | { result: unknown } | { error: unknown } | { refused: string };

const answer = (message: Answer) => parentPort?.postMessage(message);

parentPort?.on('message', async (job: Job) => {
	answer({ started: true });
	try {
		answer({ result: await done(job) });
	} catch (error) {
		answer(error instanceof InputError ? { refused: error.message } : { error });
	}
});

function done(job: Job): unknown {
	switch (job.do) {
		case 'read':
			return (readers[job.what] as (...texts: readonly unknown[]) => unknown)(...job.texts);
		case 'draw':
			return paintScene(job.scene, job);
		case 'operate':
			return operate(job.picture, job.operations, job.manner);
		case 'layOut':
			return layOut(job.request, job.manner);
	}
}
