import { expect, it } from 'vitest';
import { describeOperation } from '../../scene/captions/describe.ts';
import { onPixels } from '../../scene/on-pixels.ts';
import { readInstruction } from '../read-instruction.ts';

it.each([
	['please brighten this up a bit', 'Made slightly brighter'],
	['make it 60% darker', 'Made much darker'],
	['fix the lighting', 'Gave slightly more contrast'],
	['make the colors pop', 'Made more colourful'],
	['cool blue tones', 'Made cooler'],
	['black & white please, high contrast', 'Made black and white. Gave more contrast'],
	['straighten it by 3 degrees', 'Rotated by 3° to the right'],
	['Mach es dunkler und drehe es nach links', 'Made darker. Rotated left'],
	['rends-la plus lumineuse', 'Made brighter'],
	['hazlo en blanco y negro', 'Made black and white'],
	['turn it upside down and mirror it', 'Turned upside down. Mirrored left to right'],
	['make it widescreen', 'Cropped to 16:9'],
	['portrait format', 'Cropped to 3:4'],
	['crop to a circle', 'Cropped to a circle'],
	['resize to 800x600', 'Resized to 800 × 600'],
	['put it in a wooden frame', 'Added a brown picture frame'],
	['frame it in white', 'Added a white frame'],
	['add a thick gold frame', 'Added a thick golden picture frame'],
	['tilt shift', 'Blurred the edges'],
	['make it a pencil sketch', 'Made a pencil sketch'],
	['add "Happy Birthday" in pink at the top', 'Added the text “Happy Birthday” at the top'],
])('%s', (instruction, expected) => {
	const { changes, notUnderstood } = readInstruction(instruction);
	const { operations, impossible } = onPixels(changes);
	expect(operations.map(describeOperation).join('. ')).toBe(expected);
	expect([...impossible, ...notUnderstood]).toEqual([]);
});
