import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stateKey, TokenCipher } from './workspaces.ts';

const stateSecret = 'a state secret of 32 characters.';
const cipher = new TokenCipher({ stateSecret });

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
	expect(await new TokenCipher({ stateSecret: 'another' }).decrypt(encrypted, 'T1')).toBeUndefined();
	const bytes = Buffer.from(encrypted, 'base64');
	for (let at = 0; at < bytes.length; at++) {
		const changed = Buffer.from(bytes);
		changed[at] = (changed[at] ?? 0) ^ 1;
		expect(await cipher.decrypt(changed.toString('base64'), 'T1'), `byte ${at}`).toBeUndefined();
	}
	for (const cut of ['', 'AQ', encrypted.slice(0, 30)]) expect(await cipher.decrypt(cut, 'T1')).toBeUndefined();
});

test('decrypts what version 0.1.0 stored', async () => {
	const stored = 'AbI6xQDh1evRM+FrvUPkVxL3LMM5+rq9wN18a65M3xZlW2g=';
	expect(await cipher.decrypt(stored, 'T1')).toBe('xoxb-1');
});

test('decrypts with the secret before, and encrypts with the new one', async () => {
	const stored = await cipher.encrypt('xoxb-1', 'T1');
	const next = { stateSecret: 'the next state secret of Easel....', previousStateSecret: stateSecret };
	const changing = new TokenCipher(next);
	expect(await changing.decrypt(stored, 'T1')).toBe('xoxb-1');
	const written = await changing.encrypt('xoxb-2', 'T1');
	expect(await cipher.decrypt(written, 'T1')).toBeUndefined();
	expect(await new TokenCipher({ stateSecret: next.stateSecret }).decrypt(written, 'T1')).toBe('xoxb-2');
});

test('the key of states is not the one of tokens, and not the secret', () => {
	expect(stateKey(stateSecret)).toMatch(/^[0-9a-f]{64}$/);
	expect(stateKey(stateSecret)).not.toBe(stateKey('another'));
});
