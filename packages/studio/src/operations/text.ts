import { fitLetters } from '../drawing/tools/lettering.ts';
import type { Operation } from '../scene/scene.ts';
import { blurred } from './effects.ts';
import { crop, drawing, layered, type Picture, pipeline } from './picture.ts';
import { rgbOf } from './tones.ts';

type Text = Extract<Operation, { do: 'text' }>;
type Manner = { readonly size: number; readonly banded: boolean; readonly sharpText: boolean };

const SPOTS = { top: 0, centre: 0.5, bottom: 1 } as const;

/** Writes words across the picture, as large as they fit: outlined, or white on a dark band. */
export async function written(picture: Picture, text: Text, { size, banded, sharpText }: Manner): Promise<Picture> {
	const { width, height } = picture;
	const shorter = Math.min(width, height);
	const box = {
		width: width * 0.86,
		height: height * 0.22 * size,
		largest: shorter * 0.14 * size,
		weight: 800 as const,
	};
	const letters = fitLetters(text.text, box);
	if (!(letters.width > 0) || !(letters.size > 0)) return picture;
	const margin = shorter * 0.05;
	// The visible height of a line is from its capitals to its baseline: margins are measured from there.
	const overhang = letters.baseline - letters.capital;
	const inkHeight = letters.height - overhang * 1.8;
	const x = (width - letters.width) / 2;
	const y = margin + (height - inkHeight - margin * 2) * SPOTS[text.place] - overhang;
	const ink = text.colour ?? (banded ? '#ffffff' : await readable(picture, y, y + letters.height));
	const band = `<rect y="${y + overhang - margin * 0.6}" width="${width}" height="${inkHeight + margin * 1.2}" fill="rgba(10,10,16,.6)"/>`;
	const outline = `fill="none" stroke="${lightness(ink) > 110 ? '#0c0c14' : '#ffffff'}" stroke-opacity=".85" stroke-width="${letters.size * 0.07}" stroke-linejoin="round"`;
	const glyphs = (paint: string) => `<path transform="translate(${x} ${y})" d="${letters.path}" ${paint}/>`;
	const layer = await drawing(picture, `${banded ? band : glyphs(outline)}${glyphs(`fill="${ink}"`)}`);
	return layered(picture, [{ picture: sharpText ? layer : await blurred(layer, Math.max(0.8, shorter / 900)) }]);
}

/** Returns white, or near black where the picture is bright behind the text. */
async function readable(picture: Picture, from: number, to: number): Promise<string> {
	const top = Math.min(picture.height - 1, Math.max(0, Math.floor(from)));
	const height = Math.max(1, Math.min(picture.height, Math.ceil(to)) - top);
	const { channels } = await pipeline(await crop(picture, { left: 0, top, width: picture.width, height })).stats();
	const mean = (channels[0]!.mean + channels[1]!.mean * 2 + channels[2]!.mean) / 4;
	return mean > 190 ? '#12121a' : '#ffffff';
}

function lightness(hex: string) {
	const [red, green, blue] = rgbOf(hex);
	return 0.299 * red + 0.587 * green + 0.114 * blue;
}
