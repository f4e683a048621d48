import { box, disc, type Figure, oval, type Part } from './figure.ts';

const turned = (n: number, shape: (angle: number) => string) =>
	Array.from({ length: n }, (_, index) => shape((index / n) * Math.PI * 2)).join('');

/** `n` round petals about a middle. */
const petals = (x: number, y: number, n: number, reach: number, r: number) =>
	turned(n, (a) => disc(x + Math.cos(a) * reach, y + Math.sin(a) * reach, r));

const leafPair = (y: number): Part => [
	'#4f8f4a',
	`M100 ${y}C70 ${y - 40} 30 ${y - 30} 14 ${y - 50}C24 ${y} 60 ${y + 16} 100 ${y + 8}ZM100 ${y - 20}C130 ${y - 60} 170 ${y - 50} 186 ${y - 70}C176 ${y - 20} 140 ${y - 4} 100 ${y - 12}Z`,
];
const stem = (top: number, bottom = 300): Part => ['#3f7f45', `M100 ${top}V${bottom}`, 8];

export const tree: Figure = {
	box: [280, 340],
	colour: '#4f9a4f',
	accent: '#6d4a35',
	share: 0.62,
	parts: [
		[
			'accent',
			'M124 340C132 300 132 260 126 210L84 160L96 152L132 190L134 130H150L150 180L186 140L198 150L156 206C150 260 152 300 164 340Z',
		],
		['base', disc(140, 96, 92) + disc(66, 146, 58) + disc(214, 146, 58) + disc(140, 164, 62)],
		['shade', `${disc(206, 160, 46)}M176 14A92 92 0 0 1 214 150A70 70 0 0 1 130 214A110 110 0 0 0 176 14Z`],
		['light', disc(104, 62, 26) + disc(60, 130, 18) + disc(150, 40, 14)],
	],
};
export const pineTree: Figure = {
	box: [220, 380],
	colour: '#2f7058',
	accent: '#5d4033',
	share: 0.66,
	parts: [
		['accent', box(98, 320, 24, 60)],
		[
			'base',
			'M110 4L150 92L132 88L174 170L150 164L196 252L168 246L216 334Q110 356 4 334L52 246L24 252L70 164L46 170L88 88L70 92Z',
		],
		['shade', 'M110 4L150 92L132 88L174 170L150 164L196 252L168 246L216 334Q150 348 112 346L120 200Z'],
		['light', 'M108 16L82 78L100 66ZM84 104L62 154L84 142ZM66 182L42 234L66 222Z'],
	],
};
export const christmasTree: Figure = {
	...pineTree,
	lights: [
		[110, 6, 30],
		[110, 200, 80],
	],
	parts: [
		...pineTree.parts,
		['#f2c53d', 'M74 120Q110 146 146 114M54 200Q110 232 170 192M40 288Q110 322 186 280', 4],
		['#e0483d', disc(92, 150, 9) + disc(140, 220, 10) + disc(70, 300, 10) + disc(124, 96, 7)],
		['#5fb5d8', disc(132, 160, 8) + disc(80, 232, 9) + disc(160, 308, 9)],
		[
			'glow',
			`M110 -22L117 -4L136 -4L121 8L127 26L110 15L93 26L99 8L84 -4L103 -4Z${disc(108, 250, 7)}${disc(104, 190, 6)}`,
		],
	],
};
export const blossomTree: Figure = {
	...tree,
	colour: '#f2a0b8',
	parts: [
		...tree.parts,
		[
			'white',
			[
				[80, 90],
				[120, 50],
				[170, 70],
				[200, 120],
				[60, 160],
				[130, 130],
				[160, 170],
				[100, 180],
				[220, 160],
			]
				.map(([x = 0, y = 0]) => petals(x, y, 5, 5, 4))
				.join(''),
		],
	],
};
export const palmTree: Figure = {
	box: [280, 340],
	colour: '#3f9a5f',
	accent: '#9a6b45',
	share: 0.6,
	parts: [
		['accent', 'M96 340C104 240 120 160 150 96L168 102C146 170 132 250 134 340Z'],
		['deep', 'M100 304H132M102 270H132M108 236H136M114 202H142M124 168H148M136 134H158', 3],
		[
			'base',
			'M158 98C120 50 60 40 10 84C60 74 110 84 156 106ZM158 98C130 30 90 10 50 8C90 30 126 60 152 102ZM158 98C160 40 190 8 226 4C200 30 180 60 166 102ZM158 98C200 46 250 50 276 92C236 76 200 84 164 106ZM158 98C210 90 250 120 258 164C230 128 200 112 160 110ZM158 98C104 86 62 110 46 158C76 124 110 112 156 110Z',
		],
		[
			'shade',
			'M158 98C200 46 250 50 276 92C236 76 200 84 164 106ZM158 98C104 86 62 110 46 158C76 124 110 112 156 110Z',
		],
		['#7a4d33', disc(148, 112, 11) + disc(168, 116, 11) + disc(156, 126, 11)],
	],
};
export const bonsai: Figure = {
	box: [280, 240],
	colour: '#3f8a56',
	accent: '#6d4a35',
	share: 0.32,
	parts: [
		[
			'accent',
			'M128 206C150 180 96 160 112 130C120 110 150 116 150 84L168 88C172 130 136 130 140 148C146 166 176 176 164 206Z',
		],
		['base', oval(160, 60, 76, 38) + oval(76, 116, 62, 28) + oval(216, 126, 54, 24)],
		['light', oval(142, 46, 40, 14) + oval(62, 108, 30, 9) + oval(206, 118, 26, 8)],
		['#4f6a9a', 'M60 204H230L214 240H76Z'],
		['#3a5078', box(52, 200, 186, 14, 4)],
	],
};
export const cactus: Figure = {
	box: [200, 280],
	colour: '#4f9a62',
	share: 0.4,
	parts: [
		['base', 'M40 96V140Q40 166 66 166H90M160 70V126Q160 152 134 152H110', 30],
		['base', box(74, 20, 52, 262, 26)],
		['shade', box(104, 22, 22, 258, 11)],
		['light', 'M88 50V270M40 96V138', 4],
		['#f06a92', petals(100, 16, 6, 10, 8) + petals(40, 80, 5, 7, 6)],
		['#f7d35a', disc(100, 16, 6)],
	],
};
export const mushroom: Figure = {
	box: [220, 230],
	colour: '#d8402f',
	share: 0.3,
	perch: true,
	seat: [110, 60],
	head: [110, 20],
	parts: [
		['#f3e6d0', 'M82 116C88 160 70 200 66 228H154C150 200 132 160 138 116Z'],
		['#dcc7a8', 'M118 116C124 160 130 200 128 228H154C150 200 132 160 138 116Z'],
		['base', 'M8 124C8 54 54 8 110 8C166 8 212 54 212 124C180 140 40 140 8 124Z'],
		['shade', 'M8 124C60 112 160 112 212 124C180 140 40 140 8 124Z'],
		[
			'white',
			oval(78, 52, 19, 15) +
				oval(140, 44, 14, 11) +
				oval(168, 90, 17, 13) +
				oval(44, 96, 14, 12) +
				oval(112, 92, 15, 11),
		],
	],
};
export const flower: Figure = {
	box: [200, 300],
	colour: '#f4f1ea',
	held: { grip: [100, 240], size: 0.5 },
	share: 0.34,
	parts: [
		stem(90),
		leafPair(230),
		['base', petals(100, 80, 9, 46, 23)],
		['shade', petals(100, 80, 9, 28, 12)],
		['#f2bd3a', disc(100, 80, 28)],
		['#d9922a', disc(106, 88, 14)],
	],
};
export const sunflower: Figure = {
	box: [200, 320],
	colour: '#f5bd2f',
	held: { grip: [100, 240], size: 0.5 },
	share: 0.46,
	parts: [
		stem(90, 320),
		leafPair(250),
		[
			'shade',
			turned(
				14,
				(a) =>
					`M${100 + Math.cos(a - 0.2) * 36} ${86 + Math.sin(a - 0.2) * 36}L${100 + Math.cos(a) * 84} ${86 + Math.sin(a) * 84}L${100 + Math.cos(a + 0.2) * 36} ${86 + Math.sin(a + 0.2) * 36}Z`,
			),
		],
		[
			'base',
			turned(
				14,
				(a) =>
					`M${100 + Math.cos(a + 0.04) * 34} ${86 + Math.sin(a + 0.04) * 34}Q${100 + Math.cos(a + 0.1) * 70} ${86 + Math.sin(a + 0.1) * 70} ${100 + Math.cos(a + 0.22) * 82} ${86 + Math.sin(a + 0.22) * 82}Q${100 + Math.cos(a + 0.4) * 66} ${86 + Math.sin(a + 0.4) * 66} ${100 + Math.cos(a + 0.42) * 34} ${86 + Math.sin(a + 0.42) * 34}Z`,
			),
		],
		['#6a3f22', disc(100, 86, 40)],
		['#8a5a30', petals(100, 86, 12, 28, 4) + petals(100, 86, 7, 15, 4)],
	],
};
export const rose: Figure = {
	box: [200, 300],
	colour: '#cf2f45',
	held: { grip: [100, 240], size: 0.5 },
	share: 0.36,
	parts: [
		stem(120),
		leafPair(230),
		['base', 'M100 20C140 14 170 40 166 80C170 116 140 138 100 138C60 138 30 116 34 80C30 40 60 14 100 20Z'],
		['shade', 'M36 72C60 60 70 90 100 96C130 90 140 60 164 72C170 116 140 138 100 138C60 138 30 116 36 72Z'],
		['light', 'M68 48C80 30 120 30 132 50C120 44 112 52 100 52C88 52 80 44 68 48Z'],
		['deep', 'M76 62C76 46 124 44 126 64C126 82 96 84 94 70C94 62 108 60 110 68', 4],
	],
};
export const tulip: Figure = {
	box: [200, 300],
	colour: '#e8526a',
	held: { grip: [100, 240], size: 0.5 },
	share: 0.34,
	parts: [
		stem(110),
		[
			'#4f8f4a',
			'M100 300C60 260 40 200 50 140C80 180 96 240 100 300ZM100 300C140 260 160 210 154 160C124 196 106 250 100 300Z',
		],
		['shade', 'M100 10C124 30 132 60 126 100H74C68 60 76 30 100 10Z'],
		['base', 'M48 30C76 44 92 70 100 124C62 124 38 90 48 30ZM152 30C124 44 108 70 100 124C138 124 162 90 152 30Z'],
		['light', 'M54 44C70 60 80 84 84 112C66 100 54 76 54 44Z'],
	],
};
export const lotus: Figure = {
	box: [260, 130],
	colour: '#f2a0c0',
	habitat: 'water',
	share: 0.18,
	parts: [
		['#4f9a62', oval(130, 112, 122, 18)],
		[
			'shade',
			'M130 10C150 40 152 80 130 108C108 80 110 40 130 10ZM70 26C104 40 124 70 130 108C96 100 74 70 70 26ZM190 26C156 40 136 70 130 108C164 100 186 70 190 26Z',
		],
		[
			'base',
			'M30 60C70 56 110 76 130 110C90 116 50 100 30 60ZM230 60C190 56 150 76 130 110C170 116 210 100 230 60ZM94 34C122 52 132 80 130 110C106 96 92 68 94 34ZM166 34C138 52 128 80 130 110C154 96 168 68 166 34Z',
		],
		['#f7d35a', oval(130, 104, 18, 8)],
	],
};
export const bush: Figure = {
	box: [240, 140],
	colour: '#5a9a4f',
	share: 0.2,
	parts: [
		['base', disc(60, 92, 48) + disc(120, 64, 58) + disc(184, 92, 48) + box(20, 90, 200, 50, 20)],
		['shade', disc(190, 108, 32) + oval(110, 124, 80, 16)],
		['#e0483d', disc(70, 70, 6) + disc(120, 50, 6) + disc(150, 86, 6) + disc(90, 104, 6) + disc(186, 84, 6)],
	],
};
export const bamboo: Figure = {
	box: [180, 380],
	colour: '#6aa84f',
	share: 0.62,
	parts: [
		['shade', box(120, 40, 16, 340, 4)],
		['base', box(38, 10, 20, 370, 4) + box(82, -10, 18, 390, 4)],
		[
			'deep',
			'M36 80H60M36 160H60M36 240H60M36 320H60M80 60H102M80 140H102M80 220H102M80 300H102M118 120H138M118 210H138M118 300H138',
			4,
		],
		[
			'light',
			'M58 90C90 70 110 80 130 110C100 110 76 106 58 90ZM100 70C130 44 156 50 172 76C144 82 120 80 100 70ZM38 170C16 150 0 156 -14 180C8 186 26 182 38 170ZM100 230C130 214 152 222 168 246C142 248 118 244 100 230Z',
		],
	],
};
