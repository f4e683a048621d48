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
	const background = '#ffffff';
	const pictures = tiles.map(({ png, label }) => {
		const picture = sharp(png)
			.resize(side, side, { fit: 'contain', background })
			.flatten({ background })
			.extend({ bottom: labels, background });
		const text = { text: escaped(label), font: 'DejaVu Sans', width: side, height: labels - 4, rgba: true };
		return picture
			.composite(labels > 0 ? [{ input: { text }, left: 0, top: side + 4 }] : [])
			.png()
			.toBuffer();
	});
	const gap = 8;
	const all = await Promise.all(pictures);
	// Two are the fewest that sharp joins.
	const sheet = all.length > 1 ? sharp(all, { join: { across: columns, shim: gap, background } }) : sharp(all[0]);
	return sheet
		.extend({ top: gap, bottom: gap, left: gap, right: gap, background })
		.png({ compressionLevel: 9 })
		.toBuffer();
}
