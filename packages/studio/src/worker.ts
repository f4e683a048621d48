/** Reads the words of requests and draws, off the main thread. One message is one job; see workers.ts. */
import { parentPort } from 'node:worker_threads';
import { reply } from './chat/reply.ts';
import { withoutSpeakers } from './chat/speakers.ts';
import type { Turn } from './chat/talk.ts';
import { countTokens } from './chat/tokens.ts';
import { paintScene } from './drawing/paint-scene.ts';
import { embed } from './embeddings/embed.ts';
import { InputError } from './input.ts';
import { readComposition } from './language/read-composition.ts';
import { readInstruction } from './language/read-instruction.ts';
import { readPrompt } from './language/read-prompt.ts';
import { categoriesOf } from './moderations/categories.ts';
import type { Manner } from './operations/apply.ts';
import { type LayoutRequest, layOut, operate } from './operations/operate.ts';
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

/** `abort` ends the job of that number at its next step. */
export type Request = { id: number; job: Job } | { id: number; abort: true };
/** Each job is answered twice: when it starts and when it ends. */
export type Answer = { id: number } & (
	| { started: true }
	| { result: unknown }
	| { error: unknown }
	| { refused: string }
);

const running = new Map<number, AbortController>();

parentPort?.on('message', async (request: Request) => {
	const { id } = request;
	if ('abort' in request) return running.get(id)?.abort();
	const controller = new AbortController();
	running.set(id, controller);
	const answer = (message: Answer, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer);
	answer({ id, started: true });
	try {
		const { job } = request;
		if (job.do === 'read') {
			const read = readers[job.what] as (...texts: readonly unknown[]) => unknown;
			answer({ id, result: read(...job.texts) });
		} else {
			const png = Uint8Array.from(await draw(job, controller.signal));
			answer({ id, result: png }, [png.buffer]);
		}
	} catch (error) {
		// The class of an error is lost on the way.
		answer(error instanceof InputError ? { id, refused: error.message } : { id, error });
	} finally {
		running.delete(id);
	}
});

function draw(job: Drawing, signal: AbortSignal): Promise<Uint8Array> {
	switch (job.do) {
		case 'draw':
			return paintScene(job.scene, job, signal);
		case 'operate':
			return operate(job.picture, job.operations, job.manner, signal);
		case 'layOut':
			return layOut(job.request, job.manner, signal);
	}
}
