import { InvalidResponseError } from './errors.ts';

/** Deepest nesting that is read, in fields that nobody knows too. */
const MAX_DEPTH = 256;
/** `{`, `[`, `{`: where the items of `data` are. Nothing deeper is ever looked at. */
const ITEM_DEPTH = 3;

/**
 * Where in `{data: [{b64_json}]}` a reader of JSON stands, told by the marks outside of strings. It trusts that the JSON is well-formed:
 * whether it is, is found out when all of it is parsed at the end.
 */
export type JsonPosition = {
	/** A byte outside of strings, other than a quote. */
	mark(byte: number): void;
	/** The string that begins here is a key of one of the first levels. */
	isKey(): boolean;
	/** The string that begins here is the value of `data[].b64_json`. */
	isPicture(): boolean;
	/** The key that the string turned out to be. */
	key(name: string): void;
};

export function createJsonPosition(): JsonPosition {
	/** Of the first levels, by depth: is it an object, and which of its keys came last? */
	const objects = [false, false, false, false];
	const keys = ['', '', '', ''];
	let depth = 0;
	let expectsKey = false;

	function open(isObject: boolean): void {
		if (++depth > MAX_DEPTH) throw new InvalidResponseError(`it is nested more than ${MAX_DEPTH} deep`);
		if (depth <= ITEM_DEPTH) objects[depth] = isObject;
		expectsKey = isObject && depth <= ITEM_DEPTH;
	}

	return {
		mark(byte) {
			if (byte === 0x7b) open(true);
			else if (byte === 0x5b) open(false);
			else if (byte === 0x7d || byte === 0x5d) {
				depth--;
				expectsKey = false;
			} else if (byte === 0x2c) expectsKey = depth <= ITEM_DEPTH && objects[depth] === true;
		},
		isKey: () => expectsKey,
		isPicture: () =>
			depth === ITEM_DEPTH &&
			!expectsKey &&
			objects.join() === 'false,true,false,true' &&
			keys[1] === 'data' &&
			keys[3] === 'b64_json',
		key(name) {
			keys[depth] = name;
			expectsKey = false;
		},
	};
}
