/** Characters of a link's text that are invisible, or markup. */
const INVISIBLE = /[`*_~\\\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g;
/** The longest text of a link that is looked at, since normalizing makes some texts longer. */
const MAX_SHOWN = 2000;
/** Bounded: at most 2,000 characters. */
const ADDRESS = /(?:[a-z][a-z\d+.-]*:\/\/|www\.)[^\s/?#]+|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?=[/:?#]|$)/giu;
/** File endings, which products are named after too. None is a top-level domain. */
const FILE_ENDING = /\.(?:js|mjs|cjs|ts|tsx|jsx|json|html?|css|txt|cpp|java|ya?ml|toml|xml|csv|pdf|png|jpe?g)$/i;

/** Tells whether a link's text looks like an address on another host than the one that the link goes to, or is too long to tell. */
export function isSpoofedLink(label: string, target: string): boolean {
	const shown = label.normalize('NFKC').replace(INVISIBLE, '').trim();
	if (shown.length > MAX_SHOWN) return true;
	const host = hostOf(target.replace(/^<|>$/g, ''));
	return (shown.match(ADDRESS) ?? []).some((address) => !FILE_ENDING.test(address) && hostOf(address) !== host);
}

function hostOf(address: string): string | undefined {
	const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`);
	return url?.hostname.replace(/^www\./, '');
}
