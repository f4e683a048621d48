import { secretsIn } from '../config/config.ts';
import { redactor } from '../log.ts';

/** Characters that could change how a terminal shows a line: names of servers and channels are written by anybody. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g;

/** Returns a function that removes every secret of the environment, and control characters, from a text. */
export function createCleanText(env: Readonly<Record<string, string | undefined>>) {
	const redact = redactor([...secretsIn(env), ...passwordsIn(env['STORE_URL'] ?? '')].flatMap(spellingsOf));
	// Redacted twice: a control character may have split a secret.
	return (text: string): string => redact(redact(text).replace(CONTROL, ' '));
}

/** Returns a secret as it is, trimmed, and as addresses and encodings write it. */
function spellingsOf(secret: string): string[] {
	const trimmed = secret.trim();
	const encoded = trimmed.isWellFormed() ? [encodeURIComponent(trimmed), encodeURI(trimmed)] : [];
	return [secret, trimmed, ...encoded, Buffer.from(trimmed).toString('base64')];
}

/** The password of an address, also of one that cannot be parsed. */
function passwordsIn(address: string): string[] {
	const [, written] = /^[a-z]+:\/\/[^:@/]*:(.+)@/i.exec(address.trim()) ?? [];
	if (written === undefined) return [];
	try {
		return [written, decodeURIComponent(written)];
	} catch {
		return [written];
	}
}
