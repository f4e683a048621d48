import sharp from 'sharp';

export type Tile = { readonly png: Uint8Array; readonly label: string };

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Breaks a label into at most `rows` lines of about `length` characters. */
function lines(label: string, length: number, rows: number): string[] {
	const broken: string[] = [];
	for (const word of label.split(/\s+/)) {
		const last = broken.at(-1);
		if (last !== undefined && last.length + word.length < length) broken[broken.length - 1] = `${last} ${word}`;
		else broken.push(word);
	}
	return broken.length > rows ? [...broken.slice(0, rows - 1), `${broken[rows - 1]} …`] : broken;
}

/**
 * Lays pictures out in a grid, each above its label.
 * @param side pixels of a tile, into which pictures of any ratio fit
 * @returns a PNG
 */
export async function contactSheet(tiles: readonly Tile[], columns: number, side: number, rows = 3): Promise<Buffer> {
	const [gap, textHeight] = [8, rows * 15 + (rows > 0 ? 8 : 0)];
	const [across, down] = [side + gap, side + textHeight + gap];
	const layers = await Promise.all(
		tiles.map(async ({ png, label }, index) => {
			const [left, top] = [gap + (index % columns) * across, gap + Math.floor(index / columns) * down];
			const input = await sharp(png).resize(side, side, { fit: 'contain', background: '#ffffff' }).png().toBuffer();
			const text = lines(label, side / 7.4, Math.max(1, rows))
				.map((line, row) => `<text x="0" y="${13 + row * 15}">${escaped(line)}</text>`)
				.join('');
			const caption = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${textHeight}" font-family="DejaVu Sans,sans-serif" font-size="12">${text}</svg>`;
			return [{ input, left, top }, ...(rows > 0 ? [{ input: Buffer.from(caption), left, top: top + side + 2 }] : [])];
		}),
	);
	const [width, height] = [gap + columns * across, gap + Math.ceil(tiles.length / columns) * down];
	const sheet = sharp({ create: { width, height, channels: 3, background: '#ffffff' } });
	return sheet.composite(layers.flat()).png({ compressionLevel: 9 }).toBuffer();
}
