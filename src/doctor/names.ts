/** How many names a line has at most. */
const MAX_NAMES = 6;

/** Lists names, the last of them as their number where there are many. */
export function namesOf(names: readonly string[]): string {
	const shown =
		names.length <= MAX_NAMES ? names : [...names.slice(0, MAX_NAMES - 1), `${names.length - MAX_NAMES + 1} others`];
	return new Intl.ListFormat('en').format(shown);
}
