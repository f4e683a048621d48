import { randomUUID } from 'node:crypto';
import { close, open, read, unlink, writeFile } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Upload } from '../../../../domain/channel.ts';
import type { FormFile } from '../http/body.ts';
import { cleanName } from '../store/file-format.ts';

/** Closes the files of uploads that nothing refers to any more. */
const files = new FinalizationRegistry<number>((file) => close(file));

/**
 * Returns the picture of a command, whose memory is released. Its bytes are in a temporary file without a name, which the system removes with the last use, so
 * that commands that wait take up no memory.
 */
export async function spoolUpload({ name, bytes }: FormFile): Promise<Upload> {
	const path = join(tmpdir(), `easel-${randomUUID()}`);
	const file = { descriptor: await promisify(open)(path, 'wx+', 0o600) };
	files.register(file, file.descriptor);
	await promisify(unlink)(path);
	const size = bytes.length;
	await promisify(writeFile)(file.descriptor, bytes);
	// Left to the garbage collector, several forms would take up memory at the same time.
	if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
	return { name: cleanName(name), size, read: readerOf(file, size) };
}

/** The returned function keeps the file open: it refers to the object whose end closes it. */
function readerOf(file: { descriptor: number }, size: number): Upload['read'] {
	return async (signal) => {
		signal.throwIfAborted();
		const bytes = new Uint8Array(size);
		for (let at = 0; at < size; ) {
			const { bytesRead } = await promisify(read)(file.descriptor, bytes, at, size - at, at);
			if (bytesRead === 0) throw new Error('A temporary file was cut');
			at += bytesRead;
		}
		return bytes;
	};
}
