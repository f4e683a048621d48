import type { Of, Operation } from '../operation.ts';
import type { Picture } from '../picture.ts';
import type { Random } from '../random.ts';

/** Inputs of an operation besides the picture. */
export type Circumstances = {
	/** Seeded by the instruction, the variation and the operation's position. */
	random: Random;
	/** Sharper letters and edges that are kept. */
	sharp: boolean;
};

export type Painter<Do extends Operation['do']> = (
	picture: Picture,
	operation: Of<Do>,
	circumstances: Circumstances,
) => Picture | Promise<Picture>;

/** The implementation of each operation. */
export type Painters<Do extends Operation['do']> = { readonly [Name in Do]: Painter<Name> };
