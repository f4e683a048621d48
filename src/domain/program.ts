import manifest from '../../package.json' with { type: 'json' };

/** Whether this is the package of the registry, which has JavaScript in place of TypeScript. */
const isPackaged = import.meta.filename.endsWith('.js');

/** Returns how a program is called here, such as `npm run doctor`. */
export const callOf = (program: string): string => {
	if (isPackaged) return program === 'start' ? 'easel' : `easel ${program}`;
	return program === 'start' ? 'npm start' : `npm run ${program}`;
};

/** The same with arguments: npm needs two dashes before them. */
export const callWith = (program: string, words: string): string =>
	`${callOf(program)} ${isPackaged ? '' : '-- '}${words}`;

export const { version } = manifest;
