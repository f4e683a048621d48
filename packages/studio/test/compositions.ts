import type { Layout } from '../src/scene/layout.ts';
import type { Scene } from '../src/scene/scene.ts';
import { sceneOf } from './scene.fixture.ts';

/** The pictures that are put together. */
export const PICTURES = {
	fox: sceneOf({
		place: 'forest',
		season: 'autumn',
		subjects: [
			{ figure: 'fox', name: 'fox', colour: '#dd4a22' },
			{ figure: 'mushroom', name: 'mushroom', count: 2 },
		],
	}),
	boat: sceneOf({ place: 'sea', time: 'sunset', subjects: [{ figure: 'rowboat', name: 'boat' }] }),
	owl: sceneOf({
		place: 'mountains',
		time: 'night',
		sky: ['moon'],
		style: 'watercolour',
		tint: '#2f62d9',
		subjects: [{ figure: 'owl', name: 'owl' }],
	}),
	rider: sceneOf({
		place: 'desert',
		mood: 'dramatic',
		subjects: [
			{ figure: 'knight', name: 'knight', relation: { kind: 'on', to: 2 } },
			{ figure: 'horse', name: 'horse' },
			{ figure: 'hat', name: 'hat', relation: { kind: 'worn by', to: 1 } },
		],
	}),
	rain: sceneOf({
		place: 'street',
		weather: ['rain'],
		mood: 'lonely',
		subjects: [
			{ figure: 'cat', name: 'cat' },
			{ figure: 'umbrella', name: 'umbrella' },
		],
	}),
} as const satisfies Record<string, Scene>;

type Name = keyof typeof PICTURES;

export type Composition = readonly [
	pictures: readonly [Name, Name, Name?],
	prompt: string,
	/** The subjects of the merged scene, as in the table of edits, and other parts of it; or the layout of the finished pictures. */
	result: { subjects: readonly string[]; scene: Partial<Scene> } | { layout: Partial<Layout> & { layout: string } },
];

const merged = (scene: Partial<Scene>, ...subjects: string[]) => ({ subjects, scene });
const laid = (layout: Layout['layout'], more: object = {}) => ({ layout: { layout, ...more } as never });

export const COMPOSITIONS: readonly Composition[] = [
	[
		['fox', 'boat'],
		'put the fox from image 1 on the boat of image 2',
		merged({ place: 'sea', time: 'sunset' }, 'boat', 'fox #dd4a22 on boat'),
	],
	[
		['boat', 'owl'],
		'the owl of the second picture sitting on the boat from the first picture',
		merged({ place: 'sea' }, 'boat', 'owl on boat'),
	],
	[
		['fox', 'rain'],
		'place the fox from image 1 under the umbrella in image 2',
		merged({ place: 'street', weather: ['rain'] }, 'cat', 'umbrella', 'fox #dd4a22 under umbrella'),
	],
	[
		['owl', 'fox'],
		'put image 1’s owl next to image 2’s fox',
		merged({ place: 'forest' }, 'fox #dd4a22', '2 mushroom', 'owl beside fox'),
	],
	[
		['rider', 'boat'],
		'put the knight from image 1 into image 2',
		merged({ place: 'sea' }, 'boat', 'knight', 'hat worn by knight'),
	],
	[
		['fox', 'owl'],
		'put the fox from image 1 into the landscape of image 2',
		merged({ place: 'mountains', style: 'watercolour' }, 'owl', 'fox #dd4a22'),
	],
	[
		['fox', 'boat', 'owl'],
		'the fox from image 1 and the owl from image 3 on the boat of image 2',
		merged({ place: 'sea' }, 'boat', 'fox #dd4a22 on boat', 'owl on boat'),
	],
	[['boat', 'rain'], 'put image 1 into image 2', merged({ place: 'street' }, 'cat', 'umbrella', 'boat')],
	[
		['fox', 'boat'],
		'replace the background of image 1 with image 2',
		merged({ place: 'sea', time: 'sunset' }, 'fox #dd4a22', '2 mushroom'),
	],
	[
		['fox', 'rain'],
		'use image 2 as the background of image 1',
		merged({ place: 'street', weather: ['rain'] }, 'fox #dd4a22', '2 mushroom'),
	],
	[
		['fox', 'owl'],
		'image 1 in the style of image 2',
		merged({ place: 'forest', time: 'day', style: 'watercolour' }, 'fox #dd4a22', '2 mushroom'),
	],
	[
		['fox', 'boat'],
		'use the light of image 2 on image 1',
		merged({ place: 'forest', time: 'sunset' }, 'fox #dd4a22', '2 mushroom'),
	],
	[
		['fox', 'owl'],
		'the colours and the mood of image 2 for image 1',
		merged({ place: 'forest', tint: '#2f62d9' }, 'fox #dd4a22', '2 mushroom'),
	],
	[
		['rain', 'fox'],
		'give image 2 the weather of image 1',
		merged({ place: 'forest', weather: ['rain'] }, 'fox #dd4a22', '2 mushroom'),
	],
	[['fox', 'owl'], 'combine them into one picture', merged({ place: 'forest' }, 'fox #dd4a22', '2 mushroom', 'owl')],
	[
		['fox', 'boat', 'owl'],
		'merge all three and make it night',
		merged({ place: 'forest', time: 'night' }, 'fox #dd4a22', '2 mushroom', 'boat', 'owl'),
	],
	[
		['rain', 'owl'],
		'let them meet, with snow',
		merged({ place: 'street', weather: ['snow'] }, 'cat', 'umbrella', 'owl'),
	],
	[
		['fox', 'boat'],
		'Setze den Fuchs aus Bild 1 auf das Boot von Bild 2',
		merged({ place: 'sea' }, 'boat', 'fox #dd4a22 on boat'),
	],
	[['fox', 'owl'], 'mets le renard de l’image 1 dans l’image 2', merged({ place: 'mountains' }, 'owl', 'fox #dd4a22')],
	[['fox', 'boat'], 'side by side', laid('row', { order: [0, 1] })],
	[['fox', 'boat'], 'image 2 to the left of image 1, in black and white', laid('row', { order: [1, 0] })],
	[['fox', 'boat', 'owl'], 'a collage of all three', laid('prints', { order: [0, 1, 2] })],
	[
		['fox', 'boat'],
		'put image 2 in the top right corner of image 1',
		laid('inset', { ground: 0, insets: [{ image: 1, spot: { x: 1, y: 0 } }] }),
	],
	[['fox', 'boat'], 'fade from image 2 to image 1', laid('fade', { order: [1, 0], direction: 'across' })],
	[['fox', 'boat'], 'frame image 1 with image 2', laid('frame', { inside: 0, around: 1 })],
	[['owl', 'rider', 'fox'], 'a grid', laid('grid', { order: [0, 1, 2] })],
];
