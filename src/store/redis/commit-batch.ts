import type { StoredChange } from '../driver.ts';
import type { CommitResult, StoreError } from '../store.ts';
import { toStoreError } from './redis-errors.ts';
import { toServerIndex, toServerKey } from './redis-keys.ts';

/** The keys and arguments of `commit.lua`, which describes them, for changes of one space. */
export type Batch = { keys: readonly string[]; args: readonly string[] };

export function encodeBatch(changes: readonly StoredChange[]): Batch {
	const keys: string[] = [];
	const args: string[] = [];
	for (const { once, add, put, remove, index, unindex } of changes) {
		const expiring = index.filter(({ expires }) => expires !== undefined);
		// Sent once only: every key costs the server and its client time.
		const onceAt = put.findIndex(({ key }) => key === once) + 1;
		let plan = `${onceAt},${add.length},${put.length},${remove.length},${index.length},${unindex.length},${expiring.length};`;
		for (const { by, atMost, expires } of add) plan += `${by},${atMost ?? ''},${expires ?? ''};`;
		args.push(plan);

		for (const { key } of add) keys.push(toServerKey(key));
		for (const { key, entry } of put) {
			keys.push(toServerKey(key));
			args.push(entry);
		}
		for (const key of remove) keys.push(toServerKey(key));
		for (const { index: name, member } of [...index, ...unindex]) {
			keys.push(toServerIndex(name));
			args.push(member);
		}
		for (const { index: name, expires } of expiring) {
			keys.push(toServerIndex(name));
			args.push(String(expires));
		}
	}
	return { keys, args };
}

/** Decodes what `commit.lua` returned for a change. */
export function decodeResult(answer: unknown, { add }: StoredChange): CommitResult | StoreError {
	if (answer === 0) return 'done';
	if (answer === -1) return 'duplicate';
	if (typeof answer === 'number') return { refused: add[answer - 1]?.key as string };
	return toStoreError(new Error(String(answer)));
}
