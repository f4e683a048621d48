/** Animals that sit and look at you: one body, many heads. */
import type { Hex } from '../colour.ts';
import { disc, type Figure, oval, type Part } from './figure.ts';

/** Mirrors the numbers of a path at the middle of the head, x = 110. Only M, L, C, Q, Z in absolute numbers. */
const mirror = (path: string) =>
	path.replace(
		/(-?[\d.]+)([ ,]+)(-?[\d.]+)/g,
		(_, x: string, gap: string, y: string) => `${220 - Number(x)}${gap}${y}`,
	);
const both = (path: string) => path + mirror(path);

const eyes = (x: number, y: number, r: number, iris?: Hex): Part[] => [
	...(iris ? ([[iris, disc(110 - x, y, r * 1.35) + disc(110 + x, y, r * 1.35)]] as Part[]) : []),
	['ink', oval(110 - x, y, r * 0.85, r) + oval(110 + x, y, r * 0.85, r)],
	['#ffffff', disc(110 - x + r * 0.3, y - r * 0.4, r * 0.32) + disc(110 + x + r * 0.3, y - r * 0.4, r * 0.32)],
];

const muzzle = (y: number, w: number): Part[] => [
	[
		'ink',
		`M${110 - w} ${y}Q110 ${y - w * 0.7} ${110 + w} ${y}Q${110 + w * 0.5} ${y + w} 110 ${y + w * 1.1}Q${110 - w * 0.5} ${y + w} ${110 - w} ${y}Z`,
	],
	[
		'ink',
		`M110 ${y + w}v${w * 0.7}M110 ${y + w * 1.7}q${-w * 0.7} ${w * 0.8} ${-w * 1.5} 0M110 ${y + w * 1.7}q${w * 0.7} ${w * 0.8} ${w * 1.5} 0`,
		2.4,
	],
];

interface Sitter {
	readonly colour: Hex;
	readonly accent?: Hex;
	readonly share?: number;
	/** Drawn before the body. */
	readonly tail?: readonly Part[];
	readonly head: readonly Part[];
	readonly bib?: boolean;
	readonly socks?: boolean;
	readonly marks?: readonly Part[];
	readonly stout?: boolean;
}

function sitter({
	tail = [],
	head,
	bib = true,
	socks = false,
	marks = [],
	stout = false,
	share = 0.34,
	...rest
}: Sitter): Figure {
	const w = stout ? 14 : 0;
	const body: Part[] = [
		['base', `M${62 - w} 252C${44 - w} 214 ${58 - w} 150 84 122L136 122C162 150 ${176 + w} 214 ${158 + w} 252Z`],
		[
			'shade',
			`M${136 + w * 0.4} 252C${118 + w} 226 132 196 ${156 + w} 196C${172 + w} 204 ${170 + w} 238 ${158 + w} 252Z`,
		],
		['shade', `M${84 - w * 0.4} 252C${102 - w} 226 88 196 ${64 - w} 196C${48 - w} 204 ${50 - w} 238 ${62 - w} 252Z`],
		...(bib
			? ([
					[
						'pale',
						'M86 124C78 158 82 176 92 194L98 186L104 202L110 190L116 202L122 186L128 194C138 176 142 158 134 124Z',
					],
				] as Part[])
			: []),
		...marks,
		['base', 'M88 250V190Q98 180 107 190V250ZM113 250V190Q122 180 132 190V250Z'],
		['shade', 'M107 250V196L110 190L113 196V250Z'],
		[socks ? 'deep' : 'light', 'M84 254V232Q97 222 108 232V254ZM112 254V232Q123 222 136 232V254Z'],
	];
	return { box: [220, 256], share, head: [110, 44], hands: [110, 196], parts: [...tail, ...body, ...head], ...rest };
}

const bushyTail = (tip: 'pale' | 'deep'): Part[] => [
	['base', 'M134 250C182 254 222 226 216 170C214 142 202 122 186 112C190 144 176 168 158 190C140 210 132 232 134 250Z'],
	['shade', 'M134 250C182 254 214 228 214 186C196 222 166 240 136 240Z'],
	[tip, 'M186 112C202 122 214 142 216 170C208 160 202 166 196 156C190 164 184 154 179 160C186 146 189 130 186 112Z'],
];

const foxEars = 'M52 12C44 36 42 58 46 74L98 50C84 34 66 20 52 12Z';
const foxHead: Part[] = [
	['base', both(foxEars)],
	['deep', both('M56 24C51 40 50 52 52 62L80 48C74 38 65 30 56 24Z')],
	[
		'base',
		'M110 40C142 38 168 56 176 78C184 88 192 94 200 98C178 112 152 116 134 134C122 146 98 146 86 134C68 116 42 112 20 98C28 94 36 88 44 78C52 56 78 38 110 40Z',
	],
	['pale', both('M20 98C50 90 78 90 94 108C102 118 106 128 110 144C98 145 92 141 86 134C68 116 42 112 20 98Z')],
	['light', 'M110 44C104 62 100 82 104 104L110 112L116 104C120 82 116 62 110 44Z'],
	...eyes(33, 88, 8.5),
	['ink', oval(110, 132, 10, 7.5)],
	['#ffffff', oval(107, 129.5, 2.6, 1.8)],
];

const catHead: Part[] = [
	['base', both('M54 26C50 46 48 62 50 80L96 48C82 38 68 30 54 26Z')],
	['#e79a9a', both('M60 38C57 50 57 58 58 66L80 50C74 44 67 40 60 38Z')],
	['base', 'M110 44C154 44 178 66 178 94C178 126 148 144 110 144C72 144 42 126 42 94C42 66 66 44 110 44Z'],
	['shade', 'M100 46L104 66L108 46ZM112 46L116 66L120 46ZM89 49L94 62L97 47ZM131 49L126 62L123 47Z'],
	['pale', 'M110 106C122 100 142 108 142 122C142 136 126 142 110 142C94 142 78 136 78 122C78 108 98 100 110 106Z'],
	...eyes(35, 92, 10.5, '#b9d36a'),
	['#d9787c', 'M103 110H117L110 118Z'],
	['ink', 'M110 118v5M110 123q-6 8 -13 2M110 123q6 8 13 2', 2.4],
	['ink', 'M66 112L36 106M66 119L36 122M154 112L184 106M154 119L184 122', 1.6],
];

const catTail: Part[] = [
	['base', 'M140 246C180 250 206 230 200 192C197 174 184 164 190 148', 20],
	['shade', 'M198 180C195 170 186 162 190 148', 20],
];

const dogHead: Part[] = [
	['base', 'M110 38C148 38 168 60 168 92C168 126 144 146 110 146C76 146 52 126 52 92C52 60 72 38 110 38Z'],
	[
		'pale',
		'M110 44C118 62 120 84 126 98C144 102 148 116 142 128C134 142 122 146 110 146C98 146 86 142 78 128C72 116 76 102 94 98C100 84 102 62 110 44Z',
	],
	['deep', both('M72 46C50 40 36 62 34 92C33 112 42 122 52 118C62 112 60 84 76 62Z')],
	...eyes(29, 86, 8.5),
	...muzzle(106, 12),
	['#e2707a', 'M102 130C102 148 118 148 118 130Z'],
];

const wolfHead: Part[] = [
	['base', both('M58 8C52 30 50 52 54 72L98 48C86 32 72 18 58 8Z')],
	['deep', both('M62 22C58 38 58 48 60 58L82 46C76 36 69 28 62 22Z')],
	[
		'base',
		'M110 38C144 38 166 58 170 82L188 104L172 104L176 120C158 118 144 128 134 140C124 150 96 150 86 140C76 128 62 118 44 120L48 104L32 104L50 82C54 58 76 38 110 38Z',
	],
	['pale', both('M44 120L50 104L60 100C78 96 92 104 98 116L110 148C98 149 92 146 86 140C76 128 62 118 44 120Z')],
	['pale', both('M70 76Q82 70 92 80Q80 80 70 76Z')],
	['shade', 'M110 40C103 62 100 84 103 112L110 120L117 112C120 84 117 62 110 40Z'],
	...eyes(30, 89, 7.5, '#f2c14e'),
	['ink', oval(110, 134, 11, 8)],
];

const bearHead: Part[] = [
	['base', disc(62, 52, 22) + disc(158, 52, 22)],
	['deep', disc(62, 53, 12) + disc(158, 53, 12)],
	['base', 'M110 36C152 36 176 62 176 94C176 126 148 146 110 146C72 146 44 126 44 94C44 62 68 36 110 36Z'],
	['light', oval(110, 118, 36, 28)],
	...eyes(32, 86, 7.5),
	...muzzle(104, 13),
];

const pandaHead: Part[] = [
	['ink', disc(62, 52, 22) + disc(158, 52, 22)],
	['base', 'M110 36C152 36 178 62 178 94C178 126 148 146 110 146C72 146 42 126 42 94C42 62 68 36 110 36Z'],
	['ink', both('M64 88C64 74 82 68 92 80C96 92 84 106 74 104C66 102 64 96 64 88Z')],
	['#ffffff', disc(81, 87, 5.5) + disc(139, 87, 5.5)],
	['ink', disc(82, 88, 3.4) + disc(138, 88, 3.4)],
	...muzzle(106, 11),
];

const koalaHead: Part[] = [
	['base', disc(48, 66, 34) + disc(172, 66, 34)],
	['pale', disc(48, 70, 20) + disc(172, 70, 20)],
	['base', 'M110 40C150 40 170 64 170 96C170 128 146 146 110 146C74 146 50 128 50 96C50 64 70 40 110 40Z'],
	...eyes(32, 92, 7.5),
	['ink', 'M110 82C124 82 126 98 124 112C122 122 98 122 96 112C94 98 96 82 110 82Z'],
	['ink', 'M98 130Q110 138 122 130', 2.4],
];

const rabbitHead: Part[] = [
	['base', 'M92 60C66 34 58 -10 76 -30C98 -24 106 22 106 56ZM128 60C154 34 162 -10 144 -30C122 -24 114 22 114 56Z'],
	['#eeb0ae', 'M92 46C76 24 72 0 79 -16C91 -6 97 22 98 46ZM128 46C144 24 148 0 141 -16C129 -6 123 22 122 46Z'],
	['base', 'M110 50C146 50 166 72 166 98C166 126 144 144 110 144C76 144 54 126 54 98C54 72 74 50 110 50Z'],
	['pale', oval(98, 118, 17, 15) + oval(122, 118, 17, 15)],
	...eyes(34, 94, 8.5),
	['#d97f86', 'M103 107H117L110 115Z'],
	['ink', 'M110 115v7M110 122q-5 6 -11 2M110 122q5 6 11 2', 2.2],
	['#ffffff', 'M104 126H116V136Q110 140 104 136Z'],
];

const mouseHead: Part[] = [
	['base', disc(52, 58, 36) + disc(168, 58, 36)],
	['#efb1b1', disc(52, 60, 23) + disc(168, 60, 23)],
	['base', 'M110 54C146 54 162 78 160 98C156 124 132 144 110 146C88 144 64 124 60 98C58 78 74 54 110 54Z'],
	...eyes(26, 94, 8),
	['#e2858c', disc(110, 128, 8)],
	['ink', 'M92 128L58 120M92 133L58 138M128 128L162 120M128 133L162 138', 1.5],
];

const lionHead: Part[] = [
	[
		'accent',
		'M110 2C126 14 142 6 152 20C170 22 172 40 186 50C184 68 198 78 192 94C198 110 182 120 182 136C168 142 164 160 146 158C134 170 122 162 110 170C98 162 86 170 74 158C56 160 52 142 38 136C38 120 22 110 28 94C22 78 36 68 34 50C48 40 50 22 68 20C78 6 94 14 110 2Z',
	],
	['accentShade', 'M110 26C150 26 174 54 174 92C174 130 150 154 110 154C70 154 46 130 46 92C46 54 70 26 110 26Z'],
	['base', disc(66, 50, 17) + disc(154, 50, 17)],
	['base', 'M110 40C146 40 164 62 164 92C164 126 142 146 110 146C78 146 56 126 56 92C56 62 74 40 110 40Z'],
	['pale', oval(97, 124, 17, 14) + oval(123, 124, 17, 14)],
	['light', 'M102 62L100 104H120L118 62Z'],
	...eyes(29, 86, 7.5, '#e2b24b'),
	...muzzle(106, 12),
];

const tigerHead: Part[] = [
	...bearHead.slice(0, 3),
	['pale', both('M50 104C66 92 90 102 110 108V146C72 146 50 130 50 104Z')],
	[
		'ink',
		'M100 37L110 66L120 37ZM84 42L96 62L93 40ZM136 42L124 62L127 40ZM45 82L68 88L44 94ZM46 104L66 104L50 114ZM175 82L152 88L176 94ZM174 104L154 104L170 114Z',
	],
	...eyes(31, 84, 7.5, '#e8c04f'),
	...muzzle(106, 12),
];

const raccoonHead: Part[] = [
	['base', both('M56 30C52 46 52 60 56 74L92 48C80 38 68 32 56 30Z')],
	['base', 'M110 42C148 42 172 66 186 98C164 122 138 146 110 146C82 146 56 122 34 98C48 66 72 42 110 42Z'],
	['pale', both('M34 98C52 78 84 72 106 82L110 146C82 146 56 122 34 98Z')],
	['ink', both('M44 104C54 82 84 72 100 92C96 110 66 118 44 104Z')],
	['#ffffff', disc(80, 94, 4.5) + disc(140, 94, 4.5)],
	['ink', oval(110, 130, 10, 8)],
];

const squirrelHead: Part[] = [
	['base', both('M66 20C60 36 60 52 66 68L94 54C88 38 78 26 66 20Z')],
	['base', 'M110 46C142 46 160 68 160 96C160 126 138 144 110 144C82 144 60 126 60 96C60 68 78 46 110 46Z'],
	['pale', both('M110 108C92 100 74 110 74 122C80 136 96 144 110 144Z')],
	...eyes(28, 92, 9.5),
	['ink', oval(110, 114, 6, 4.5)],
	['#ffffff', 'M105 124H115V134H105Z'],
];

const monkeyHead: Part[] = [
	['pale', disc(46, 90, 24) + disc(174, 90, 24)],
	['base', 'M110 34C150 34 172 60 172 92C172 126 146 146 110 146C74 146 48 126 48 92C48 60 70 34 110 34Z'],
	['pale', 'M110 70C126 54 158 62 154 94C158 128 136 142 110 142C84 142 62 128 66 94C62 62 94 54 110 70Z'],
	...eyes(22, 90, 7.5),
	['ink', 'M104 108h.1M116 108h.1', 5],
	['ink', 'M88 122Q110 140 132 122', 2.6],
];

export const fox = sitter({ colour: '#e0662b', tail: bushyTail('pale'), head: foxHead, socks: true });
export const cat = sitter({ colour: '#e0a25b', tail: catTail, head: catHead, share: 0.32 });
export const dog = sitter({
	colour: '#c98d56',
	tail: [['base', 'M146 240C176 236 196 214 196 188', 15]],
	head: dogHead,
});
export const wolf = sitter({ colour: '#7f8798', tail: bushyTail('deep'), head: wolfHead, share: 0.38 });
export const bear = sitter({ colour: '#7d5138', head: bearHead, stout: true, share: 0.42, bib: false });
export const panda = sitter({
	colour: '#f4f1ea',
	head: pandaHead,
	stout: true,
	share: 0.4,
	bib: false,
	marks: [
		[
			'ink',
			'M60 150C84 118 136 118 160 150C150 170 70 170 60 150ZM46 252C40 226 52 204 70 206C92 212 92 240 86 252ZM174 252C180 226 168 204 150 206C128 212 128 240 134 252Z',
		],
	],
});
export const koala = sitter({ colour: '#9aa0ab', head: koalaHead, stout: true });
export const rabbit = sitter({
	colour: '#cbb49a',
	tail: [['white', disc(166, 232, 18)]],
	head: rabbitHead,
	share: 0.32,
});
export const mouse = sitter({
	colour: '#a9a3a8',
	tail: [['#d99a9a', 'M146 248C200 254 214 216 200 190', 6]],
	head: mouseHead,
	share: 0.24,
});
export const lion = sitter({
	colour: '#dca04c',
	accent: '#9a5527',
	tail: [
		['base', 'M146 244C190 246 204 218 200 190', 11],
		['accent', oval(200, 182, 13, 20)],
	],
	head: lionHead,
	share: 0.42,
});
export const tiger = sitter({
	colour: '#e58a34',
	tail: [
		['base', 'M140 246C184 250 208 226 200 184', 18],
		['ink', 'M192 224L204 232M198 204L210 206', 6],
	],
	head: tigerHead,
	share: 0.42,
	marks: [['ink', 'M60 178L84 184L58 192ZM56 204L78 208L54 216ZM160 178L136 184L162 192ZM164 204L142 208L166 216Z']],
});
export const raccoon = sitter({
	colour: '#8b8b94',
	tail: [...bushyTail('deep'), ['ink', 'M168 184L190 200M180 162L206 176M150 208L164 230', 9]],
	head: raccoonHead,
});
export const squirrel = sitter({
	colour: '#c0643a',
	tail: [
		['base', 'M140 250C176 250 190 226 180 190C168 150 176 96 206 92C232 96 232 150 220 190C212 226 190 256 140 250Z'],
		[
			'light',
			'M150 244C184 240 196 214 190 186C182 150 188 112 206 106C198 140 212 170 206 196C200 222 180 242 150 244Z',
		],
	],
	head: squirrelHead,
	share: 0.28,
});
export const monkey = sitter({
	colour: '#7a5236',
	tail: [['base', 'M146 244C202 252 214 200 196 180C184 172 174 186 184 194', 9]],
	head: monkeyHead,
});
export const leopard = sitter({
	colour: '#d8a04a',
	tail: catTail,
	head: [...catHead.slice(0, 3), ...catHead.slice(4)],
	share: 0.38,
	marks: [
		[
			'deep',
			[
				[64, 190],
				[72, 214],
				[62, 230],
				[80, 176],
				[150, 190],
				[146, 214],
				[158, 230],
				[140, 176],
				[74, 240],
				[148, 240],
			]
				.map(([x = 0, y = 0]) => disc(x, y, 4.5))
				.join(''),
		],
	],
});
