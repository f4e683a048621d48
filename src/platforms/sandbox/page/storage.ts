/** What the browser refuses to keep, where it blocks the storage of sites or has no room. It lasts as long as the page. */
const unkept = new Map<string, string>();

export const keepsAll = (): boolean => unkept.size === 0;

type Storages = 'localStorage' | 'sessionStorage';

/** Returns what is remembered under a key; an empty text when nothing is. */
export function remembered(key: string, where: Storages = 'localStorage'): string {
	try {
		// A browser that blocks it throws already here.
		return unkept.get(key) ?? window[where].getItem(key) ?? '';
	} catch {
		unkept.set(key, '');
		return '';
	}
}

export function remember(key: string, text: string, where: Storages = 'localStorage'): void {
	try {
		window[where].setItem(key, text);
		unkept.delete(key);
	} catch {
		unkept.set(key, text);
	}
}
