/** Furniture of rooms and streets. */
import { box, disc, type Figure } from './figure.ts';

export const lamp: Figure = {
	box: [160, 280],
	colour: '#e8b45a',
	share: 0.34,
	lights: [[80, 90, 120]],
	parts: [
		['#8a5a34', box(74, 100, 12, 164)],
		['#8a5a34', 'M36 280C36 258 124 258 124 280Z'],
		['base', 'M44 16L116 16L150 112L10 112Z'],
		['glow', 'M56 30L104 30L126 106L34 106Z'],
	],
};

export const lantern: Figure = {
	box: [150, 220],
	colour: '#d8402f',
	held: { grip: [75, 6], size: 0.42 },
	share: 0.26,
	lights: [[75, 120, 110]],
	parts: [
		['#3a3038', 'M75 40V4M50 30Q75 0 100 30', 5],
		['#3a3038', box(40, 36, 70, 15, 4) + box(40, 184, 70, 15, 4)],
		['base', 'M40 50C0 80 0 156 40 186H110C150 156 150 80 110 50Z'],
		['glow', 'M60 54C38 90 38 146 60 182H90C112 146 112 90 90 54Z'],
		['shade', 'M24 78H126M14 118H136M24 158H126', 3],
		['#f2c53d', 'M75 198V220M66 198V214M84 198V214', 4],
	],
};

export const streetlamp: Figure = {
	box: [120, 400],
	colour: '#39405a',
	share: 0.56,
	lights: [[60, 62, 130]],
	parts: [
		['base', box(54, 90, 12, 300)],
		['base', 'M36 400C36 372 84 372 84 400ZM44 96H76L70 84H50Z'],
		['glow', 'M34 36L86 36L76 86L44 86Z'],
		['base', 'M60 4L94 38L26 38Z'],
		['base', 'M34 36L44 86M86 36L76 86', 4],
	],
};

export const piano: Figure = {
	box: [320, 240],
	colour: '#2f2b3a',
	share: 0.36,
	perch: true,
	seat: [120, 60],
	parts: [
		['deep', box(30, 150, 14, 90) + box(270, 150, 14, 90) + box(150, 150, 14, 86)],
		['base', 'M16 4C100 -16 150 60 300 90V110H16Z'],
		['base', box(10, 104, 296, 50, 6)],
		['light', 'M16 104L30 18C100 10 150 70 290 98Z'],
		['white', box(14, 128, 180, 16)],
		['ink', [0, 1, 2, 3, 4, 5, 6, 7, 8].map((key) => box(26 + key * 18, 128, 9, 10)).join('')],
	],
};

export const clock: Figure = {
	box: [220, 230],
	colour: '#d8a03f',
	share: 0.32,
	parts: [
		['shade', 'M50 196L34 228M170 196L186 228', 14],
		['base', disc(54, 38, 26) + disc(166, 38, 26)],
		['base', disc(110, 120, 94)],
		['shade', disc(110, 120, 80)],
		['white', disc(110, 120, 74)],
		['ink', 'M110 58V70M110 170V182M48 120H60M160 120H172M110 120V80M110 120L138 136', 6],
		['#d8322b', disc(110, 120, 7)],
	],
};

export const chair: Figure = {
	box: [200, 240],
	colour: '#c8604a',
	share: 0.36,
	perch: true,
	seat: [100, 140],
	parts: [
		['#6a4632', box(34, 200, 16, 40) + box(150, 200, 16, 40)],
		['base', box(36, 10, 128, 150, 40)],
		['shade', box(54, 34, 92, 100, 26)],
		['base', box(14, 100, 42, 110, 18) + box(144, 100, 42, 110, 18)],
		['light', box(48, 134, 104, 40, 14)],
		['base', box(44, 160, 112, 50, 8)],
	],
};

export const sofa: Figure = {
	box: [340, 190],
	colour: '#4a8a86',
	share: 0.3,
	perch: true,
	seat: [170, 110],
	parts: [
		['#6a4632', box(40, 164, 16, 26) + box(284, 164, 16, 26)],
		['base', box(36, 10, 268, 120, 34)],
		['shade', 'M170 24V110', 5],
		['light', box(50, 86, 240, 44, 16)],
		['base', box(8, 70, 52, 100, 22) + box(280, 70, 52, 100, 22)],
		['base', box(44, 124, 252, 46, 8)],
		['#f2bd3a', box(70, 54, 56, 50, 10)],
	],
};

export const candle: Figure = {
	box: [120, 260],
	colour: '#f4ead2',
	held: { grip: [60, 200], size: 0.4 },
	share: 0.3,
	lights: [[60, 36, 120]],
	parts: [
		['glow', 'M60 4C84 36 76 62 60 62C44 62 36 36 60 4Z'],
		['#ff9a3c', 'M60 30C70 46 68 60 60 60C52 60 50 46 60 30Z'],
		['ink', 'M60 58V74', 3],
		['base', 'M34 76C50 66 70 66 86 76V236H34Z'],
		['shade', 'M68 70L86 76V236H68Z'],
		['light', 'M34 76C50 66 70 66 86 76C84 92 78 100 74 88C70 80 64 110 58 96C52 84 46 116 40 100C36 92 34 84 34 76Z'],
		['#b98a3c', 'M10 232H110C104 254 84 260 60 260C36 260 16 254 10 232Z'],
	],
};

export const vase: Figure = {
	box: [180, 300],
	colour: '#4f78b5',
	share: 0.36,
	parts: [
		['#3f7f45', 'M90 150C86 110 60 90 56 60M90 150V50M90 150C96 110 120 90 126 66', 5],
		['#f06a7a', disc(54, 50, 24)],
		['#f7c65a', disc(90, 34, 26)],
		['#f4f1ea', disc(128, 56, 23)],
		['#a83a4a', disc(54, 50, 9) + disc(128, 56, 8)],
		['#b5742f', disc(90, 34, 10)],
		['base', 'M62 140H118C112 172 160 190 156 240C154 276 132 296 90 296C48 296 26 276 24 240C20 190 68 172 62 140Z'],
		['shade', 'M104 140H118C112 172 160 190 156 240C154 276 132 296 100 296C140 250 120 190 104 140Z'],
		['pale', 'M28 226Q90 256 152 226L154 240Q90 270 26 240Z'],
	],
};

export const door: Figure = {
	box: [150, 270],
	colour: '#3f7f9a',
	backdrop: true,
	share: 0.42,
	lights: [[75, 140, 120]],
	parts: [
		['#6a4a38', box(2, 2, 146, 268, 8)],
		['glow', box(14, 14, 122, 256)],
		['base', 'M14 14L112 34L112 258L14 270Z'],
		['shade', 'M28 38L98 52L98 130L28 128Z' + 'M28 150L98 150L98 236L28 244Z'],
		['#f2c53d', disc(100, 146, 6)],
	],
};

export const bench: Figure = {
	box: [300, 150],
	colour: '#a9653a',
	share: 0.22,
	perch: true,
	seat: [150, 90],
	parts: [
		['#3a4058', box(34, 20, 11, 130) + box(256, 20, 11, 130)],
		['base', box(10, 14, 280, 20, 4) + box(10, 44, 280, 20, 4)],
		['light', box(4, 84, 292, 18, 4)],
		['shade', box(4, 102, 292, 10, 3)],
	],
};

export const bed: Figure = {
	box: [360, 190],
	colour: '#5a78b5',
	share: 0.3,
	perch: true,
	seat: [190, 110],
	parts: [
		['#7a4d33', box(6, 20, 24, 170, 8) + box(330, 80, 24, 110, 8) + box(20, 140, 320, 30)],
		['white', box(28, 96, 310, 50, 14)],
		['#f4ead2', box(36, 76, 84, 42, 18)],
		['base', 'M120 90C200 76 300 84 334 96V150H110Z'],
		['light', 'M120 90C140 86 150 86 160 86V150H110Z'],
	],
};
