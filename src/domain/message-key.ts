/** Fits what every platform stores with a message: Discord's nonces, Slack's metadata. Delivery ids leave room for suffixes. */
const MESSAGE_KEY = /^[\w:.-]{1,64}$/;

/** Throws a `RangeError` for a key that no message can have: 1 to 64 of `A-Z a-z 0-9 - _ : .` are allowed. */
export function assertMessageKey(key: string): void {
	if (!MESSAGE_KEY.test(key)) throw new RangeError(`“${key}” is not a message key.`);
}
