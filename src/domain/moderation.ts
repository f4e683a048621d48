/**
 * The categories of the moderation API. A category with a slash is part of the one before the slash.
 * https://platform.openai.com/docs/api-reference/moderations
 */
export const MODERATION_CATEGORIES = ['harassment', 'hate', 'illicit', 'self-harm', 'sexual', 'violence'] as const;

/** Always refused, whatever categories a server has chosen. */
export const ALWAYS_REFUSED = 'sexual/minors';

/** Reads a list of categories that moderators write. Returns undefined for an unknown one; `all` is an empty list. */
export function readCategories(text: string): readonly string[] | undefined {
	const names = text
		.toLowerCase()
		.split(/[\s,;]+/)
		.filter(Boolean);
	if (names.length === 1 && names[0] === 'all') return [];
	const known = MODERATION_CATEGORIES.filter((category) => names.includes(category));
	return names.length > 0 && known.length === new Set(names).size ? known : undefined;
}
