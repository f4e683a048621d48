import { InvalidResponseError } from '../errors.ts';

/** Deepest nesting that is read, also in unknown fields. */
const MAX_DEPTH = 256;
/** `{`, `[`, `{`: the depth of the items of `data`. Deeper levels are not looked at. */
const ITEM_DEPTH = 3;

/**
 * The position of a JSON reader in `{data: [{b64_json}]}`, followed by the bytes outside of strings. It trusts that the JSON is
 * well-formed, which is checked when all of it is parsed at the end.
 */
export class JsonPosition {
	/** Of the first levels, by depth: whether it is an object, and which of its keys came last. */
	readonly #isObject = [false, false, false, false];
	readonly #keys = ['', '', '', ''];
	#depth = 0;
	#expectsKey = false;
	#item = 0;

	/** The index of the item of `data` that the reader is in; 0 elsewhere. */
	get item(): number {
		return this.#depth > 1 && this.#isData() ? this.#item : 0;
	}

	/** Whether the string that begins here is a key of one of the first levels. */
	get isKey(): boolean {
		return this.#expectsKey;
	}

	/** Whether the string that begins here is the value of `data[].b64_json`. */
	get isPicture(): boolean {
		return (
			this.#depth === ITEM_DEPTH &&
			!this.#expectsKey &&
			this.#isObject[3] === true &&
			this.#isData() &&
			this.#keys[3] === 'b64_json'
		);
	}

	/** @param byte outside of strings, other than a quote */
	mark(byte: number): void {
		if (byte === 0x7b) this.#open(true);
		else if (byte === 0x5b) this.#open(false);
		else if (byte === 0x7d || byte === 0x5d) {
			this.#depth--;
			this.#expectsKey = false;
		} else if (byte === 0x2c) this.#comma();
	}

	#comma(): void {
		if (this.#depth === 2) this.#item += 1;
		this.#expectsKey = this.#depth <= ITEM_DEPTH && this.#isObject[this.#depth] === true;
	}

	/** @param name of the key that has just been read */
	key(name: string): void {
		this.#keys[this.#depth] = name;
		this.#expectsKey = false;
	}

	/** Whether the array of depth 2 is `data`. */
	#isData(): boolean {
		return this.#isObject[1] === true && this.#isObject[2] === false && this.#keys[1] === 'data';
	}

	#open(isObject: boolean): void {
		if (++this.#depth > MAX_DEPTH) throw new InvalidResponseError(`it is nested more than ${MAX_DEPTH} deep`);
		if (this.#depth === 2) this.#item = 0;
		if (this.#depth <= ITEM_DEPTH) this.#isObject[this.#depth] = isObject;
		this.#expectsKey = isObject && this.#depth <= ITEM_DEPTH;
	}
}
