const spaced = (pattern: string) => pattern.replaceAll(' ?', '\\s*').replaceAll(' ', '\\s+');

/** Matches whole words of any script. A space in the pattern stands for any white space, ` ?` for white space or none. */
export function words(pattern: string): RegExp {
	// Bounded: at most 4,000 characters.
	return new RegExp(`(?<![\\p{L}\\p{N}])(?:${spaced(pattern)})(?![\\p{L}\\p{N}])`, 'gu');
}

/** Matches a whole clause. */
export function clause(pattern: string): RegExp {
	// Bounded: at most 240 characters.
	return new RegExp(`^(?:${spaced(pattern)})$`, 'u');
}
