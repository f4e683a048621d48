import fc from 'fast-check';
import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import { deserialize, serialize } from './backend.ts';

const keyv = new Keyv();
const text = fc.string({
	unit: fc.constantFrom(':', '"', ',', '[', '\\', 'a', 'base64', ':base64:', 'é'),
	maxLength: 5,
});
const leaf = fc.oneof(
	text,
	fc.integer(),
	fc.double(),
	fc.boolean(),
	fc.constantFrom(null, undefined, 'Buffer'),
	fc.date({ noInvalidDate: true }),
	fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3 },
		leaf,
		fc.array(tie('value'), { maxLength: 4 }),
		fc.dictionary(fc.oneof(text, fc.constant('type')), tie('value'), { maxKeys: 4, noNullPrototype: true }),
	),
}));

test("writes and reads the same as keyv's own serializer", () => {
	fc.assert(
		fc.property(value, fc.option(fc.nat(), { nil: undefined }), (value, expires) => {
			const entry = { value, expires };
			const written = serialize(entry);
			expect(written).toBe(keyv.serialize?.(entry));
			expect(deserialize(written)).toEqual(keyv.deserialize?.(written));
		}),
		{ numRuns: 2000 },
	);
});
