import { toLch } from '../drawing/tools/colour.ts';
import { fitLetters } from '../drawing/tools/lettering.ts';
import { fill, group, line } from '../drawing/tools/svg.ts';
import type { Operation } from '../scene/scene.ts';
import { blurred } from './effects.ts';
import { drawing, layered, type Picture } from './picture.ts';

type Text = Extract<Operation, { do: 'text' }>;

const SPOTS = { top: 0, centre: 0.5, bottom: 1 } as const;

/** Writes words across the picture, as large as they fit, with an edge that parts them from any ground. */
export async function written(
	picture: Picture,
	{ text, place, colour = '#ffffff' }: Text,
	sharpText: boolean,
): Promise<Picture> {
	const { width, height } = picture;
	const shorter = Math.min(width, height);
	const letters = fitLetters(text, { width: width * 0.86, height: height * 0.22, largest: shorter * 0.14 });
	if (!(letters.width > 0) || !(letters.size > 0)) return picture;
	const margin = shorter * 0.05;
	// The visible height of a line is from its capitals to its baseline: margins are measured from there.
	const overhang = letters.baseline - letters.capital;
	const inkHeight = letters.height - overhang * 1.8;
	const y = margin + (height - inkHeight - margin * 2) * SPOTS[place] - overhang;
	const edge = line(letters.path, toLch(colour).l > 0.62 ? '#0c0c14' : '#ffffff', letters.size * 0.09, 0.85);
	const at = `transform="translate(${(width - letters.width) / 2} ${y})"`;
	const layer = await drawing(picture, group(edge + fill(letters.path, colour), at));
	return layered(picture, [{ picture: sharpText ? layer : await blurred(layer, Math.max(0.8, shorter / 900)) }]);
}
