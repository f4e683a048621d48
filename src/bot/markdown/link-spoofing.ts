/** What is invisible, or markup, within a link's text. */
const UNSEEN = /[`*_~\\\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g;
const ADDRESS = /(?:[a-z][a-z\d+.-]*:\/\/|www\.)[^\s/?#]+|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?=[/:?#]|$)/giu;
/** Endings of files and of things named after them, which no domain has. */
const NO_DOMAIN = /\.(?:js|mjs|cjs|ts|tsx|jsx|json|html?|css|txt|cpp|java|ya?ml|toml|xml|csv|pdf|png|jpe?g)$/i;

/** Whether a link's text reads like an address, and the link goes to another host. */
export function isSpoofedLink(label: string, target: string): boolean {
	const shown = label.normalize('NFKC').replace(UNSEEN, '').trim();
	const host = hostOf(target.replace(/^<|>$/g, ''));
	return (shown.match(ADDRESS) ?? []).some((address) => !NO_DOMAIN.test(address) && hostOf(address) !== host);
}

function hostOf(address: string): string | undefined {
	const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`);
	return url?.hostname.replace(/^www\./, '');
}
