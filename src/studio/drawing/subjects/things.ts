/** Things to carry, wear, play and read. */
import { box, disc, type Figure, oval } from './figure.ts';

export const book: Figure = {
	box: [260, 150],
	colour: '#b5402f',
	share: 0.2,
	perch: true,
	seat: [130, 40],
	parts: [
		['base', 'M6 28Q70 8 130 34Q190 8 254 28V142Q190 122 130 148Q70 122 6 142Z'],
		['#fbf3e0', 'M16 16Q76 0 130 26V138Q76 112 16 130Z'],
		['#efe3c8', 'M244 16Q184 0 130 26V138Q184 112 244 130Z'],
		[
			'#a89878',
			'M34 38Q80 30 114 46M34 58Q80 50 114 66M34 78Q80 70 114 86M34 98Q80 90 114 106M146 46Q180 30 226 38M146 66Q180 50 226 58M146 86Q180 70 226 78M146 106Q180 90 226 98',
			3.4,
		],
	],
};

export const books: Figure = {
	box: [240, 170],
	colour: '#b5402f',
	accent: '#3f6f9a',
	share: 0.24,
	perch: true,
	seat: [120, 10],
	parts: [
		['base', box(14, 126, 206, 44, 6)],
		['#f4ead2', box(30, 134, 190, 28)],
		['accent', box(34, 84, 190, 42, 6)],
		['#f4ead2', box(34, 92, 176, 26)],
		['#d9a94a', box(22, 46, 180, 38, 6)],
		['#f4ead2', box(38, 53, 164, 24)],
		['#4f8a6a', box(46, 12, 160, 34, 6)],
		['#f4ead2', box(46, 19, 146, 20)],
	],
};

export const umbrella: Figure = {
	box: [280, 300],
	colour: '#e0483d',
	held: { grip: [100, 274], size: 0.92 },
	share: 0.34,
	head: [140, 10],
	parts: [
		['#6a4632', 'M140 30V250Q140 286 112 286Q88 286 88 262', 9],
		[
			'base',
			'M140 20C220 20 272 80 276 150C256 128 230 128 208 150C186 128 160 128 140 150C120 128 94 128 72 150C50 128 24 128 4 150C8 80 60 20 140 20Z',
		],
		[
			'shade',
			'M140 20C180 50 206 100 208 150C186 128 160 128 140 150ZM140 20C100 50 74 100 72 150C50 128 24 128 4 150C8 80 60 20 140 20Z',
		],
	],
};

export const guitar: Figure = {
	box: [180, 360],
	colour: '#c8783a',
	held: { grip: [90, 250], size: 0.66 },
	share: 0.44,
	parts: [
		['#5b3a28', box(80, 20, 20, 180)],
		['#3a2820', box(70, 0, 40, 44, 8)],
		[
			'base',
			'M90 170C140 170 150 206 136 236C130 250 172 270 168 312C164 348 130 360 90 360C50 360 16 348 12 312C8 270 50 250 44 236C30 206 40 170 90 170Z',
		],
		[
			'shade',
			'M110 172C146 178 148 210 136 236C130 250 172 270 168 312C164 348 130 360 100 360C150 330 150 280 120 250C134 220 132 190 110 172Z',
		],
		['#3a2820', disc(90, 256, 26)],
		['#3a2820', box(56, 318, 68, 10, 4)],
		['#f4ead2', 'M84 10V322M90 10V322M96 10V322', 1.6],
		['#f4ead2', 'M66 10H60M66 24H60M114 10H120M114 24H120', 5],
	],
};

export const kite: Figure = {
	box: [200, 320],
	colour: '#e8563f',
	accent: '#f7c65a',
	habitat: 'sky',
	held: { grip: [96, 318], size: 0.95 },
	share: 0.34,
	parts: [
		['#5b3a28', 'M100 190C130 220 80 250 104 280S90 310 96 320', 3],
		['base', 'M100 4L188 86L100 200L12 86Z'],
		['accent', 'M100 4L188 86L100 86Z' + 'M12 86L100 86L100 200Z'],
		['deep', 'M100 4V200M12 86H188', 3],
		['accent', 'M90 236L120 224L118 248Z' + 'M80 290L110 276L110 300Z'],
	],
};

export const toyBalloon: Figure = {
	box: [150, 320],
	colour: '#e23b50',
	habitat: 'sky',
	held: { grip: [78, 318], size: 0.95 },
	share: 0.34,
	hands: [75, 310],
	parts: [
		['#4a4050', 'M75 186C90 220 60 250 78 320', 2.6],
		['base', 'M75 4C124 4 146 44 142 88C138 134 106 172 75 176C44 172 12 134 8 88C4 44 26 4 75 4Z'],
		['shade', 'M110 18C146 46 146 130 84 174C120 140 130 70 110 18Z'],
		['pale', 'M32 66C34 40 50 28 64 26C50 40 44 56 44 78Z'],
		['base', 'M75 172L88 192L62 192Z'],
	],
};

export const gift: Figure = {
	box: [200, 210],
	colour: '#3f9a8a',
	accent: '#e8483d',
	share: 0.26,
	parts: [
		['accent', 'M100 56C60 -10 10 20 40 50C60 62 84 60 100 56ZM100 56C140 -10 190 20 160 50C140 62 116 60 100 56Z'],
		['base', box(20, 92, 160, 118, 4)],
		['shade', box(120, 92, 60, 118)],
		['light', box(8, 56, 184, 40, 5)],
		['accent', box(84, 56, 32, 154)],
	],
};

export const camera: Figure = {
	box: [240, 180],
	colour: '#4a5068',
	accent: '#d98b4a',
	share: 0.26,
	parts: [
		['base', 'M84 34L96 8H144L156 34Z'],
		['base', box(10, 30, 220, 144, 18)],
		['accent', box(10, 66, 220, 70)],
		['deep', disc(120, 104, 60)],
		['#c9ccd6', disc(120, 104, 50)],
		['ink', disc(120, 104, 38)],
		['#5f86c0', 'M92 104C92 84 106 74 124 76C110 84 106 96 106 112Z'],
		['glow', box(176, 44, 34, 15, 4)],
		['#d8322b', box(30, 18, 30, 14, 4)],
	],
};

export const computer: Figure = {
	box: [260, 230],
	colour: '#d5dae4',
	share: 0.34,
	lights: [[130, 80, 100]],
	parts: [
		['shade', 'M104 160L156 160L170 196L90 196Z'],
		['base', box(14, 8, 232, 160, 14)],
		['#27304f', box(28, 22, 204, 124, 6)],
		['#6fd0a8', 'M44 44H110M44 66H150M60 88H130', 6],
		['#f7c65a', 'M44 110H96M160 66H190', 6],
		['base', box(30, 194, 200, 32, 10)],
		['shade', box(44, 202, 172, 6, 3) + box(44, 212, 172, 6, 3)],
	],
};

export const phone: Figure = {
	box: [130, 250],
	colour: '#2f3348',
	share: 0.32,
	lights: [[65, 120, 90]],
	parts: [
		['base', box(6, 4, 118, 242, 22)],
		['#7fb5e8', box(14, 20, 102, 206, 8)],
		['#f2a0b8', disc(65, 100, 30)],
		['#3a5a9a', 'M14 226L14 170L50 130L80 164L98 146L116 168L116 226Z'],
		['white', box(50, 233, 30, 4, 2)],
	],
};

export const telescope: Figure = {
	box: [260, 270],
	colour: '#b98a3c',
	share: 0.38,
	parts: [
		['#6a4632', 'M120 140L60 266M120 140L180 266M120 140V266', 9],
		['base', 'M30 140L20 112L206 28L226 80Z'],
		['shade', 'M34 152L27 130L218 60L226 80Z'],
		['light', 'M200 22L220 14L244 76L224 84Z'],
		['deep', 'M14 124L32 116L40 138L22 146Z'],
	],
};

export const hat: Figure = {
	box: [260, 130],
	colour: '#7a4a35',
	accent: '#2f2430',
	share: 0.2,
	parts: [
		['base', 'M66 96C66 30 84 6 108 8C124 10 136 10 152 8C176 6 194 30 194 96Z'],
		['shade', 'M160 9C180 14 194 40 194 96H150Z'],
		['accent', 'M65 76Q130 92 195 76L194 98Q130 112 66 98Z'],
		['base', 'M4 96C40 82 220 82 256 96C240 124 20 124 4 96Z'],
	],
};

export const scarf: Figure = {
	box: [240, 130],
	colour: '#d8402f',
	share: 0.16,
	below: 0.34,
	parts: [
		['shade', 'M150 40L186 34L204 124L160 128Z'],
		['base', 'M20 20Q120 60 220 20L226 50Q120 90 14 50Z'],
		['light', 'M160 84L194 78L198 94L161 100Z'],
	],
};

export const glasses: Figure = {
	box: [240, 90],
	colour: '#2f2b3a',
	share: 0.12,
	below: 0.14,
	parts: [
		['#bfe0ea', disc(66, 46, 34) + disc(174, 46, 34)],
		['base', `${disc(66, 46, 36)}${disc(174, 46, 36)}M102 42Q120 30 138 42`, 9],
	],
};

export const drum: Figure = {
	box: [220, 200],
	colour: '#d8402f',
	share: 0.26,
	parts: [
		['#c98d56', 'M60 40L160 -14M160 40L60 -14', 7],
		['base', 'M14 50H206V160C206 206 14 206 14 160Z'],
		['#f2c53d', 'M14 60L52 186L90 70L128 196L166 70L204 170', 5],
		['shade', 'M150 60H206V160C206 180 186 190 160 194Z'],
		['white', oval(110, 50, 96, 26)],
		['#f2c53d', oval(110, 50, 96, 26), 7],
	],
};
