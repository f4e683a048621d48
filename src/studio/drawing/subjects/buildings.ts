import { box, disc, type Figure, type Part, polygon } from './figure.ts';

/** Windows that are lit at dusk, with their frames. */
const windows = (spots: readonly (readonly [number, number])[], w: number, h: number, arch = false): Part[] => [
	['deep', spots.map(([x, y]) => box(x - 3, y - 3, w + 6, h + 6, arch ? w / 2 + 3 : 2)).join('')],
	['glow', spots.map(([x, y]) => box(x, y, w, h, arch ? w / 2 : 1)).join('')],
	['deep', spots.map(([x, y]) => `M${x + w / 2} ${y}v${h}M${x} ${y + h / 2}h${w}`).join(''), 2.4],
];

const building = { backdrop: true } as const;

export const house: Figure = {
	...building,
	box: [260, 230],
	colour: '#e8d3ae',
	accent: '#b5483c',
	share: 0.42,
	perch: true,
	seat: [130, 40],
	lights: [
		[76, 150, 34],
		[184, 150, 34],
	],
	parts: [
		['#8f5b4a', box(176, 20, 28, 60)],
		['base', box(36, 90, 188, 140)],
		['shade', box(150, 90, 74, 140)],
		['accent', 'M14 102L62 26L198 26L246 102Z'],
		['accentShade', 'M150 102L170 26L198 26L246 102Z'],
		...windows(
			[
				[56, 130],
				[164, 130],
			],
			40,
			42,
		),
		['#6b4230', box(110, 158, 40, 72, 4)],
		['glow', disc(141, 196, 3.4)],
		['#7fa05a', box(46, 176, 60, 9, 4) + box(154, 176, 60, 9, 4)],
	],
};

export const cabin: Figure = {
	...building,
	box: [280, 220],
	colour: '#8f5a38',
	accent: '#4a3a45',
	share: 0.4,
	lights: [
		[80, 150, 40],
		[206, 150, 40],
	],
	parts: [
		['#7c7580', box(196, 14, 32, 80, 3)],
		['base', box(30, 96, 220, 124, 3)],
		['shade', [0, 1, 2, 3, 4, 5].map((row) => `M30 ${112 + row * 20}H250`).join(''), 4],
		['accent', 'M140 10L272 106L252 116L140 36L28 116L8 106Z'],
		['shade', 'M140 36L226 98L54 98Z'],
		['accent', 'M140 10L272 106L262 111L140 24Z'],
		...windows(
			[
				[56, 130],
				[184, 130],
			],
			42,
			40,
		),
		...windows([[126, 62]], 28, 26),
		['deep', box(116, 142, 48, 78, 4)],
		['glow', disc(156, 184, 3.4)],
		['shade', box(104, 212, 72, 10, 2)],
	],
};

const merlons = (x: number, y: number, w: number, n: number, size: number) =>
	Array.from({ length: n }, (_, index) => box(x + (index * (w - size)) / (n - 1), y, size, size)).join('');

export const castle: Figure = {
	...building,
	box: [360, 330],
	colour: '#b9b4c6',
	accent: '#4f63a8',
	share: 0.6,
	lights: [
		[180, 120, 30],
		[80, 170, 24],
		[280, 170, 24],
	],
	parts: [
		['shade', box(130, 90, 100, 180) + merlons(124, 76, 112, 5, 15)],
		['accent', 'M180 -20L230 80L130 80Z'],
		['accentShade', 'M180 -20L230 80L190 80Z'],
		['deep', 'M180 -20V-46', 4],
		['#e05a4a', 'M180 -46L210 -36L180 -26Z'],
		[
			'base',
			box(40, 130, 78, 200) + merlons(34, 116, 90, 4, 17) + box(242, 130, 78, 200) + merlons(236, 116, 90, 4, 17),
		],
		['shade', box(92, 130, 26, 200) + box(294, 130, 26, 200)],
		['accent', 'M79 30L122 120L36 120Z' + 'M281 30L324 120L238 120Z'],
		['accentShade', 'M79 30L122 120L88 120Z' + 'M281 30L324 120L290 120Z'],
		['base', box(110, 200, 140, 130) + merlons(112, 186, 136, 6, 15)],
		['deep', 'M148 330V272C148 230 212 230 212 272V330Z'],
		['#7a4d33', 'M155 330V274C155 240 205 240 205 274V330Z'],
		['deep', 'M168 246V330M180 242V330M192 246V330', 3],
		...windows([[172, 106]], 16, 30, true),
		...windows(
			[
				[70, 156],
				[272, 156],
			],
			15,
			28,
			true,
		),
		[
			'shade',
			box(54, 220, 22, 8) +
				box(70, 250, 22, 8) +
				box(260, 236, 22, 8) +
				box(270, 280, 22, 8) +
				box(124, 226, 18, 7) +
				box(222, 250, 18, 7),
		],
	],
};

export const lighthouse: Figure = {
	...building,
	box: [180, 380],
	colour: '#d8453d',
	share: 0.64,
	lights: [[90, 56, 130]],
	parts: [
		['white', 'M62 92L118 92L140 372L40 372Z'],
		['base', 'M58 142L122 142L127 200L53 200Z' + 'M49 254L131 254L136 312L44 312Z'],
		['base', 'M62 92L118 92L119 100L61 100Z'],
		['#3a3f55', box(48, 82, 84, 12, 3)],
		['#3a3f55', 'M52 82V66M64 82V66M90 82V66M116 82V66M128 82V66M50 66H130', 3],
		['glow', box(66, 36, 48, 46, 4)],
		['white', box(82, 44, 16, 30, 6)],
		['base', 'M90 0L124 38L56 38Z'],
		['deep', disc(90, 2, 5)],
		...windows(
			[
				[82, 160],
				[82, 274],
			],
			16,
			24,
			true,
		),
		['deep', 'M72 374V344C72 326 108 326 108 344V374Z'],
		['#7d7787', box(24, 368, 132, 14, 4)],
	],
};

export const tower: Figure = {
	...building,
	box: [150, 360],
	colour: '#a8a0b0',
	accent: '#7a4d7a',
	share: 0.62,
	lights: [
		[75, 150, 24],
		[75, 240, 24],
	],
	parts: [
		['base', 'M36 120L114 120L122 360L28 360Z'],
		['shade', 'M88 120L114 120L122 360L92 360Z'],
		['base', box(24, 96, 102, 30, 3)],
		['accent', 'M75 -20L134 98L16 98Z'],
		['accentShade', 'M75 -20L134 98L86 98Z'],
		...windows(
			[
				[66, 140],
				[66, 226],
			],
			18,
			34,
			true,
		),
		['deep', 'M54 360V328C54 304 96 304 96 328V360Z'],
		['shade', box(40, 190, 22, 8) + box(84, 210, 22, 8) + box(38, 280, 22, 8) + box(92, 290, 22, 8)],
	],
};

export const church: Figure = {
	...building,
	box: [260, 320],
	colour: '#f0ebe0',
	accent: '#5a6a80',
	share: 0.54,
	lights: [
		[180, 230, 30],
		[66, 190, 24],
	],
	parts: [
		['accent', 'M66 -10L104 110L28 110Z'],
		['#e8c25a', 'M66 -10V-44M54 -32H78', 5],
		['base', box(32, 106, 68, 214)],
		['shade', box(78, 106, 22, 214)],
		['accent', 'M92 190L130 140L230 140L254 196L92 196Z'],
		['base', box(100, 194, 146, 126)],
		...windows([[58, 140]], 18, 36, true),
		...windows(
			[
				[120, 220],
				[166, 220],
				[212, 220],
			],
			18,
			46,
			true,
		),
		['deep', 'M48 320V276C48 250 84 250 84 276V320Z'],
	],
};

export const barn: Figure = {
	...building,
	box: [260, 230],
	colour: '#b5382f',
	accent: '#5a5560',
	share: 0.42,
	lights: [[130, 90, 20]],
	parts: [
		['base', 'M30 230L30 106L64 56L130 16L196 56L230 106L230 230Z'],
		['accent', 'M18 112L54 50L130 2L206 50L242 112L228 116L196 62L130 22L64 62L32 116Z'],
		['white', 'M88 230V140H172V230M88 140L172 230M172 140L88 230', 6],
		...windows([[114, 74]], 32, 34),
		['shade', 'M52 120V230M72 120V230M190 120V230M210 120V230', 3],
	],
};

export const windmill: Figure = {
	...building,
	box: [280, 340],
	colour: '#e9dcc6',
	accent: '#a04a3a',
	share: 0.6,
	lights: [[140, 200, 24]],
	parts: [
		['base', 'M104 130L176 130L200 340L80 340Z'],
		['shade', 'M152 130L176 130L200 340L160 340Z'],
		['accent', 'M94 134C98 92 118 76 140 76C162 76 182 92 186 134Z'],
		...windows(
			[
				[130, 180],
				[130, 244],
			],
			20,
			26,
		),
		['deep', 'M120 340V304C120 286 160 286 160 304V340Z'],
		['#6a4a38', 'M140 112L244 22M140 112L36 202M140 112L230 216M140 112L50 8', 6],
		[
			'white',
			'M158 88L232 16L252 38L172 106ZM122 136L48 208L28 186L108 118ZM164 130L236 206L216 226L146 148ZM116 94L44 18L64 -2L134 76Z',
		],
		[
			'shade',
			'M176 72L196 92M196 52L216 72M216 32L236 52M104 152L84 132M84 172L64 152M64 192L44 172M180 146L160 166M200 168L180 188M220 190L200 210M100 78L120 58M80 56L100 36M60 34L80 14',
			3,
		],
		['deep', disc(140, 112, 10)],
	],
};

export const tent: Figure = {
	...building,
	box: [240, 160],
	colour: '#e8873a',
	share: 0.28,
	lights: [[120, 120, 70]],
	parts: [
		['shade', 'M120 10L236 156L150 156Z'],
		['base', 'M120 10L166 156L4 156Z'],
		['glow', 'M112 34L128 156L66 156Z'],
		['deep', 'M112 34L92 156L66 156Z'],
		['deep', 'M120 10L108 0M120 10L130 0', 4],
	],
};

export const bridge: Figure = {
	...building,
	box: [460, 190],
	colour: '#c9593f',
	share: 0.3,
	parts: [
		['base', box(96, 4, 18, 186, 3) + box(346, 4, 18, 186, 3) + box(92, 50, 26, 10) + box(342, 50, 26, 10)],
		['base', 'M0 108Q60 90 105 10Q230 210 355 10Q400 90 460 108', 6],
		[
			'shade',
			[20, 44, 68, 130, 155, 180, 205, 230, 255, 280, 305, 330, 390, 414, 438]
				.map(
					(x) =>
						`M${x} 124V${x < 105 ? 108 - x * 0.6 : x > 355 ? 108 - (460 - x) * 0.6 : 110 - Math.abs(x - 230) * 0.55}`,
				)
				.join(''),
			3,
		],
		['deep', box(0, 118, 460, 16, 3)],
	],
};

export const pagoda: Figure = {
	...building,
	box: [260, 340],
	colour: '#c8402f',
	accent: '#3f4a5e',
	share: 0.6,
	lights: [
		[130, 130, 26],
		[130, 210, 30],
		[130, 300, 36],
	],
	parts: [
		['deep', 'M130 20V-24', 5],
		['base', box(100, 60, 60, 50) + box(86, 134, 88, 56) + box(70, 216, 120, 124)],
		[
			'glow',
			box(118, 76, 24, 32) +
				box(104, 150, 20, 34) +
				box(136, 150, 20, 34) +
				box(92, 246, 24, 50) +
				box(144, 246, 24, 50),
		],
		[
			'accent',
			'M130 14C136 36 170 54 206 60C196 68 184 70 176 70H84C76 70 64 68 54 60C90 54 124 36 130 14ZM92 106H168C184 120 206 132 226 136C214 146 202 148 192 148H68C58 148 46 146 34 136C54 132 76 120 92 106ZM76 186H184C204 204 228 216 252 220C240 230 228 232 216 232H44C32 232 20 230 8 220C32 216 56 204 76 186Z',
		],
		['deep', box(118, 300, 24, 40)],
		['shade', box(60, 330, 140, 12, 2)],
	],
};

export const pyramid: Figure = {
	...building,
	box: [400, 230],
	colour: '#d9a860',
	share: 0.44,
	parts: [
		['shade', 'M310 110L396 230L220 230Z'],
		['base', 'M170 4L260 230L4 230Z'],
		['deep', 'M170 4L340 230L236 230Z'],
		['shade', 'M150 34H182M126 64H194M102 96H206M78 128H220M54 162H232M30 196H246', 3],
	],
};

export const skyscraper: Figure = {
	...building,
	box: [180, 460],
	colour: '#6a7fa8',
	share: 0.72,
	lights: [[90, 200, 60]],
	parts: [
		['deep', 'M90 40V-30', 5],
		['base', 'M60 40L120 40L130 110L150 110L150 460L30 460L30 110L50 110Z'],
		['shade', 'M98 40L120 40L130 110L150 110L150 460L110 460Z'],
		[
			'glow',
			Array.from({ length: 60 }, (_, index) =>
				(index * 7 + Math.floor(index / 4) * 3) % 5 < 3
					? box(42 + (index % 4) * 26, 128 + Math.floor(index / 4) * 21, 15, 11)
					: '',
			).join(''),
		],
	],
};

export const igloo: Figure = {
	box: [240, 140],
	backdrop: true,
	colour: '#e6f0fa',
	share: 0.26,
	lights: [[170, 116, 40]],
	parts: [
		['base', 'M10 140C10 60 50 10 110 10C170 10 206 60 206 140Z'],
		[
			'shade',
			'M16 100H204M30 62H190M62 28H158M70 140V100M120 140V100M46 100V62M94 100V62M144 100V62M76 62V28M118 62V28',
			3.4,
		],
		['light', 'M136 140C136 96 156 82 178 82C206 82 226 96 226 140Z'],
		['deep', 'M154 140C154 108 166 98 182 98C198 98 210 108 210 140Z'],
		['glow', 'M162 140C162 114 170 106 182 106C194 106 202 114 202 140Z'],
	],
};

export const temple: Figure = {
	box: [320, 230],
	backdrop: true,
	colour: '#e6dccb',
	share: 0.44,
	parts: [
		['shade', box(40, 84, 240, 120)],
		['base', `M160 4L306 70L14 70Z${box(20, 68, 280, 18)}`],
		['shade', 'M160 22L250 62L70 62Z'],
		[
			'base',
			[36, 84, 132, 164, 212, 260]
				.filter((_, index) => index !== 2)
				.map((x) => box(x, 84, 24, 120) + box(x - 5, 84, 34, 9) + box(x - 5, 196, 34, 9))
				.join(''),
		],
		['base', box(20, 204, 280, 12) + box(6, 216, 308, 14)],
		[
			'shade',
			'M44 96V192M52 96V192M92 96V192M100 96V192M172 96V192M180 96V192M220 96V192M228 96V192M268 96V192M276 96V192',
			2.4,
		],
	],
};

export const torii: Figure = {
	box: [280, 250],
	backdrop: true,
	colour: '#d8402c',
	accent: '#2f2a35',
	share: 0.46,
	parts: [
		['base', 'M56 60L78 60L74 250L48 250Z' + 'M202 60L224 60L232 250L206 250Z'],
		['base', box(30, 84, 220, 16, 2) + box(130, 50, 20, 40)],
		['base', 'M14 34Q140 52 266 34L262 56Q140 70 18 56Z'],
		['accent', 'M4 18Q140 40 276 18L270 38Q140 54 10 38Z'],
		['deep', box(44, 232, 32, 18) + box(204, 232, 32, 18)],
	],
};

export const shop: Figure = {
	box: [260, 260],
	backdrop: true,
	colour: '#d9786a',
	accent: '#2f6f73',
	share: 0.46,
	lights: [
		[80, 190, 60],
		[130, 60, 30],
	],
	parts: [
		['base', box(26, 10, 208, 250, 4)],
		['shade', box(26, 10, 208, 14)],
		...windows(
			[
				[54, 42],
				[114, 42],
				[174, 42],
			],
			34,
			46,
		),
		['accent', box(36, 142, 188, 118, 3)],
		['glow', box(48, 160, 96, 76, 3)],
		['deep', box(156, 156, 54, 104, 3)],
		['glow', box(164, 166, 38, 52, 2)],
		['white', 'M20 116H240L252 148H8Z'],
		[
			'accent',
			[0, 1, 2, 3, 4]
				.map((stripe) =>
					polygon([
						[26 + stripe * 46, 116],
						[48 + stripe * 46, 116],
						[46 + stripe * 49, 148],
						[20 + stripe * 49, 148],
					]),
				)
				.join(''),
		],
		['deep', disc(80, 222, 13) + disc(112, 222, 13)],
	],
};

export const fountain: Figure = {
	box: [240, 220],
	backdrop: true,
	colour: '#c3c6d2',
	share: 0.36,
	parts: [
		[
			'#bfe6f5',
			'M120 20C100 0 70 20 60 70M120 20C140 0 170 20 180 70M120 20C108 10 92 24 88 74M120 20C132 10 148 24 152 74M96 96C70 90 46 110 40 170M144 96C170 90 194 110 200 170',
			5,
		],
		['base', 'M112 70H128L134 200H106ZM70 72H170C168 94 146 104 120 104C94 104 72 94 70 72Z'],
		['base', 'M10 166H230C228 206 190 220 120 220C50 220 12 206 10 166Z'],
		['#8fcbe6', 'M18 166H222C210 178 30 178 18 166Z'],
	],
};

export const statue: Figure = {
	box: [140, 300],
	backdrop: true,
	colour: '#8fb8a8',
	share: 0.5,
	lights: [[116, 10, 40]],
	parts: [
		['shade', box(22, 236, 96, 64, 3) + box(12, 286, 116, 14)],
		['base', 'M54 84C40 110 34 180 36 236H104C106 180 98 110 88 84Z'],
		['base', 'M84 96C100 80 108 60 112 36', 14],
		['base', disc(70, 64, 21)],
		['base', 'M48 52L40 36L56 42L60 26L70 38L80 26L84 42L100 36L92 52Z'],
		['glow', 'M102 30H124L118 40H108ZM112 28C104 18 110 8 114 -4C122 8 124 20 118 28Z'],
		['shade', 'M60 110C54 150 52 200 52 234M76 110C80 150 84 200 84 234', 4],
	],
};
