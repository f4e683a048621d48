/** Thrown when a backup cannot be made, read or restored. The message is one sentence for the operator. */
export class BackupError extends Error {
	override name = 'BackupError';
}

/** Thrown when a newer version of Easel has written a backup: this version could misread it. */
export class NewerBackupError extends BackupError {}

/** Thrown when a command is used in a way that could destroy something, or makes no sense for the store. */
export class BackupRefusedError extends BackupError {}

/** Translates an error of the file system about the file of a backup. */
export function toBackupError(error: unknown, path: string): Error {
	const { code } = error as NodeJS.ErrnoException;
	if (error instanceof BackupError || code === undefined) return error as Error;
	const reason = REASONS[code] ?? `cannot be read or written (${code})`;
	return new BackupError(`${path} ${reason}.`, { cause: error });
}

const REASONS: Record<string, string> = {
	ENOENT: 'does not exist',
	EACCES: 'may not be read or written by this user',
	EPERM: 'may not be read or written by this user',
	EISDIR: 'is a folder; name a file',
	ENOTDIR: 'lies in something that is not a folder',
	ENOSPC: 'cannot be written, because the disk is full',
	EDQUOT: 'cannot be written, because the disk quota is used up',
	EROFS: 'cannot be written, because the file system is read-only',
	EFBIG: 'cannot be written, because it exceeds the largest size of a file',
};
