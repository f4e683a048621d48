/** Things of tales: treasure, arms, omens. */
import { box, disc, type Figure, oval, polygon } from './figure.ts';

const star = (x: number, y: number, r: number, inner = 0.45) =>
	polygon(
		Array.from({ length: 10 }, (_, index) => {
			const [angle, reach] = [(index / 10) * Math.PI * 2 - Math.PI / 2, index % 2 ? r * inner : r];
			return [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach] as const;
		}),
	);

export const key: Figure = {
	box: [120, 280],
	colour: '#e0ac3a',
	share: 0.3,
	parts: [
		['base', disc(60, 58, 42), 20],
		['base', box(50, 96, 20, 180, 6) + box(66, 220, 40, 18, 3) + box(66, 250, 30, 18, 3)],
		['light', 'M54 110V260', 4],
	],
};

export const crown: Figure = {
	box: [240, 170],
	colour: '#f2c53d',
	share: 0.24,
	parts: [
		['base', 'M20 160L4 40L70 92L120 6L170 92L236 40L220 160Z'],
		['shade', 'M120 6L170 92L236 40L220 160H140Z'],
		['light', box(20, 136, 200, 28, 6)],
		['#d8322b', disc(120, 100, 14) + disc(4, 38, 9) + disc(236, 38, 9)],
		['#3f78d5', disc(68, 116, 10) + disc(172, 116, 10) + disc(120, 8, 10)],
	],
};

export const sword: Figure = {
	box: [140, 340],
	colour: '#dfe6ef',
	accent: '#b98a3c',
	held: { grip: [70, 290], size: 0.7 },
	share: 0.44,
	parts: [
		['base', 'M70 0L88 26L84 236L56 236L52 26Z'],
		['shade', 'M70 0L88 26L84 236L70 236Z'],
		['accent', box(16, 232, 108, 20, 10)],
		['#6a3f2c', box(60, 250, 20, 64)],
		['accent', disc(70, 324, 15)],
		['#d8322b', disc(70, 242, 8)],
	],
};

export const heart: Figure = {
	box: [220, 200],
	colour: '#e23b50',
	habitat: 'sky',
	share: 0.3,
	lights: [[110, 90, 90]],
	parts: [
		['base', 'M110 194C40 140 6 100 10 58C14 14 76 -6 110 44C144 -6 206 14 210 58C214 100 180 140 110 194Z'],
		['shade', 'M110 194C170 140 196 90 184 30C204 44 212 60 210 70C206 110 170 148 110 194Z'],
		['pale', 'M34 64C34 40 54 28 72 34C56 40 48 52 46 74Z'],
	],
};

export const crystal: Figure = {
	box: [200, 260],
	colour: '#6fc3e8',
	share: 0.36,
	lights: [[100, 130, 120]],
	parts: [
		['shade', 'M40 120L64 90L80 130L76 256L30 256Z' + 'M160 140L140 110L122 150L124 256L172 256Z'],
		['base', 'M100 4L140 60L136 256L64 256L60 60Z'],
		['light', 'M100 4L96 256L64 256L60 60Z'],
		['pale', 'M100 4L60 60L98 74Z'],
		['deep', 'M140 60L136 256L118 256L98 74Z'],
	],
};

export const diamond: Figure = {
	box: [240, 190],
	colour: '#8fdcf2',
	habitat: 'sky',
	share: 0.28,
	lights: [[120, 90, 100]],
	parts: [
		['base', 'M50 4L190 4L236 62L120 188L4 62Z'],
		['light', 'M50 4L90 62L4 62Z' + 'M190 4L150 62L120 4Z'],
		['pale', 'M50 4L120 4L90 62Z'],
		['shade', 'M150 62L236 62L120 188Z'],
		['white', 'M4 62L90 62L120 188Z'],
	],
};

export const hourglass: Figure = {
	box: [160, 250],
	colour: '#a9703f',
	share: 0.34,
	parts: [
		['#dff0f5', 'M32 24H128C128 80 96 104 90 125C96 146 128 170 128 226H32C32 170 64 146 70 125C64 104 32 80 32 24Z'],
		[
			'#f2bd5a',
			'M46 70H114C104 94 92 106 82 122H78C68 106 56 94 46 70ZM80 124V196M80 170C104 190 118 204 120 226H40C42 204 56 190 80 170Z',
		],
		['base', box(14, 4, 132, 24, 8) + box(14, 222, 132, 24, 8)],
		['shade', 'M24 28V222M136 28V222', 7],
	],
};

export const bell: Figure = {
	box: [200, 220],
	colour: '#e0ac3a',
	share: 0.3,
	parts: [
		['shade', disc(100, 190, 20)],
		['base', 'M100 22C150 22 160 70 162 110C164 146 180 160 192 180H8C20 160 36 146 38 110C40 70 50 22 100 22Z'],
		['shade', 'M130 30C156 50 160 80 162 110C164 146 180 160 192 180H140C150 130 150 70 130 30Z'],
		['light', 'M62 110C62 76 70 56 84 48C76 66 74 90 74 112Z'],
		['base', disc(100, 18, 15), 8],
	],
};

export const anchor: Figure = {
	box: [220, 280],
	colour: '#4a5a78',
	share: 0.36,
	parts: [
		['base', disc(110, 32, 22), 14],
		['base', 'M110 56V256M64 92H156M22 168C26 226 66 258 110 258C154 258 194 226 198 168', 20],
		['base', 'M0 178L24 136L52 176Z' + 'M220 178L196 136L168 176Z'],
	],
};

export const skull: Figure = {
	box: [200, 210],
	colour: '#f0eadb',
	share: 0.26,
	parts: [
		[
			'base',
			'M100 8C160 8 192 48 188 96C186 128 168 140 158 150V190Q158 204 140 204H60Q42 204 42 190V150C32 140 14 128 12 96C8 48 40 8 100 8Z',
		],
		['ink', `${oval(64, 100, 25, 28) + oval(136, 100, 25, 28)}M100 126L114 152L86 152Z`],
		['deep', 'M72 170V200M100 170V202M128 170V200', 4],
	],
};

export const chest: Figure = {
	box: [240, 190],
	colour: '#8f5a2f',
	accent: '#e8b93f',
	share: 0.26,
	lights: [[120, 80, 100]],
	parts: [
		['deep', 'M14 70C14 10 60 0 120 0C180 0 226 10 226 70V84H14Z'],
		['glow', 'M24 84C40 50 70 66 90 54C112 40 130 60 150 52C180 44 206 60 216 84Z'],
		['accent', disc(60, 74, 13) + disc(100, 66, 14) + disc(140, 68, 13) + disc(180, 74, 13)],
		['base', box(14, 84, 212, 104, 6)],
		['shade', 'M14 118H226M14 152H226', 4],
		['accent', box(14, 80, 212, 13) + box(36, 84, 18, 104) + box(186, 84, 18, 104) + box(104, 84, 32, 44, 5)],
		['ink', disc(120, 104, 6)],
	],
};

export const fire: Figure = {
	box: [200, 220],
	colour: '#ff8a2f',
	share: 0.26,
	lights: [[100, 120, 170]],
	parts: [
		['#6a4632', 'M30 210L170 186M30 186L170 210', 18],
		[
			'base',
			'M100 6C120 50 170 80 164 140C160 180 130 198 100 198C70 198 40 180 36 140C32 110 54 96 60 66C74 76 80 86 82 98C96 76 104 44 100 6Z',
		],
		[
			'#ffc04a',
			'M104 70C114 100 140 116 136 150C134 178 116 192 100 192C82 192 66 178 66 152C66 134 76 126 80 112C88 118 90 124 92 130C100 114 106 96 104 70Z',
		],
		['glow', 'M102 126C108 142 120 152 116 170C114 184 108 190 100 190C90 190 84 182 84 172C84 160 96 150 102 126Z'],
	],
};

export const planet: Figure = {
	box: [320, 220],
	colour: '#e0935a',
	accent: '#f2d9a8',
	habitat: 'sky',
	share: 0.34,
	perch: true,
	seat: [160, 30],
	parts: [
		['accent', 'M60 130C10 160 0 176 12 184C40 200 200 150 280 96C316 70 330 46 306 40C290 36 270 42 250 50', 11],
		['base', disc(160, 110, 84)],
		['light', 'M82 82Q160 104 236 70L242 92Q160 126 77 102Z'],
		['shade', 'M78 126Q160 150 244 112L236 146Q160 170 90 156ZM206 40A84 84 0 0 1 140 192A100 100 0 0 0 206 40Z'],
		['accent', 'M36 182C90 182 220 136 284 92', 11],
	],
};

export const starThing: Figure = {
	box: [220, 210],
	colour: '#ffd65a',
	habitat: 'sky',
	share: 0.26,
	lights: [[110, 105, 150]],
	perch: true,
	seat: [110, 60],
	parts: [
		['base', star(110, 112, 106, 0.48)],
		['light', 'M110 6L134 72L110 112Z' + 'M9 79L79 82L110 112Z' + 'M47 198L68 130L110 112Z'],
		['ink', disc(92, 104, 6) + disc(128, 104, 6)],
		['ink', 'M100 122Q110 132 120 122', 3.4],
		['#f2907a', oval(78, 118, 7, 4.4) + oval(142, 118, 7, 4.4)],
	],
};

export const snowglobe: Figure = {
	box: [220, 260],
	colour: '#a9563a',
	share: 0.34,
	lights: [[110, 110, 110]],
	parts: [
		['#cfe8f5', disc(110, 106, 100)],
		['white', 'M22 150C60 130 160 130 198 150A100 100 0 0 1 22 150Z'],
		['#3f7f5c', 'M110 50L142 150L78 150Z' + 'M64 90L84 150L44 150Z'],
		[
			'white',
			disc(60, 60, 5) + disc(150, 70, 6) + disc(90, 40, 4) + disc(160, 110, 5) + disc(40, 110, 4) + disc(126, 34, 5),
		],
		['#ffffff', 'M36 70C44 44 60 30 80 24', 6],
		['base', 'M40 190H180L196 256H24Z'],
		['shade', 'M24 244H196V256H24Z'],
	],
};
