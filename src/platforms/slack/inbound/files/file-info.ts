import type { CallWithRetry } from '../../api/call-with-retry.ts';
import type { SlackFile } from './slack-file.ts';

/** Returns a file with all its fields. Events of channels that are shared with other workspaces contain only ids. */
export async function fetchFileInfo(call: CallWithRetry, server: string, file: SlackFile): Promise<SlackFile> {
	const { file: info } = await call(server, 'files.info', (client) => client.files.info({ file: file.id }), {
		idempotent: true,
	});
	return { ...file, ...(info as Partial<SlackFile> | undefined) };
}
