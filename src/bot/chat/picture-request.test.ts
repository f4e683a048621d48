import { expect, test } from 'vitest';
import { pictureCommandOf } from './picture-request.ts';

const files = (...names: string[]) => names.map((name) => ({ name, read: async () => new Uint8Array() }));

test.each([
	['draw a fox', 'a fox'],
	['Draw: a fox\nin the snow', 'a fox\nin the snow'],
	['DRAW, please, a fox', 'please, a fox'],
])('%j asks for a picture', (text, prompt) => {
	expect(pictureCommandOf({ text, uploads: [] })).toEqual({ command: 'imagine', options: { prompt } });
});

test.each(['draw', 'drawing is fun', 'draw-bridges are old', 'can you draw a fox?', 'I draw a line', ''])(
	'%j does not ask for a picture',
	(text) => expect(pictureCommandOf({ text, uploads: [] })).toBeUndefined(),
);

test.each(['What is this?', 'was ist das？', 'Can you tell what breed it is?', 'ما هذا؟'])(
	'%j asks about all pictures that come with it',
	(text) => {
		const uploads = files('1.png', 'notes.txt', '2.png', '3.png', '4.png');
		expect(pictureCommandOf({ text, uploads })).toEqual({ about: uploads.filter(({ name }) => name !== 'notes.txt') });
	},
);

test.each(['Can you make it night?', 'would you remove the horse ?', 'Please make it night, ok?', 'what a night'])(
	'%j with a picture is an instruction',
	(text) => expect(pictureCommandOf({ text, uploads: files('1.png') })).toMatchObject({ command: 'edit' }),
);

test('a picture with an instruction is edited, several are composed, other files are ignored', () => {
	const [one, two, three, four] = files('1.png', '2.jpg', '3.webp', '4.png');
	const text = 'make it night';
	expect(pictureCommandOf({ text, uploads: files('notes.txt') })).toBeUndefined();
	expect(pictureCommandOf({ text: '', uploads: files('1.png') })).toBe('no instruction');
	if (!one || !two || !three || !four) return;
	expect(pictureCommandOf({ text, uploads: [one] })).toEqual({
		command: 'edit',
		options: { image: one, prompt: text },
	});
	expect(pictureCommandOf({ text, uploads: [one, two, three, four] })).toEqual({
		command: 'compose',
		options: { image1: one, image2: two, image3: three, prompt: text },
	});
});
