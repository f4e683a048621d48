import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenCipher } from './token-cipher.ts';

const seal = createTokenCipher('state secret');

test('what is sealed opens for whom it is about, and reads as nothing of it', async () => {
	await fc.assert(
		fc.asyncProperty(fc.string(), fc.string(), async (text, about) => {
			const sealed = await seal.close(text, about);
			expect(await seal.open(sealed, about)).toBe(text);
			if (text.length > 8) expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain(text);
		}),
		{ numRuns: 50 },
	);
});

test('the same text is never sealed the same way twice', async () => {
	expect(await seal.close('xoxb-1', 'T1')).not.toBe(await seal.close('xoxb-1', 'T1'));
});

test('it does not open for another workspace, with another secret, or when any of it was changed', async () => {
	const sealed = await seal.close('xoxb-1', 'T1');
	expect(await seal.open(sealed, 'T2')).toBeUndefined();
	expect(await createTokenCipher('another').open(sealed, 'T1')).toBeUndefined();
	const bytes = Buffer.from(sealed, 'base64');
	for (let at = 0; at < bytes.length; at++) {
		const changed = Buffer.from(bytes);
		changed[at] = (changed[at] ?? 0) ^ 1;
		expect(await seal.open(changed.toString('base64'), 'T1'), `byte ${at}`).toBeUndefined();
	}
	for (const cut of ['', 'AQ', sealed.slice(0, 30)]) expect(await seal.open(cut, 'T1')).toBeUndefined();
});
