import type { Scene, Subject } from '../src/scene/scene.ts';
import { sceneOf } from './scene.fixture.ts';

/** The pictures that are edited. */
export const PICTURES = {
	riders: sceneOf({
		place: 'beach',
		time: 'sunset',
		subjects: [
			{ figure: 'knight', name: 'knight', relation: { kind: 'on', to: 2 } },
			{ figure: 'horse', name: 'horse', colour: '#7d4a2d' },
			{ figure: 'dog', name: 'dog' },
		],
	}),
	fox: sceneOf({
		place: 'forest',
		weather: ['rain'],
		subjects: [{ figure: 'fox', name: 'fox' }],
	}),
	street: sceneOf({
		place: 'street',
		weather: ['fog'],
		subjects: [
			{ figure: 'car', name: 'car', colour: '#d8262c' },
			{ figure: 'car', name: 'car', colour: '#2f62d9' },
			{ figure: 'woman', name: 'woman', accent: '#f7d038' },
			{ figure: 'umbrella', name: 'umbrella', relation: { kind: 'held by', to: 3 } },
		],
	}),
	farm: sceneOf({
		place: 'meadow',
		season: 'winter',
		weather: ['snow'],
		subjects: [
			{ figure: 'sheep', name: 'sheep', count: 3 },
			{ figure: 'barn', name: 'barn', side: 'left' },
		],
		texts: ['FRESH EGGS'],
	}),
	night: sceneOf({
		place: 'lake',
		time: 'night',
		sky: ['moon', 'stars'],
		style: 'watercolour',
		subjects: [{ figure: 'swan', name: 'swan', count: 2 }],
	}),
} as const satisfies Record<string, Scene>;

export type Edit = readonly [
	picture: keyof typeof PICTURES,
	instruction: string,
	/** The subjects after it, as "3 sheep", "hat worn by fox", "car #d8262c". */
	subjects: readonly string[],
	/** Other parts of the scene after it. */
	scene: Partial<Scene>,
	/** A part of what is said about it. */
	said: string,
];

export const EDITS: readonly Edit[] = [
	['riders', 'remove the horse', ['knight', 'dog'], { place: 'beach' }, 'Removed the horse'],
	[
		'farm',
		'Make a variation of this picture: three sheep by a barn',
		['3 sheep', 'barn left'],
		{ variation: 1 },
		'Varied',
	],
	['riders', 'Please get rid of the dog and the knight', ['horse #7d4a2d'], {}, 'Removed the dog'],
	[
		'riders',
		'replace the dog with a black cat',
		['knight on horse', 'horse #7d4a2d', 'cat #23222a'],
		{},
		'Replaced the dog with',
	],
	['riders', 'make the horse white', ['knight on horse', 'horse #f7f5f0', 'dog'], {}, 'Made the horse white'],
	[
		'riders',
		'keep the dog as it is, but make it midnight',
		['knight on horse', 'horse #7d4a2d', 'dog'],
		{ time: 'night' },
		'',
	],
	['riders', 'make the dog much bigger', ['knight on horse', 'horse #7d4a2d', 'dog ×2'], {}, 'Made the dog bigger'],
	[
		'riders',
		'move the dog to the left',
		['knight on horse', 'horse #7d4a2d', 'dog left'],
		{},
		'Moved the dog to the left',
	],
	['riders', 'only the knight and the horse', ['knight on horse', 'horse #7d4a2d'], {}, 'Left only'],
	['riders', 'three dogs instead of one dog', ['knight on horse', 'horse #7d4a2d', '3 dog'], {}, 'dogs'],
	[
		'riders',
		'give the dog a hat',
		['knight on horse', 'horse #7d4a2d', 'dog', 'hat worn by dog'],
		{},
		'Gave the dog a hat',
	],
	['fox', 'make it a sunny day', ['fox'], { weather: ['clear'], time: 'day' }, ''],
	['fox', 'make it night, add a full moon', ['fox'], { time: 'night', sky: ['moon'], weather: ['rain'] }, ''],
	['fox', 'put it in a desert', ['fox'], { place: 'desert' }, ''],
	['fox', 'add two owls', ['fox', '2 owl'], {}, 'Added two owls'],
	['fox', 'add a crown', ['fox', 'crown worn by fox'], {}, 'Added a crown'],
	['fox', 'put the fox on a boat', ['fox on boat', 'boat'], {}, 'Put the fox on the boat'],
	['fox', 'turn the fox into a wolf', ['wolf'], { place: 'forest' }, 'Replaced the fox with a wolf'],
	['fox', 'no rain, please', ['fox'], { weather: [] }, 'Removed the rain'],
	['fox', 'replace the rain with snow', ['fox'], { weather: ['snow'] }, ''],
	['fox', 'write “Good night” and zoom in', ['fox'], { texts: ['Good night'], zoom: 1.5 }, 'Wrote “Good night”'],
	['fox', 'as an oil painting in autumn', ['fox'], { style: 'oil', season: 'autumn' }, ''],
	['fox', 'mach es zu Nacht und füge einen Mond hinzu', ['fox'], { time: 'night', sky: ['moon'] }, ''],
	['fox', 'entferne den Fuchs', [], {}, 'Removed the fox'],
	['fox', 'ajoute un chat noir', ['fox', 'cat #23222a'], {}, 'Added a black cat'],
	['fox', 'remplace le renard par un lapin', ['rabbit'], {}, 'Replaced the fox with a rabbit'],
	['fox', 'añade una luna', ['fox'], { sky: ['moon'], time: 'night' }, ''],
	['street', 'remove the red car', ['car #2f62d9', 'woman', 'umbrella held by woman'], {}, 'Removed the car'],
	['street', 'remove the woman', ['car #d8262c', 'car #2f62d9'], {}, 'Removed the woman'],
	[
		'street',
		'paint the blue car green',
		['car #d8262c', 'car #3c9a4b', 'woman', 'umbrella held by woman'],
		{},
		'Made the car green',
	],
	['street', 'lift the fog and remove the people', ['car #d8262c', 'car #2f62d9'], {}, 'Removed the woman'],
	['street', 'quita el coche rojo', ['car #2f62d9', 'woman', 'umbrella held by woman'], {}, 'Removed the car'],
	[
		'street',
		'black and white with a red frame',
		['car #d8262c', 'car #2f62d9', 'woman', 'umbrella held by woman'],
		{
			operations: [
				{ do: 'look', name: 'greyscale' },
				{ do: 'frame', style: 'plain', colour: '#d8262c' },
			],
		},
		'Made black and white',
	],
	['farm', 'make it summer', ['3 sheep', 'barn left'], { season: 'summer', weather: [] }, ''],
	['farm', 'five sheep', ['5 sheep', 'barn left'], {}, 'five sheep'],
	['farm', 'one more sheep', ['3 sheep', 'barn left', 'sheep'], {}, 'Added a sheep'],
	['farm', 'remove one of the sheep', ['2 sheep', 'barn left'], {}, 'Removed one of the sheep'],
	['farm', 'make one of the sheep black', ['2 sheep', 'sheep #23222a', 'barn left'], {}, 'Made one of the sheep black'],
	['night', 'paint one of them red', ['swan', 'swan #d8262c'], {}, 'Made one of the swans red'],
	[
		'street',
		'make one car green',
		['car #3c9a4b', 'car #2f62d9', 'woman', 'umbrella held by woman'],
		{},
		'Made the car green',
	],
	['farm', 'change the text to “SOLD OUT”', ['3 sheep', 'barn left'], { texts: ['SOLD OUT'] }, 'Wrote “SOLD OUT”'],
	['farm', 'remove the text; move the barn to the right', ['3 sheep', 'barn right'], { texts: [] }, 'Removed the text'],
	['night', 'make it a bright morning', ['2 swan'], { time: 'dawn', sky: [] }, ''],
	['night', 'remove the moon, more stars', ['2 swan'], { sky: ['stars'] }, 'Removed the moon'],
	['night', 'add a tent and a big tree on the left', ['2 swan', 'tent', 'tree ×1.4 left'], {}, 'Added a tent'],
	[
		'night',
		'rotate left and add thunder',
		['2 swan'],
		{ weather: ['storm'], operations: [{ do: 'rotate', degrees: -90 }] },
		'Rotated left',
	],
];

/** Returns a subject as the table has it. */
export function brief({ name, count, colour, scale, side, relation }: Subject, { subjects }: Scene): string {
	const to = subjects.find(({ id }) => id === relation?.to);
	return [
		count > 1 && count,
		name.replace(/^(?:black|white) /, ''),
		colour,
		scale !== 1 && `×${scale}`,
		side,
		relation && `${relation.kind} ${to?.name}`,
	]
		.filter(Boolean)
		.join(' ');
}
