import sharp from 'sharp';

export type Tile = { readonly png: Uint8Array; readonly label: string };

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Lays pictures out in a grid, each above its label.
 * @param side pixels of a tile, into which pictures of any ratio fit
 * @param labels pixels for each label, whose letters are as large as fits
 * @returns a PNG
 */
export async function contactSheet(tiles: readonly Tile[], columns: number, side: number, labels = 0): Promise<Buffer> {
	const gap = 8;
	const [across, down] = [side + gap, side + labels + gap];
	const layers = await Promise.all(
		tiles.map(async ({ png, label }, index) => {
			const [left, top] = [gap + (index % columns) * across, gap + Math.floor(index / columns) * down];
			const input = await sharp(png).resize(side, side, { fit: 'contain', background: '#ffffff' }).png().toBuffer();
			const text = { text: escaped(label), font: 'DejaVu Sans', width: side, height: labels, rgba: true };
			return [{ input, left, top }, ...(labels > 0 ? [{ input: { text }, left, top: top + side + 2 }] : [])];
		}),
	);
	const [width, height] = [gap + columns * across, gap + Math.ceil(tiles.length / columns) * down];
	const sheet = sharp({ create: { width, height, channels: 3, background: '#ffffff' } });
	return sheet.composite(layers.flat()).png({ compressionLevel: 9 }).toBuffer();
}
