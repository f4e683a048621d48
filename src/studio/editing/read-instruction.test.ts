import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Operation } from './operation.ts';
import { readInstruction } from './read-instruction.ts';

const adjust = (what: string, amount: number) => ({ do: 'adjust', what, amount });

describe('readInstruction', () => {
	it.each<[instruction: string, operations: readonly object[]]>([
		['make it brighter and more colourful', [adjust('brightness', 1), adjust('saturation', 1)]],
		['a bit darker, much warmer', [adjust('brightness', -0.5), adjust('warmth', 1.6)]],
		['brighten by 20%', [adjust('brightness', 0.5)]],
		['less dark', [adjust('brightness', 1)]],
		['It is too bright.', [adjust('brightness', -1)]],
		['don’t crop, just rotate left', [{ do: 'rotate', degrees: -90 }]],
		[
			'rotate 45 degrees then flip vertically',
			[
				{ do: 'rotate', degrees: 45 },
				{ do: 'flip', axis: 'vertical' },
			],
		],
		[
			'flip vertically, then rotate by 45°',
			[
				{ do: 'flip', axis: 'vertical' },
				{ do: 'rotate', degrees: 45 },
			],
		],
		['turn it upside down', [{ do: 'rotate', degrees: 180 }]],
		['turn it into an oil painting', [{ do: 'style', name: 'oil' }]],
		['left half', [{ do: 'crop', shape: { left: 0, width: 0.5 } }]],
		['crop to 16:9', [{ do: 'crop', shape: { ratio: 16 / 9 } }]],
		['make it square', [{ do: 'crop', shape: { ratio: 1 } }]],
		['zoom in', [{ do: 'zoom', amount: 1 }]],
		['zoom out', [{ do: 'extend', sides: 'all' }]],
		['half size', [{ do: 'resize', scale: 0.5 }]],
		['resize to 500x300', [{ do: 'resize', width: 500, height: 300 }]],
		['add a thick red border', [{ do: 'frame', style: 'plain', colour: [215, 38, 61], amount: 1.6 }]],
		[
			'black and white with a white frame',
			[
				{ do: 'look', name: 'greyscale' },
				{ do: 'frame', colour: [255, 255, 255] },
			],
		],
		[
			'make it night with a moon',
			[
				{ do: 'scene', name: 'night' },
				{ do: 'add', thing: 'moon' },
			],
		],
		['add snow but keep the fox', [{ do: 'scene', name: 'winter' }]],
		['sunset, no clouds', [{ do: 'scene', name: 'sunset' }]],
		['add a rainbow in the top left corner', [{ do: 'add', thing: 'rainbow', place: { x: 0, y: 0 } }]],
		['turn the red car blue', [{ do: 'recolour', from: 'red', to: [37, 99, 217] }]],
		['make the sky purple', [{ do: 'recolour', from: 'sky' }]],
		['replace green with gold', [{ do: 'recolour', from: 'green', to: [212, 160, 23] }]],
		['make the car light blue', [{ do: 'recolour', from: 'subject', to: [126, 200, 242] }]],
		['make it #ff8800', [{ do: 'tint', colour: [255, 136, 0] }]],
		['only the red in colour', [{ do: 'only', colour: 'red' }]],
		['remove the background', [{ do: 'background', to: 'transparent' }]],
		['make the background white', [{ do: 'background', to: [255, 255, 255] }]],
		['blur the background', [{ do: 'blur', where: 'background' }]],
		['posterize to 5 colours', [{ do: 'posterize', levels: 5 }]],
		['duotone navy and pink', [{ do: 'duotone', dark: [20, 36, 92] }]],
		['turn day into night', [{ do: 'scene', name: 'night' }]],
		['like a Van Gogh painting', [{ do: 'style', name: 'oil' }]],
		[
			'rain at night',
			[
				{ do: 'scene', name: 'rain' },
				{ do: 'scene', name: 'night' },
			],
		],
		['the car should be blue', [{ do: 'recolour', from: 'subject', to: [37, 99, 217] }]],
		['a bit more red', [{ do: 'tint', colour: [215, 38, 61], amount: 0.25 }]],
		['cut off the left side', [{ do: 'crop', shape: { left: 0.25, width: 0.75 } }]],
		['as a sticker', [{ do: 'sticker' }]],
		['dunkler und wärmer', [adjust('brightness', -1), adjust('warmth', 1)]],
		['mach den Himmel lila', [{ do: 'recolour', from: 'sky' }]],
		['rends le ciel violet', [{ do: 'recolour', from: 'sky' }]],
		['blanco y negro', [{ do: 'look', name: 'greyscale' }]],
		['sdlkf wqeoi', [{ do: 'gentle', words: 'sdlkf wqeoi' }]],
		['give it a whimsical air and sharpen', [{ do: 'gentle' }, { do: 'sharpen' }]],
		['remove the person', [{ do: 'gentle' }]],
	])('%s', (instruction, operations) => {
		const read = readInstruction(instruction);
		expect(read).toHaveLength(operations.length);
		expect(read).toMatchObject(operations);
	});

	it.each<[instruction: string, text: Partial<Operation & { do: 'text' }>]>([
		[
			'add the text “Hello World” in red at the top',
			{ text: 'Hello World', colour: [215, 38, 61], place: { x: 0.5, y: 0 } },
		],
		['write "SALE 50%" big and yellow in the centre', { text: 'SALE 50%', amount: 1.6, place: { x: 0.5, y: 0.5 } }],
		['caption: Crop it, don’t', { text: 'Crop it', style: 'caption' }],
		['add the text Rotate me', { text: 'Rotate me', place: { x: 0.5, y: 1 } }],
		['watermark „Easel“', { text: 'Easel', style: 'watermark', place: { x: 1, y: 1 } }],
	])('keeps the words of a text out of the instruction: %s', (instruction, text) => {
		expect(readInstruction(instruction)[0]).toMatchObject({ do: 'text', ...text });
	});

	it('stops reading after a dozen operations', () => {
		expect(readInstruction('flip it. '.repeat(200))).toHaveLength(12);
	});

	it('reads anything, deterministically, and always finds something to do', () => {
		const word = fc.constantFrom(
			'make',
			'turn',
			'the',
			'red',
			'to',
			'16:9',
			'not',
			'sky',
			'“',
			'”',
			'and',
			'°',
			'90',
			'%',
			'①',
		);
		const sentence = fc.oneof(
			fc.string({ unit: 'binary', maxLength: 300 }),
			fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
		);
		fc.assert(
			fc.property(sentence, (instruction) => {
				const read = readInstruction(instruction);
				expect(read.length).toBeGreaterThan(0);
				expect(readInstruction(instruction)).toEqual(read);
			}),
			{ numRuns: 200 },
		);
	});
});
