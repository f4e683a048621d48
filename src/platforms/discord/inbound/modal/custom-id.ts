/** Marks an input whose value is a list, even of one entry. */
const LIST = '[]';
const SEPARATOR = '+';

/** The custom id of an input, from the names of its fields: `prompt`, `image2+image3`, `which[]` for a list. */
export const customIdOf = (names: readonly string[], isList = false) => names.join(SEPARATOR) + (isList ? LIST : '');

/** The inverse of `customIdOf`. */
export function parseCustomId(customId: string): { names: string[]; isList: boolean } {
	const isList = customId.endsWith(LIST);
	return { names: (isList ? customId.slice(0, -LIST.length) : customId).split(SEPARATOR), isList };
}
