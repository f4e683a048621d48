import { type Grade, graded } from '../grade.ts';
import { between, randomOf } from '../random.ts';
import type { Painters } from './painter.ts';
import { vignetted } from './tones.ts';

/**
 * For words that aren't understood: a mild grade that these words alone decide, so that the same words always look the
 * same, other words look different, and the picture stays what it was.
 */
export const gentle: Painters<'gentle'> = {
	gentle: (picture, { words }, { random }) =>
		vignetted(graded(picture, gradeOf(words, random)), 0.14 + 0.08 * random()),
};

function gradeOf(words: string, random: () => number): Grade {
	const own = randomOf(words);
	const angle = own() * Math.PI * 2;
	const lean = (turn: number) => 1 + 0.09 * Math.cos(angle + turn);
	return {
		gains: [lean(0), lean(-2.1), lean(2.1)],
		saturation: between(own, 0.86, 1.24) + between(random, -0.04, 0.04),
		contrast: between(own, 1.05, 1.22),
		gamma: between(own, 0.86, 1.1),
		shadows: [own() * 90, own() * 90, 60 + own() * 90],
		highlights: [255, 190 + own() * 60, 140 + own() * 100],
		toning: 0.3,
	};
}
