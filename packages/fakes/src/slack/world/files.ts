import type { PictureFile } from '../../test-user.ts';
import type { Slack } from '../context.ts';
import { createMessage } from './messages.ts';
import type { Block, Channel, Json, StoredFile, User } from './model.ts';

const SIGNATURES: [string, string][] = [
	['image/png', '\x89PNG\r\n\x1a\n'],
	['image/jpeg', '\xff\xd8\xff'],
	['image/gif', 'GIF8'],
	['application/pdf', '%PDF'],
	['image/vnd.adobe.photoshop', '8BPS'],
];
const ENDINGS: Record<string, string> = {
	png: 'image/png',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	gif: 'image/gif',
	webp: 'image/webp',
	csv: 'text/csv',
	html: 'text/html',
	txt: 'text/plain',
	pdf: 'application/pdf',
};

/** Returns the media type of a file by its first bytes, else by its name. */
export function typeOf(bytes: Uint8Array, name: string): string {
	const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
	const brand = /^.{4}ftyp(hei[cf]|M4A)/s.exec(start)?.[1];
	if (brand) return brand === 'M4A' ? 'audio/mp4' : `image/${brand}`;
	if (start.startsWith('RIFF') && start.endsWith('WEBP', 12)) return 'image/webp';
	const found = SIGNATURES.find(([, signature]) => start.startsWith(signature));
	return found?.[0] ?? ENDINGS[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}

/** A file on a person's disk, and what becomes of it at Slack. */
export type SharedFile = PictureFile & Partial<Pick<StoredFile, 'condition' | 'converted' | 'snippet'>>;

/** Adds a file that a person has uploaded. It is processed already. */
export function addFile(
	slack: Slack,
	owner: User,
	{ name, bytes, ...more }: SharedFile,
	submitted = false,
): StoredFile {
	const file = announceFile(slack, owner, name, bytes.length);
	Object.assign(file, { bytes, type: typeOf(bytes, name), state: 'processed', submitted, ...more });
	return file;
}

/** Adds a file before its bytes are uploaded. */
export function announceFile(slack: Slack, owner: User, name: string, length: number): StoredFile {
	const file: StoredFile = {
		id: slack.ids.next('F'),
		name,
		title: name,
		bytes: new Uint8Array(),
		type: 'application/octet-stream',
		team: owner.team,
		owner,
		created: Math.floor(slack.clock.now() / 1000),
		length,
		state: 'announced',
		polls: 0,
		shares: new Map(),
		shown: new Set(),
		submitted: false,
	};
	slack.world.files.set(file.id, file);
	return file;
}

type Sharing = { channel: Channel; threadTs?: string; text: string; blocks: Block[] };

/** Completes an upload. The files are processed some time later, and only then shared. https://github.com/slackapi/node-slack-sdk/issues/1865 */
export function processFiles(slack: Slack, files: readonly StoredFile[], sharing: readonly Sharing[]): void {
	const { clock, settings } = slack;
	for (const file of files) Object.assign(file, { state: 'completed', completedAt: clock.now() });
	if (settings.processing === 'never') return;
	const share = () => {
		for (const file of files) if (file.state === 'completed') file.state = 'processed';
		const left = files.filter(({ state }) => state === 'processed');
		const author = files[0]?.owner;
		// https://github.com/slackapi/python-slack-sdk/issues/1818
		const isDropped = files.some((file) => file.alt !== undefined && !isPicture(file));
		if (author && left.length > 0 && !isDropped)
			for (const one of sharing) createMessage(slack, { author, ...one, files: [...left] });
	};
	pending.set(files[0] as StoredFile, share);
	for (const file of files) leaders.set(file, files[0] as StoredFile);
	if (settings.processing.ms === 0) finish(files[0]);
	else clock.after(settings.processing.ms, () => finish(files[0]));
}

const pending = new WeakMap<StoredFile, () => void>();
const leaders = new WeakMap<StoredFile, StoredFile>();

function finish(leader: StoredFile | undefined): void {
	const share = leader && pending.get(leader);
	if (!leader || !share) return;
	pending.delete(leader);
	share();
}

/** Counts a call of `files.info`. After so many as the settings say, the file is processed. */
export function pollFile({ settings }: Slack, file: StoredFile): void {
	if (file.condition === 'converting' && ++file.polls > 1) file.condition = undefined;
	if (file.state !== 'completed' || settings.processing === 'never') return;
	if (++file.polls >= settings.processing.polls) finish(leaders.get(file));
}

export const isPicture = ({ type }: StoredFile): boolean => type.startsWith('image/');

/** Returns the ids of the channels that a call shares files to. */
export const channelsIn = (args: Json): string[] =>
	[args['channel_id'], ...String(args['channels'] ?? '').split(',')]
		.map((id) => String(id ?? '').trim())
		.filter(Boolean);
