/** People: one build, many clothes. The prompt's colour is the colour of what they wear. */
import type { Hex } from '../colour.ts';
import { box, disc, type Figure, oval, type Part } from './figure.ts';

interface Person {
	readonly colour: Hex;
	readonly accent?: Hex;
	readonly share?: number;
	/** From the shoulders down; a dress hides the legs. */
	readonly clothes: readonly Part[];
	readonly legs?: readonly Part[];
	/** Behind the body: hair, cape, wings. */
	readonly behind?: readonly Part[];
	/** Over the face: hair, hat, helmet. */
	readonly top: readonly Part[];
	readonly arms?: readonly Part[];
	readonly face?: readonly Part[];
}

const face: Part[] = [
	['skin', disc(100, 90, 46)],
	['skin', disc(54, 94, 9) + disc(146, 94, 9)],
	['ink', oval(83, 96, 5, 6.5) + oval(117, 96, 5, 6.5)],
	['#ffffff', disc(85, 93.5, 1.9) + disc(119, 93.5, 1.9)],
	['#e8847c', oval(72, 110, 8, 5) + oval(128, 110, 8, 5)],
	['ink', 'M91 114Q100 122 109 114', 2.8],
];

const trousers: Part[] = [
	['accent', box(72, 216, 25, 66, 6) + box(103, 216, 25, 66, 6)],
	['#4a3a3c', 'M66 292V282Q66 272 80 272H97V292ZM103 292V272H120Q134 272 134 282V292Z'],
];

const sleeves = (tone: Part[0]): Part[] => [
	[tone, 'M66 154C52 170 46 190 50 208M134 154C148 170 154 190 150 208', 19],
	['skin', disc(50, 212, 10) + disc(150, 212, 10)],
];

const robe: Part = [
	'base',
	'M100 130C128 130 140 142 146 168L164 284Q132 294 100 294Q68 294 36 284L54 168C60 142 72 130 100 130Z',
];
const robeShade: Part = ['shade', 'M100 150L128 150L164 284Q132 294 112 294Z'];
const tunic: Part = ['base', 'M100 130C126 130 138 140 142 164L148 232H52L58 164C62 140 74 130 100 130Z'];
const dress: Part = [
	'base',
	'M100 130C124 130 132 142 136 164L164 250Q132 262 100 262Q68 262 36 250L64 164C68 142 76 130 100 130Z',
];
const dressLegs: Part[] = [
	['skin', box(80, 246, 13, 36) + box(107, 246, 13, 36)],
	['#7a3a3c', 'M72 294V286Q74 276 86 276H95V294ZM105 294V276H114Q126 276 128 286V294Z'],
];

const shortHair: Part = [
	'hair',
	'M52 92C44 50 72 36 102 38C136 38 156 56 148 92C142 78 136 70 128 66C112 74 84 74 72 64C62 70 56 80 52 92Z',
];
const longHair: Part = [
	'hair',
	'M100 36C146 34 158 76 154 112C152 140 162 164 152 180C130 190 70 190 48 180C38 164 48 140 46 112C42 76 54 34 100 36Z',
];
const fringe: Part = [
	'hair',
	'M52 94C48 54 72 40 100 40C128 40 152 54 148 94C140 80 132 70 122 64C108 78 76 82 60 78Z',
];

function person({
	clothes,
	legs = trousers,
	behind = [],
	top,
	arms = sleeves('base'),
	face: own = face,
	...rest
}: Person): Figure {
	return {
		box: [200, 296],
		share: 0.4,
		clothed: true,
		seat: [100, 210],
		head: [100, 46],
		hands: [100, 206],
		parts: [...behind, ...legs, ...clothes, ...arms, ...own, ...top],
		...rest,
	};
}

export const girl = person({
	colour: '#d8483f',
	share: 0.34,
	behind: [longHair],
	legs: dressLegs,
	clothes: [
		dress,
		['shade', 'M100 176H128L164 250Q132 262 112 262Z'],
		['white', 'M80 132Q100 154 120 132L112 128H88Z'],
	],
	top: [fringe],
});
export const boy = person({
	colour: '#3f7fc0',
	accent: '#4a4a6a',
	share: 0.34,
	clothes: [tunic, ['light', 'M54 184H146L147 200H53ZM55 212H147V222H54Z']],
	top: [shortHair],
});
export const woman = person({
	colour: '#3a8a86',
	behind: [longHair],
	legs: dressLegs,
	clothes: [dress, ['accent', 'M62 182H138L141 194H59Z']],
	top: [fringe],
});
export const man = person({
	colour: '#5a6a8a',
	accent: '#3a3f55',
	share: 0.42,
	clothes: [
		tunic,
		['white', 'M86 132L100 160L114 132Z'],
		['accent', 'M96 144H104L108 190L100 200L92 190Z'],
		['shade', 'M100 160L86 132L70 142L96 232H104L130 142L114 132Z'],
	],
	top: [shortHair],
});
export const grandparent = person({
	colour: '#8a6fa0',
	behind: [['#e9e6ee', disc(100, 40, 20)]],
	legs: dressLegs,
	clothes: [dress, ['light', 'M84 150H116L124 250H76Z']],
	top: [
		['#e9e6ee', 'M52 92C44 52 72 38 100 38C130 38 156 52 148 92C142 76 130 62 100 60C70 62 58 76 52 92Z'],
		['ink', `${disc(82, 96, 14)}${disc(118, 96, 14)}M96 96H104`, 2.4],
	],
});
export const knight = person({
	colour: '#a9b4c4',
	accent: '#c23b3b',
	share: 0.44,
	behind: [['accent', 'M70 140C50 190 46 240 34 284Q66 292 100 284Q130 292 168 284C154 240 150 190 130 140Z']],
	legs: [
		['shade', box(70, 214, 27, 70, 8) + box(103, 214, 27, 70, 8)],
		['deep', box(64, 270, 34, 24, 8) + box(102, 270, 34, 24, 8)],
		['light', box(72, 226, 23, 18, 8) + box(105, 226, 23, 18, 8)],
	],
	clothes: [
		tunic,
		['accent', 'M76 140H124L130 236H70Z'],
		['#f3d27a', 'M94 158H106V176H122V188H106V214H94V188H78V176H94Z'],
	],
	arms: [
		['base', 'M64 154C50 170 46 186 48 204M136 154C150 170 154 186 152 204', 22],
		['light', disc(62, 152, 18) + disc(138, 152, 18)],
		['deep', disc(48, 210, 12) + disc(152, 210, 12)],
		['#dfe6ef', 'M146 206V92L152 78L158 92V206Z'],
		['#b98a3c', 'M134 200H170V210H134ZM148 208H156V230H148Z'],
	],
	top: [
		['base', 'M100 34C140 34 154 64 152 96V126Q152 142 128 142H72Q48 142 48 126V96C46 64 60 34 100 34Z'],
		['ink', 'M58 84H142V100H108V128H92V100H58Z'],
		['light', 'M60 74C66 48 82 42 92 40C78 52 72 64 70 76Z'],
		['accent', 'M96 36C92 10 66 -6 44 6C60 10 70 22 72 40C82 28 92 30 100 40Z'],
	],
});
export const astronaut = person({
	colour: '#eef0f4',
	accent: '#f08a3c',
	share: 0.42,
	behind: [['shade', box(48, 132, 104, 96, 18)]],
	legs: [
		['base', box(66, 212, 32, 72, 14) + box(102, 212, 32, 72, 14)],
		['accent', box(66, 244, 32, 8) + box(102, 244, 32, 8)],
		['#7d8596', box(60, 272, 40, 22, 10) + box(100, 272, 40, 22, 10)],
	],
	clothes: [
		['base', box(52, 134, 96, 98, 34)],
		['#cfd6e2', box(72, 164, 56, 40, 10)],
		['accent', disc(86, 178, 6)],
		['#4fb3a5', disc(102, 178, 6)],
		['#7d8596', box(82, 190, 36, 6, 3)],
	],
	arms: [
		['base', 'M62 160C46 172 42 190 46 204M138 160C154 172 158 190 154 204', 25],
		['#7d8596', disc(46, 212, 14) + disc(154, 212, 14)],
	],
	face: [],
	top: [
		['base', disc(100, 88, 60)],
		['#2a3556', 'M100 46C138 46 146 66 146 88C146 114 130 126 100 126C70 126 54 114 54 88C54 66 62 46 100 46Z'],
		['#5f7fc0', 'M62 84C62 62 80 52 108 52C84 60 72 76 70 104C64 100 62 92 62 84Z'],
		['#f6c27a', oval(124, 104, 10, 5)],
		['accent', box(34, 78, 12, 26, 6) + box(154, 78, 12, 26, 6)],
	],
});
export const wizard = person({
	colour: '#4a4fb0',
	accent: '#f3cf5a',
	share: 0.44,
	legs: [],
	clothes: [
		robe,
		robeShade,
		['accent', 'M60 200H140L142 212H58Z'],
		[
			'accent',
			'M80 240l4 8 9 1 -6 6 1 9 -8 -4 -8 4 1 -9 -6 -6 9 -1ZM120 256l3 6 7 1 -5 5 1 7 -6 -3 -6 3 1 -7 -5 -5 7 -1Z',
		],
	],
	arms: [...sleeves('base'), ['#7a4f30', 'M158 284L166 108', 7], ['glow', disc(166, 96, 15)]],
	top: [
		['#f1eef2', 'M58 104C60 140 84 182 100 196C116 182 140 140 142 104C130 120 116 112 100 112C84 112 70 120 58 104Z'],
		['ink', 'M92 124Q100 130 108 124', 2.8],
		[
			'base',
			'M24 66C60 50 140 50 176 66C150 80 50 80 24 66ZM52 62C70 30 90 -10 122 -34C126 -10 140 30 148 62C120 70 80 70 52 62Z',
		],
		['accent', 'M52 60C80 68 120 68 148 60L145 48C118 56 84 56 58 48Z'],
	],
});
export const witch = person({
	colour: '#4b3566',
	accent: '#8ac04a',
	share: 0.44,
	behind: [longHair],
	legs: [],
	clothes: [robe, robeShade],
	arms: [
		...sleeves('base'),
		['#7a4f30', 'M160 284L160 120', 6],
		['#d8a54a', 'M146 284C142 250 152 244 160 244C168 244 178 250 174 284Z'],
	],
	top: [
		fringe,
		[
			'base',
			'M20 68C60 50 140 50 180 68C150 84 50 84 20 68ZM54 64C74 30 84 -10 70 -44C100 -20 134 30 146 64C120 72 80 72 54 64Z',
		],
		['accent', 'M54 62C80 70 120 70 146 62L140 48C118 56 84 56 60 48Z'],
	],
});
export const king = person({
	colour: '#a8323f',
	accent: '#f2c53d',
	share: 0.42,
	legs: [],
	behind: [['shade', 'M66 140C44 190 36 250 22 288Q100 302 178 288C164 250 156 190 134 140Z']],
	clothes: [robe, ['white', 'M92 134H108L114 294H86ZM60 140Q100 176 140 140L146 156Q100 196 54 156Z']],
	top: [
		shortHair,
		['hair', 'M60 104C60 150 88 160 100 160C112 160 140 150 140 104C130 118 116 108 100 108C84 108 70 118 60 104Z'],
		['ink', 'M90 122Q100 130 110 122', 2.8],
		['accent', 'M58 52L52 8L76 28L100 0L124 28L148 8L142 52Q100 62 58 52Z'],
		['#d8485a', disc(100, 40, 6) + disc(76, 42, 4) + disc(124, 42, 4)],
	],
});
export const princess = person({
	colour: '#e58ab4',
	accent: '#f2c53d',
	behind: [longHair],
	legs: [],
	clothes: [
		[
			'base',
			'M100 130C122 130 130 142 132 166C150 200 176 250 184 290Q100 304 16 290C24 250 50 200 68 166C70 142 78 130 100 130Z',
		],
		['light', 'M100 170C84 210 70 260 64 296Q100 300 136 296C130 260 116 210 100 170Z'],
	],
	top: [fringe, ['accent', 'M66 52L64 22L82 38L100 16L118 38L136 22L134 52Q100 60 66 52Z']],
});
export const pirate = person({
	colour: '#8f2f35',
	accent: '#2f2a3a',
	clothes: [
		tunic,
		['white', 'M84 132L100 232H100L116 132Z'],
		['accent', 'M54 204H146L147 218H53Z'],
		['#f2c53d', box(90, 203, 20, 16, 3)],
	],
	top: [
		['hair', 'M62 108C62 146 90 156 100 156C110 156 138 146 138 108C128 118 114 110 100 110C86 110 72 118 62 108Z'],
		['ink', 'M90 124Q100 130 110 124', 2.8],
		['ink', 'M104 92C104 84 130 84 130 92C130 106 104 106 104 92ZM56 74L146 96L144 100L54 80Z'],
		['accent', 'M30 70C40 30 70 14 100 14C130 14 160 30 170 70C150 56 120 52 100 52C80 52 50 56 30 70Z'],
		['white', `${disc(100, 32, 9)}M94 36H106V46H94Z`],
	],
});
export const ninja = person({
	colour: '#2d3048',
	accent: '#c8323a',
	legs: [
		['base', box(72, 216, 25, 74, 6) + box(103, 216, 25, 74, 6)],
		['shade', box(66, 276, 32, 18, 7) + box(102, 276, 32, 18, 7)],
	],
	behind: [
		['#b8c0cc', 'M148 60L56 190', 7],
		['accent', 'M148 76C176 70 186 84 196 76C192 96 170 98 150 90Z'],
	],
	clothes: [tunic, ['accent', 'M54 198H146L148 212H52Z']],
	top: [
		['base', disc(100, 88, 50)],
		['skin', box(60, 80, 80, 27, 13)],
		['ink', oval(82, 94, 5, 6.5) + oval(118, 94, 5, 6.5)],
		['accent', 'M52 66C80 58 120 58 148 66L149 76C120 68 80 68 51 76Z'],
	],
});
export const monk = person({
	colour: '#d9822f',
	legs: [],
	clothes: [robe, ['shade', 'M66 150L140 240L150 200L120 136Z'], ['light', 'M60 156L128 292H108L50 200Z']],
	top: [],
});
export const farmer = person({
	colour: '#4f7a9a',
	accent: '#4f7a9a',
	clothes: [
		['#d9534a', 'M100 130C126 130 138 140 142 164L148 232H52L58 164C62 140 74 130 100 130Z'],
		['base', 'M76 164H124L134 234H66ZM74 134H84V170H74ZM116 134H126V170H116Z'],
	],
	arms: sleeves('#d9534a'),
	top: [
		shortHair,
		[
			'#e6c46a',
			'M22 66C60 54 140 54 178 66C150 78 50 78 22 66ZM60 62C60 30 74 22 100 22C126 22 140 30 140 62C120 68 80 68 60 62Z',
		],
		['#b0523a', 'M60 60C80 66 120 66 140 60V50C120 56 80 56 60 50Z'],
	],
});
export const diver = person({
	colour: '#f0b03a',
	accent: '#3a3f55',
	behind: [['#8f98a8', box(60, 128, 80, 90, 20)]],
	clothes: [tunic, ['accent', 'M54 196H146L147 208H53Z']],
	face: [],
	top: [
		['base', disc(100, 88, 56)],
		['#37618c', disc(100, 90, 36)],
		['#8fc6de', 'M72 84C74 66 92 60 104 62C90 68 82 80 82 96C76 96 72 92 72 84Z'],
		['#9a6f2c', disc(100, 90, 36), 7],
	],
});
export const angel = person({
	colour: '#f3eee2',
	accent: '#f5d46a',
	behind: [
		[
			'white',
			'M84 160C50 110 10 100 -10 120C-14 160 6 200 76 206ZM116 160C150 110 190 100 210 120C214 160 194 200 124 206Z',
		],
		longHair,
	],
	legs: [],
	clothes: [robe, robeShade],
	top: [fringe, ['accent', 'M62 26C62 14 138 14 138 26C138 38 62 38 62 26Z', 5]],
});
export const dancer = person({
	colour: '#f0a0b8',
	behind: [['hair', disc(100, 32, 18)]],
	legs: [
		['skin', 'M92 220L84 288M108 220L122 284', 12],
		['base', 'M84 288l-6 6M122 286l8 6', 10],
	],
	clothes: [
		['base', 'M100 130C120 130 126 142 128 166L124 206H76L72 166C74 142 80 130 100 130Z'],
		['light', 'M76 196C40 200 10 220 4 232C40 246 160 246 196 232C190 220 160 200 124 196Z'],
	],
	arms: [['skin', 'M70 150C40 130 40 90 70 50M130 150C160 130 160 90 130 50', 11]],
	top: [['hair', 'M54 88C50 54 74 42 100 42C126 42 150 54 146 88C130 62 70 62 54 88Z']],
});
export const fairy = person({
	colour: '#7cc08a',
	share: 0.28,
	behind: [
		[
			'#d9f0ff',
			'M90 160C40 80 -10 80 -8 120C-4 150 40 170 88 170ZM110 160C160 80 210 80 208 120C204 150 160 170 112 170ZM90 172C50 180 20 200 30 220C50 228 80 200 94 180ZM110 172C150 180 180 200 170 220C150 228 120 200 106 180Z',
		],
		longHair,
	],
	legs: dressLegs,
	clothes: [dress],
	top: [fringe, ['#f59bb0', disc(70, 54, 7) + disc(86, 46, 7) + disc(104, 44, 7) + disc(122, 48, 7)]],
});
export const snowman: Figure = {
	box: [200, 280],
	colour: '#f6f9ff',
	accent: '#d8413c',
	share: 0.38,
	head: [100, 36],
	hands: [100, 170],
	parts: [
		['#6a4a38', 'M46 150L6 118M14 124L4 134M154 150L194 118M186 124L196 134', 6],
		['base', disc(100, 214, 66)],
		['base', disc(100, 134, 50)],
		['base', disc(100, 66, 38)],
		['accent', 'M66 90C80 104 120 104 134 90L138 104C120 118 80 118 62 104ZM116 104L134 100L142 146L124 150Z'],
		['ink', disc(86, 58, 5) + disc(114, 58, 5) + disc(100, 140, 5) + disc(100, 162, 5)],
		['#f08a32', 'M98 64L132 74L98 78Z'],
		['ink', 'M84 84h.1M92 88h.1M102 88h.1', 4.5],
		['#33303f', box(70, -10, 60, 42, 4) + box(54, 26, 92, 11, 5)],
		['accent', box(70, 16, 60, 11)],
	],
};
