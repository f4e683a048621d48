import { graded } from './grade.ts';
import type { Operation } from './operation.ts';
import { additions } from './operations/additions.ts';
import { background } from './operations/background.ts';
import { focus } from './operations/focus.ts';
import { frames } from './operations/frames.ts';
import { gentle } from './operations/gentle.ts';
import { geometry } from './operations/geometry.ts';
import type { Circumstances, Painters } from './operations/painter.ts';
import { recolour } from './operations/recolour.ts';
import { repeats } from './operations/repeats.ts';
import { scenes } from './operations/scenes.ts';
import { styles } from './operations/styles.ts';
import { text } from './operations/text.ts';
import { tones } from './operations/tones.ts';
import type { Picture } from './picture.ts';
import { between, type Random, randomOf } from './random.ts';

const painters: Painters<Operation['do']> = {
	...additions,
	...background,
	...focus,
	...frames,
	...gentle,
	...geometry,
	...recolour,
	...repeats,
	...scenes,
	...styles,
	...text,
	...tones,
};

export type Manner = {
	/** With the instruction, decides everything that chance does. */
	seed: string;
	/** 0 does exactly what was asked; others do it a little more or less, and seeded otherwise. */
	variation: number;
	sharp: boolean;
	/** Looked at between operations. */
	signal: AbortSignal;
};

/** Does the operations in their order. */
export async function apply(picture: Picture, operations: readonly Operation[], manner: Manner): Promise<Picture> {
	let result = picture;
	for (const [index, operation] of operations.entries()) {
		manner.signal.throwIfAborted();
		const random = randomOf(`${manner.seed} ${manner.variation} ${index}`);
		result = await paint(result, varied(operation, manner.variation, random), { random, sharp: manner.sharp });
	}
	return manner.variation === 0 ? result : inAnotherLight(result, randomOf(`${manner.seed} ${manner.variation}`));
}

function paint<Do extends Operation['do']>(
	picture: Picture,
	operation: Operation & { do: Do },
	circumstances: Circumstances,
) {
	const painter = painters[operation.do] as Painters<Operation['do']>[Do];
	return (painter as (...given: unknown[]) => Picture | Promise<Picture>)(picture, operation, circumstances);
}

function varied(operation: Operation, variation: number, random: Random): Operation {
	if (variation === 0 || !('amount' in operation)) return operation;
	return { ...operation, amount: operation.amount * between(random, 0.75, 1.3) };
}

/** Sets the variations of one instruction apart, also where it leaves no freedom (“rotate left”). */
export function inAnotherLight(picture: Picture, random: Random): Picture {
	const warmth = between(random, 0.03, 0.07) * (random() < 0.5 ? -1 : 1);
	return graded(picture, {
		gains: [1 + warmth, 1, 1 - warmth],
		contrast: between(random, 1.02, 1.12),
		gamma: between(random, 0.92, 1.06),
	});
}
