import { fitLetters } from '../../drawing/lettering.ts';
import { css, luma, type Rgb } from '../colours.ts';
import { blurred } from '../grade.ts';
import { drawing, layered, type Picture } from '../picture.ts';
import type { Painters } from './painter.ts';

/** Share of the picture that a text may fill, by its manner. */
const extents = {
	plain: { width: 0.84, height: 0.2, largest: 0.14 },
	caption: { width: 0.88, height: 0.16, largest: 0.08 },
	watermark: { width: 0.4, height: 0.09, largest: 0.05 },
};

export const text: Painters<'text'> = {
	text: async (picture, { text: said, style, place, colour, amount }, { sharp }) => {
		const { width, height } = picture;
		const shorter = Math.min(width, height);
		const extent = extents[style];
		const letters = fitLetters(said, {
			width: width * extent.width,
			height: height * extent.height * amount,
			largest: shorter * extent.largest * amount,
			weight: style === 'watermark' ? 700 : 800,
		});
		if (!(letters.width > 0) || !(letters.size > 0)) return picture;
		const margin = shorter * 0.045;
		// The visible height of a line is from its capitals to its baseline: margins are measured from there.
		const overhang = letters.baseline - letters.capital;
		const inkHeight = letters.height - overhang * 1.8;
		const x = margin + (width - letters.width - margin * 2) * place.x;
		const y = margin + (height - inkHeight - margin * 2) * place.y - overhang;
		const ink =
			colour ?? (style === 'plain' ? readable(picture, y / height, (y + letters.height) / height) : [255, 255, 255]);
		const outline = luma(...ink) > 110 ? 'rgba(12,12,20,.82)' : 'rgba(255,255,255,.85)';
		const stroke = style === 'plain' ? letters.size * 0.07 : 0;
		const band =
			style === 'caption'
				? `<rect y="${y + overhang - margin * 0.7}" width="${width}" height="${inkHeight + margin * 1.4}" fill="rgba(10,10,16,.62)"/>`
				: '';
		const glyphs = (attributes: string) => `<path transform="translate(${x} ${y})" d="${letters.path}" ${attributes}/>`;
		const svg = `${band}${stroke > 0 ? glyphs(`fill="none" stroke="${outline}" stroke-width="${stroke}" stroke-linejoin="round"`) : ''}${glyphs(`fill="${css(ink, style === 'watermark' ? 0.55 : 1)}"`)}`;
		const layer = await drawing(width, height, svg);
		return layered(picture, [{ picture: sharp ? layer : await blurred(layer, Math.max(0.8, shorter / 900)) }]);
	},
};

/** White, or near black where the picture is bright behind the text. */
function readable({ data, width, height }: Picture, from: number, to: number): Rgb {
	let [sum, count] = [0, 0];
	const first = Math.max(0, Math.floor(from * height)) * width;
	const last = Math.min(height, Math.ceil(to * height)) * width;
	for (let at = first; at < last; at += 7) {
		sum += luma(data[at * 4]!, data[at * 4 + 1]!, data[at * 4 + 2]!);
		count++;
	}
	return sum / Math.max(1, count) > 205 ? [18, 18, 26] : [255, 255, 255];
}
