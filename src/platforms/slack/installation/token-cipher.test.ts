import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenCipher } from './token-cipher.ts';

const cipher = new TokenCipher('state secret');

test('decrypts what it encrypted for the same owner, and shows nothing of it', async () => {
	await fc.assert(
		fc.asyncProperty(fc.string(), fc.string(), async (text, owner) => {
			const encrypted = await cipher.encrypt(text, owner);
			expect(await cipher.decrypt(encrypted, owner)).toBe(text);
			if (text.length > 8) expect(Buffer.from(encrypted, 'base64').toString('latin1')).not.toContain(text);
		}),
		{ numRuns: 50 },
	);
});

test('never encrypts the same text to the same result', async () => {
	expect(await cipher.encrypt('xoxb-1', 'T1')).not.toBe(await cipher.encrypt('xoxb-1', 'T1'));
});

test('does not decrypt for another owner, with another secret, or when any byte was changed', async () => {
	const encrypted = await cipher.encrypt('xoxb-1', 'T1');
	expect(await cipher.decrypt(encrypted, 'T2')).toBeUndefined();
	expect(await new TokenCipher('another').decrypt(encrypted, 'T1')).toBeUndefined();
	const bytes = Buffer.from(encrypted, 'base64');
	for (let at = 0; at < bytes.length; at++) {
		const changed = Buffer.from(bytes);
		changed[at] = (changed[at] ?? 0) ^ 1;
		expect(await cipher.decrypt(changed.toString('base64'), 'T1'), `byte ${at}`).toBeUndefined();
	}
	for (const cut of ['', 'AQ', encrypted.slice(0, 30)]) expect(await cipher.decrypt(cut, 'T1')).toBeUndefined();
});
