import { threadOfEntry } from './bot/chat/conversations.ts';
import { logEntries, logNotes } from './bot/moderation/moderation-log.ts';
import { choices, prints } from './bot/privacy/consent.ts';
import { erasuresDone, erasureTasks } from './bot/privacy/privacy.ts';
import { removals } from './bot/privacy/removals.ts';
import { drafts } from './bot/results/drafts.ts';
import { trays } from './bot/results/references.ts';
import { embeddings } from './bot/search/result-search.ts';
import { type AnyCollection, Collection, type Declaration, personIn } from './store/store.ts';
import { jobs } from './usage/jobs.ts';
import { unnameAudit } from './usage/settings.ts';
import { totalEntry, totalOf, unnameTotal } from './usage/totals.ts';

const declare =
	(erasure?: 'deleted' | 'unnamed' | 'kept') =>
	(
		owner: Declaration<unknown>['owner'],
		name: `${string}/${string}`,
		holds: string,
		until: string,
		details: Partial<Declaration<unknown, unknown>> = {},
	): AnyCollection => {
		const lifetime = until === 'permanent' ? until : undefined;
		return new Collection<unknown, unknown>(name, { owner, holds, until, lifetime, erasure, ...details });
	};
const entry = declare();
const kept = declare('kept');
const unnamed = declare('unnamed');
const deleted = declare('deleted');

const picture = { sort: 'file', erasedBy: 'PictureStore' } as const;
const upload = { sort: 'file', erasedBy: 'TemporaryUploads' } as const;
const ofDiscordUser = {
	group: 'profile',
	peopleOf: (key: string) => [{ platform: 'discord', id: key.slice(key.indexOf(':') + 1) }],
} as const;
const untilRemoved = { expires: () => false };

type ChatEntry = { kind: string; person?: { id: string }; to?: readonly string[]; text?: string; files?: unknown };

type SandboxMessage = {
	author: string;
	about?: { person: string };
	onlyFor?: string;
	room: string;
	text: string;
	at: string;
	files: readonly { name: string }[];
};

/**
 * Everything that is kept. Nothing else may be stored: the tests compare this table with what they have stored. `/privacy`, backups and
 * the table in docs/privacy.md go by it.
 */
export const COLLECTIONS: readonly AnyCollection[] = [
	...['ledger', 'chats', 'waiting', 'log', 'pictures', 'files', 'discord', 'sandbox'].map((space) =>
		entry('deployment', `${space}/schema`, 'the version of the entries', 'permanent'),
	),
	entry('deployment', 'service/profile:', 'which API the image service has', '7 days'),
	entry('deployment', 'service/identifiers', 'a key for the ids of people at the image service', 'permanent'),
	jobs,
	kept('person', 'ledger/cancel:', 'that a request or an answer is to be stopped', 'an hour'),
	unnamed('person', 'ledger/total:', 'calls, tokens and cost by id of a member, day and command', 'permanent', {
		group: 'totals',
		peopleOf: (key) => {
			const end = key.lastIndexOf(':');
			return [{ ...personIn(key.slice('total:'.length, end)), id: totalIn(key).person }];
		},
		exported: totalIn,
		unname: unnameTotal,
	}),
	entry('server', 'ledger/sums:', 'how often totals were moved', 'permanent'),
	entry('server', 'ledger/used:', 'calls, chat turns or money of a month', 'until the month is over, and retention'),
	entry('server', 'ledger/settings:', 'the settings', 'permanent'),
	entry('server', 'ledger/version:', 'the number of changes of the settings', 'permanent'),
	unnamed('server', 'ledger/audit:', 'a change of the settings, with id and name of the moderator', '366 days', {
		group: 'calls',
		peopleOf: (key, { by }: { by: { id: string } }) => [{ ...personIn(key.slice('audit:'.length)), id: by.id }],
		unname: unnameAudit,
	}),
	entry('server', 'ledger/notice:', 'that moderators were notified', '32 days'),
	kept('person', 'ledger/erased:', 'the id in totals for a person who erased their data', '400 days'),
	entry('process', 'ledger/lease:', 'that a process is running', 'some minutes after the process ends'),
	kept('thread', 'chats/thread:', 'a thread that the bot takes part in', '366 days after its last messages'),
	kept('thread', 'chats/first:', 'the number of the first message that is kept', '366 days'),
	kept('thread', 'chats/next:', 'the number of the next message', '366 days'),
	deleted('thread', 'chats/entry:', 'a message, with the text files that it asked about, or an answer', 'retention', {
		group: 'chats',
		peopleOf: (key, { person, to = person ? [person.id] : [] }: ChatEntry) => {
			const { platform, server } = threadOfEntry(key);
			return to.map((id) => ({ platform, server, id }));
		},
		exported: (key, { kind, text, files }: ChatEntry) => {
			return { thread: threadOfEntry(key), from: kind === 'said' ? 'you' : 'the bot', text, files };
		},
		erasedBy: 'Conversations',
	}),
	kept('thread', 'chats/context:', 'what others had said before a message to the bot', 'an hour'),
	kept('thread', 'chats/heard:', 'which message was heard last in a thread', '2 days'),
	kept('thread', 'chats/waiting:', 'that people wait for an answer', 'until it is answered'),
	kept('person', 'chats/seen:', 'that a message was handled, or a person greeted', '7 days; of greetings 366 days'),
	kept('person', 'chats/opened:', 'how many threads a person has opened without a chat turn', 'a day'),
	entry('server', 'chats/app:', 'how often an app was answered in a channel', 'an hour'),
	entry('deployment', 'pause/failed:', 'the failed calls of a minute', 'eleven minutes'),
	entry('deployment', 'pause/begun:', 'that a pause was begun', 'a minute'),
	entry('deployment', 'pause/until', 'that paid calls are paused', '`PAUSE_MINUTES`'),
	embeddings,
	logEntries,
	logNotes,
	kept('person', 'pictures/made:', 'which call has made a picture, by a hash of its bytes', 'retention'),
	deleted('person', 'pictures/kept:', 'a finished picture until it is delivered', 'retention', picture),
	deleted('person', 'pictures/original:', 'a picture that was posted as a smaller copy', 'a day', picture),
	deleted('person', 'pictures/input:', 'a picture that a person brought', 'retention', picture),
	deleted('person', 'pictures/brought:', 'a picture of a request that is not counted', 'an hour', picture),
	entry('deployment', 'backups/last', 'when the last backup was finished', 'permanent'),
	entry('deployment', 'restore/unfinished', 'that a restore has not finished', 'until it is finished', untilRemoved),
	erasureTasks,
	erasuresDone,
	choices,
	prints,
	removals,
	drafts,
	trays,
	kept('person', 'uploads/bytes:', 'how many bytes of pictures a person sent in a day', 'a day'),
	deleted('person', 'uploads/', 'the pictures of a person without a request', 'an hour', {
		erasedBy: 'TemporaryUploads',
	}),
	deleted('person', 'uploads/', 'a picture of a person without a request', 'an hour', upload),
	// Only with pictures in a bucket.
	deleted('person', 'files/file:', 'the object in the bucket that has a file', 'as the file', { erasedBy: 'Files' }),
	entry('deployment', 'files/sweep', 'that a process deletes expired objects', 'five minutes'),
	kept(
		'person',
		'discord/home:',
		'the server a person used the bot in last',
		'366 days after its last use',
		ofDiscordUser,
	),
	deleted('person', 'discord/locale:', 'the language of a person', 'retention after its last use', ofDiscordUser),
	deleted('person', 'discord/direct:', 'whose direct messages a channel is', 'retention after its last use', {
		group: 'profile',
		peopleOf: (_, id: string) => [{ platform: 'discord', id }],
	}),
	entry('server', 'discord/post:', 'where a message of the bot is', 'retention; an hour if private'),
	entry('server', 'discord/message:', 'the key of a message of the bot', 'retention; an hour if private'),
	kept('person', 'discord/form:', 'what an open form submits', 'a day'),
	entry('server', 'discord/addressed:', 'that a message addressed the bot', 'ten minutes'),
	entry('deployment', 'discord/registration:', 'that a process registers commands', '30 seconds'),
	entry('server', 'slack/installation:', 'an encrypted token', 'until the app is removed', untilRemoved),
	entry('server', 'slack/bot:', 'the workspace of a bot', 'until the app is removed', untilRemoved),
	kept('thread', 'slack/home:', 'the workspace whose bot answers in a thread of a shared channel', '366 days'),
	entry('server', 'slack/post:', 'where a message of the bot is', 'retention; an hour if private'),
	entry('server', 'slack/now:', 'the new id of a channel', 'retention'),
	entry('server', 'slack/before:', 'the id that a channel had before', 'retention'),
	entry('server', 'slack/message:', 'the key of a message of the bot', 'retention; an hour if private'),
	kept('person', 'slack/asked:', 'a request that is not answered yet', 'until it is answered'),
	entry('server', 'slack/seen:', 'that an event was handled', 'ten minutes'),
	entry('deployment', 'slack/connected:', 'when events arrived last', 'a day'),
	entry('server', 'slack/refresh:', 'that a process replaces a token', 'a minute'),
	deleted('server', 'sandbox/message:', 'a message', 'retention', {
		group: 'profile',
		peopleOf: (_, { author, about, onlyFor }: SandboxMessage) =>
			[author, about?.person, onlyFor].flatMap((id) => (id === undefined ? [] : { platform: 'sandbox', id })),
		exported: (_, { room, author, text, at, files }: SandboxMessage) => {
			return { room, author, text, at, files: files.map(({ name }) => name) };
		},
		erasedBy: 'Platform',
	}),
	entry('server', 'sandbox/key:', 'where a message is', 'retention'),
	entry('server', 'sandbox/tally:', 'the number of the last message', 'permanent'),
	kept('server', 'sandbox/threads:', 'the threads of a channel', 'retention after their last message'),
	kept('person', 'sandbox/form:', 'what an open form submits', 'a day'),
	entry('deployment', 'sandbox/settings', 'the settings of the sandbox', 'permanent'),
	entry('server', 'sandbox/', 'a file of a message, or of a command', 'retention; until the answer', { sort: 'file' }),
	entry('deployment', 'studio/images:', 'the calls of a month', '62 days'),
	entry('deployment', 'studio/repeat:', 'how often a key asked for the same picture', '7 days'),
	entry('deployment', 'studio/spent', 'the money spent', 'permanent'),
];

/** Returns what an entry of a total says, its money in micro-USD. */
function totalIn(key: string, entry?: unknown) {
	return totalOf(totalEntry(key).member, entry);
}

/** The spaces of the store. */
export const SPACES: readonly string[] = [...new Set(COLLECTIONS.map(({ space }) => space))];
