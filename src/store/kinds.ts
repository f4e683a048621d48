import { hash } from 'node:crypto';
import { timedMember } from './pages.ts';
import type { Change } from './store.ts';

/** Who an entry is about. It is deleted with its owner's data. */
type Owner = 'deployment' | 'server' | 'person' | 'thread' | 'process';

type Sort = 'entry' | 'index' | 'file';

/** A paid call, as the index of a person's calls names it. */
type Call = { platform: string; server: string; person: string; id: string };

/** A kind of entry, index or file in the store. */
export type Kind = {
	space: string;
	/** What its keys begin with. The first kind that fits counts, so an empty prefix stands for all other keys. */
	prefix: string;
	sort: Sort;
	owner: Owner;
	holds: string;
	/** How long it is kept. `retention` is `RETENTION_DAYS`. */
	lifetime: string;
	/**
	 * What `/privacy erase` does with it: `unnamed` stays without the name, `kept` stays as it is, because it holds caps or names
	 * nobody. Undefined for entries about no person, and for indexes, which go with their entries.
	 */
	erasure?: 'deleted' | 'unnamed' | 'kept';
} & Details;

type Details = {
	/** Whether an entry has a time to live in the store. Those of permanent kinds have none, all others do unless this says otherwise. */
	expires?: boolean | ((value: unknown) => boolean);
	sort?: Sort;
	/** The part of Easel that erases it. By default it is erased by what this table says. */
	erasedBy?: string;
	/** What `/privacy show` counts it as; undefined for kinds that are not looked through for a person. */
	group?: 'calls' | 'totals' | 'prompts' | 'chats' | 'drafts' | 'profile' | 'log';
	/** Returns the key, without the prefix, of the entry that belongs to a call, for kinds whose entries all do. */
	ofCall?(call: Call): string;
	/** Returns the people that an entry is about. */
	peopleOf?(key: string, value: unknown): readonly PersonRef[];
	/** Returns the entry as it is exported; the whole of it by default. */
	exported?(key: string, value: unknown): unknown;
	/** Returns what is removed together with an entry. */
	with?(key: string, value: unknown): Pick<Change, 'remove' | 'unindex'>;
};

const declare =
	(sort: Sort, erasure?: Kind['erasure']) =>
	(owner: Owner, name: `${string}/${string}`, holds: string, lifetime: string, details: Details = {}): Kind => {
		const slash = name.indexOf('/');
		const [space, prefix] = [name.slice(0, slash), name.slice(slash + 1)];
		return { space, prefix, sort, owner, holds, lifetime, erasure, expires: lifetime !== 'permanent', ...details };
	};
const entry = declare('entry');
const index = declare('index');
const kept = declare('entry', 'kept');
const unnamed = declare('entry', 'unnamed');
const deleted = declare('entry', 'deleted');

const hasEnded = (job: unknown) => ['delivered', 'undeliverable', 'held'].includes((job as { state: string }).state);

type Requested = { place: { platform: string; server: string }; person: { id: string } };
const requesterOf = ({ place: { platform, server }, person: { id } }: Requested) => [{ platform, server, id }];

const discordUser = (key: string) => [{ platform: 'discord', id: key.slice(key.indexOf(':') + 1) }];

type Thread = { platform: string; server: string; channel: string; thread?: string };
type ChatEntry = { kind: string; person?: { id: string }; to?: readonly string[]; text?: string };

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
export const KINDS: readonly Kind[] = [
	...['ledger', 'chats', 'recent', 'waiting', 'requests', 'log', 'pictures', 'files', 'discord', 'sandbox'].map(
		(space) => entry('deployment', `${space}/schema`, 'the version of the entries', 'permanent'),
	),
	entry('deployment', 'service/profile:', 'which API the image service has', '7 days'),
	unnamed(
		'person',
		'ledger/job:',
		'a paid call from its reservation to its answer; later only its id and outcome',
		'until it is closed, then 100 days',
		{
			expires: hasEnded,
			group: 'calls',
			ofCall: ({ id }) => id,
			peopleOf: (_, job: Requested) => (hasEnded(job) ? [] : requesterOf(job)),
		},
	),
	kept('person', 'ledger/step:', 'how often a job was written', '100 days'),
	...['gate:', 'closed:', 'claim:'].map((prefix) =>
		kept('person', `ledger/${prefix}`, 'what earlier versions kept beside a job', '100 days'),
	),
	kept('person', 'ledger/cancel:', 'that a request is to be cancelled', 'an hour'),
	unnamed(
		'person',
		'ledger/receipt:',
		'the outcome, cost and tokens of a call, with id and name of the member',
		'retention',
		{
			group: 'calls',
			ofCall: ({ platform, server, id }) => `${platform}:${server}:${id}`,
			peopleOf: (_, receipt: Requested) => requesterOf(receipt),
		},
	),
	unnamed('person', 'ledger/total:', 'calls and tokens of a member by day and command, without a name', 'permanent', {
		group: 'totals',
		peopleOf: (key) => {
			const end = key.lastIndexOf(':');
			return [{ ...personIn(key.slice('total:'.length, end)), id: totalIn(key).person }];
		},
		exported: totalIn,
	}),
	entry('server', 'ledger/sums:', 'how often receipts were changed', 'permanent'),
	entry('server', 'ledger/count:', 'calls in a window', 'until its window is over, and retention'),
	entry('server', 'ledger/chat:', 'chat turns in a window', 'until its window is over, and retention'),
	entry('server', 'ledger/cost:', 'money spent in a month', 'until its window is over, and retention'),
	entry('server', 'ledger/settings:', 'the settings', 'permanent'),
	entry('server', 'ledger/version:', 'the number of changes of the settings', 'permanent'),
	unnamed('server', 'ledger/audit:', 'a change of the settings, with id and name of the moderator', '366 days', {
		group: 'calls',
		peopleOf: (key, { by }: { by: { id: string } }) => [{ ...personIn(key.slice('audit:'.length)), id: by.id }],
	}),
	entry('server', 'ledger/notice:', 'that moderators were notified', '32 days'),
	kept('person', 'ledger/erased:', 'the id in totals for a person who erased their data', '400 days'),
	entry('process', 'ledger/lease:', 'that a process is running', 'some minutes after the process ends'),
	entry('process', 'ledger/renewals:', 'how often a lease was renewed', 'some minutes after the process ends'),
	index('deployment', 'ledger/open', 'the jobs that have not ended', 'until they end'),
	index('person', 'ledger/calls:', 'the calls of a person', 'retention and 30 days'),
	index('server', 'ledger/months', 'the months in which servers made calls', 'permanent'),
	index('server', 'ledger/receipts:', 'the receipts of a month', 'as the receipts'),
	index('server', 'ledger/total:', 'the totals of a month', 'permanent'),
	kept('thread', 'chats/thread:', 'a thread that the bot takes part in', '366 days after its last messages'),
	kept('thread', 'chats/first:', 'the number of the first message that is kept', '366 days'),
	kept('thread', 'chats/next:', 'the number of the next message', '366 days'),
	deleted('thread', 'chats/entry:', 'a message or an answer', 'retention', {
		group: 'chats',
		peopleOf: (key, { person, to = person ? [person.id] : [] }: ChatEntry) => {
			const { platform, server } = threadOfEntry(key);
			return to.map((id) => ({ platform, server, id }));
		},
		exported: (key, { kind, text }: ChatEntry) => {
			return { thread: threadOfEntry(key), from: kind === 'said' ? 'you' : 'the bot', text };
		},
		erasedBy: 'Conversations',
	}),
	kept('thread', 'chats/waiting:', 'that people wait for an answer', 'until it is answered'),
	kept('person', 'chats/seen:', 'that a message was handled, or a person greeted', '7 days; of greetings 366 days'),
	kept('person', 'chats/opened:', 'how many threads a person has opened without a chat turn', 'a day'),
	kept('thread', 'chats/stop:', 'that an answer is to be stopped', 'an hour'),
	index('server', 'chats/threads:', 'the threads of a server', '366 days'),
	index('deployment', 'chats/waiting', 'the threads with people who wait', 'until it is answered'),
	deleted('person', 'recent/', 'prompt and message of a result', 'retention', {
		group: 'prompts',
		ofCall: ({ platform, server, person, id }) => `${platform}/${server}/${person}/${id}`,
		peopleOf: (key) => [personIn(key.split('/').slice(0, 3).join('/'), '/')],
		with(key, { at }: { at: number }) {
			const parts = key.split('/');
			const member = timedMember(at, parts.slice(3).join('/'));
			return { unindex: [{ index: parts.slice(0, 3).join('/'), member }] };
		},
	}),
	index('person', 'recent/', 'the results of a person', 'retention'),
	entry('deployment', 'pause/failed:', 'the failed calls of a minute', 'eleven minutes'),
	entry('deployment', 'pause/begun:', 'that a pause was begun', 'a minute'),
	entry('deployment', 'pause/until', 'that paid calls are paused', '`PAUSE_MINUTES`'),
	deleted('person', 'search/', 'the embedding of a prompt', 'retention', {
		group: 'prompts',
		ofCall: ({ platform, server, id }) => `${platform}/${server}/${id}`,
		peopleOf: (key, { person }: { person: string }) => [{ ...personIn(key, '/'), id: person }],
		exported: (_, { model, added }: { model: string; added: number }) => ({ model, at: added }),
		with(key, { added }: { added: number }) {
			const end = key.lastIndexOf('/');
			return { unindex: [{ index: key.slice(0, end), member: timedMember(added, key.slice(end + 1)) }] };
		},
	}),
	index('server', 'search/', 'the results of a server', 'retention'),
	deleted('person', 'waiting/answer:', 'a sentence about a failed request that could not be posted', 'retention', {
		erasedBy: 'UndeliveredResults',
	}),
	index('person', 'waiting/', 'the results of a person that could not be delivered', 'retention'),
	deleted('person', 'requests/', 'the options of a request, with its prompt', 'retention', {
		group: 'prompts',
		ofCall: ({ id }) => id,
		peopleOf: (_, request: Requested) => requesterOf(request),
	}),
	deleted('person', 'log/entry:', 'an entry of the moderation log, with its prompt', 'retention', {
		group: 'log',
		ofCall: ({ id }) => id,
		peopleOf: (_, entry: Requested) => requesterOf(entry),
		with: (_, { job }: { job: string }) => ({
			remove: [...['remove', 'block', 'hide'].map((action) => `note:${action}:${job}`), `decision:${job}`],
		}),
	}),
	entry('server', 'log/note:', 'what a moderator did', 'retention'),
	deleted('person', 'log/held:', 'a result that waits for a review', 'until its review ends', {
		group: 'log',
		ofCall: ({ id }) => id,
		peopleOf: (_, { job }: { job: Requested }) => requesterOf(job),
		// A sweep looks at it at once when it is decided, else when it is due to be checked.
		with: (_, { job: { id }, checkAt }: { job: { id: string }; checkAt: number }) => ({
			remove: [`decision:${id}`, `repeat:${id}`],
			unindex: [0, checkAt].map((at) => ({ index: 'held', member: timedMember(at, id) })),
		}),
	}),
	entry('server', 'log/decision:', 'how a review ended, with the moderator’s reason', 'retention'),
	entry('server', 'log/repeat:', 'that a decision is to be shown once more', 'until it is shown'),
	index('deployment', 'log/held', 'the results that wait for a review', 'until their review ends'),
	kept('person', 'pictures/made:', 'which call has made a picture, by a hash of its bytes', 'retention'),
	kept('person', 'pictures/address:', 'where a picture is that could not be fetched', 'an hour'),
	deleted('person', 'pictures/kept:', 'a finished picture until it is delivered', 'retention', {
		sort: 'file',
		erasedBy: 'PictureStore',
	}),
	deleted('person', 'pictures/original:', 'a picture that was posted as a smaller copy', 'a day', {
		sort: 'file',
		erasedBy: 'PictureStore',
	}),
	deleted('person', 'pictures/input:', 'a picture that a person brought', 'retention', {
		sort: 'file',
		erasedBy: 'PictureStore',
	}),
	deleted('person', 'pictures/brought:', 'a picture of a request that is not counted', 'an hour', {
		sort: 'file',
		erasedBy: 'PictureStore',
	}),
	entry('deployment', 'backups/last', 'when the last backup was finished', 'permanent'),
	entry('deployment', 'restore/unfinished', 'that a restore has not finished', 'until the restore is finished', {
		expires: false,
	}),
	// Keys are hashes of ids. They outlast backups, so that an erasure is repeated in a restored store.
	deleted('person', 'erasures/task:', 'an erasure that has not ended, with the messages to delete', 'until it ends', {
		erasedBy: 'Erasures',
	}),
	kept('person', 'erasures/done:', 'when a person last erased their data', '400 days'),
	entry(
		'server',
		'erasures/removal:',
		'when a server removed the bot, and whether its data was erased',
		'400 days, or until it invites the bot again',
	),
	kept('person', 'erasures/recent:', 'that a person asked for their data', 'a minute'),
	index('deployment', 'erasures/tasks', 'the erasures that have not ended', 'until they end'),
	index('server', 'erasures/removals', 'the servers whose data will be erased, by time', '30 days'),
	deleted('person', 'forms/', 'what a person has entered in a form', 'an hour', { erasedBy: 'drafts' }),
	deleted('person', 'tray/', 'the references of a person', 'an hour', {
		group: 'drafts',
		peopleOf: (key) => [personIn(key)],
	}),
	kept('person', 'uploads/bytes:', 'how many bytes of pictures a person sent in a day', 'a day'),
	deleted('person', 'uploads/', 'the pictures of a person without a request', 'an hour', {
		erasedBy: 'TemporaryUploads',
	}),
	deleted('person', 'uploads/', 'a picture of a person without a request', 'an hour', {
		sort: 'file',
		erasedBy: 'TemporaryUploads',
	}),
	// Only with pictures in a bucket.
	deleted('person', 'files/file:', 'the object in the bucket that has a file', 'as the file', { erasedBy: 'Files' }),
	entry('deployment', 'files/sweep', 'that a process deletes expired objects', 'five minutes'),
	index('person', 'files/objects', 'the objects, by the time of their next check', 'as the object'),
	kept('person', 'discord/home:', 'the server that a person used the bot in last', '366 days after its last use', {
		group: 'profile',
		peopleOf: discordUser,
	}),
	deleted('person', 'discord/locale:', 'the language of a person', 'retention after its last use', {
		group: 'profile',
		peopleOf: discordUser,
	}),
	deleted('person', 'discord/direct:', 'whose direct messages a channel is', 'retention after its last use', {
		group: 'profile',
		peopleOf: (_, id: string) => [{ platform: 'discord', id }],
	}),
	entry('server', 'discord/post:', 'where a message of the bot is', 'retention; an hour if private'),
	entry('server', 'discord/message:', 'the key of a message of the bot', 'retention; an hour if private'),
	kept('person', 'discord/form:', 'what an open form submits', 'a day'),
	entry('deployment', 'discord/registration:', 'that a process registers commands', '30 seconds'),
	entry('server', 'slack/installation:', 'an encrypted token', 'until the app is removed', { expires: false }),
	entry('server', 'slack/post:', 'where a message of the bot is', 'retention; an hour if private'),
	entry('server', 'slack/message:', 'the key of a message of the bot', 'retention; an hour if private'),
	entry('server', 'slack/share:', 'files that are posted with a message', 'retention'),
	entry('server', 'slack/sharing:', 'that a process shares files', 'retention'),
	entry('server', 'slack/covered:', 'pictures that a button shows', 'retention'),
	kept('person', 'slack/form:', 'what a long open form submits', 'a day'),
	kept('thread', 'slack/stop:', 'the stop button of an answer', 'an hour'),
	entry('server', 'slack/seen:', 'that an event was handled', 'ten minutes'),
	entry('server', 'slack/refresh:', 'that a process replaces a token', 'a minute'),
	index('deployment', 'slack/shares', 'the messages whose files are not shared', 'retention'),
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
	kept('thread', 'sandbox/thread-tally:', 'the number of the last message', 'as its thread'),
	kept('thread', 'sandbox/thread:', 'a thread', 'retention after its last message'),
	entry('server', 'sandbox/file:', 'the description of a file', 'retention; an hour without a message'),
	entry('deployment', 'sandbox/bytes', 'the size of all files', 'permanent'),
	kept('person', 'sandbox/form:', 'what an open form submits', 'a day'),
	entry('deployment', 'sandbox/settings', 'the settings of the sandbox', 'permanent'),
	index('server', 'sandbox/threads:', 'the threads of a channel', 'as the threads'),
	index('deployment', 'sandbox/files', 'the files of messages', 'as the files'),
	index('deployment', 'sandbox/pending', 'the files without a message', 'an hour'),
	entry('server', 'sandbox/', 'a file of a message', 'retention; an hour without a message', { sort: 'file' }),
	entry('deployment', 'studio/images:', 'the calls of a month', '62 days'),
	entry('deployment', 'studio/repeat:', 'how often a key asked for the same picture', '7 days'),
	entry('deployment', 'studio/spent', 'the money spent', 'permanent'),
];

/** The spaces of the store. */
export const SPACES: readonly string[] = [...new Set(KINDS.map(({ space }) => space))];

/** Returns the kind of an entry or a file. */
export const kindOf = (space: string, key: string, sort: Sort = 'entry'): Kind | undefined =>
	KINDS.find((kind) => kind.space === space && kind.sort === sort && key.startsWith(kind.prefix));

/** Returns the change that removes an entry with what belongs to it. */
export function removalOf(space: string, key: string, value: unknown): Change {
	const { remove = [], unindex } = kindOf(space, key)?.with?.(key, value) ?? {};
	return { remove: [key, ...remove], unindex };
}

/** Returns the person in `PLATFORM:SERVER:ID`. Ids of servers may contain the separator. */
function personIn(text: string, separator = ':'): Required<PersonRef> {
	const [platform = '', ...rest] = text.split(separator);
	return { platform, server: rest.slice(0, -1).join(separator), id: rest.at(-1) ?? '' };
}

/** Returns what a key of a total says. Its value is how often a call with these figures was made, or the number of tokens. */
function totalIn(key: string, times?: unknown) {
	const [person = '', day = '', command = '', figures = ''] = key.slice(key.lastIndexOf(':') + 1).split(' ');
	const [calls, pictures, failed, unknown, mills, inputTokens, outputTokens] = figures.split('.').map(Number);
	const each = { calls, pictures, failed, unknown, mills, inputTokens, outputTokens };
	return { person: decodeURIComponent(person), day, command: decodeURIComponent(command), times, each };
}

/** Returns the thread and the number in the key of a chat's entry. Ids of servers may contain a colon. */
export function threadOfEntry(key: string): Thread & { number: number } {
	const [, platform = '', ...rest] = key.split(':');
	const [number, thread = '', channel = '', ...server] = rest.reverse();
	return { platform, server: server.reverse().join(':'), channel, thread: thread || undefined, number: Number(number) };
}

/** A person as entries of the store name them. */
export type PersonRef = {
	platform: string;
	/** Absent where an entry does not say it. */
	server?: string;
	id: string;
};

/**
 * Returns a key that stands for a person without containing their id.
 * @param server where ids are unique within one server only
 */
export const personKey = ({ platform, server, id }: PersonRef): string =>
	hash('sha256', JSON.stringify([platform, server ?? '', id]));

/** Returns the keys that a person in an entry may be known by: ids are unique on the whole platform, or in one server. */
export const personKeysOf = (person: PersonRef): string[] => [
	...new Set([personKey({ ...person, server: undefined }), personKey(person)]),
];

/**
 * The person that data is shown, exported or erased of. `server` is set where ids are unique within one server only. After a
 * restore only the key is known.
 */
export type Subject = { key: string; platform: string; server?: string; id?: string };

export const subjectOf = (person: PersonRef): Subject & { id: string } => ({ ...person, key: personKey(person) });

/** Tells whether an entry is about one of the subjects. */
export type IsSubject = (person: PersonRef) => boolean;

/** The people of one erasure are matched by their keys, so that a list without ids is enough. */
export function isAmong(subjects: readonly Subject[]): IsSubject {
	const keys = new Set(subjects.map(({ key }) => key));
	const known = new Map<string, boolean>();
	return (person) => {
		if (person.id === '') return false;
		const name = `${person.platform}/${person.server ?? ''}/${person.id}`;
		const cached = known.get(name);
		if (cached !== undefined) return cached;
		const is = personKeysOf(person).some((key) => keys.has(key));
		if (known.size < MAX_KNOWN) known.set(name, is);
		return is;
	};
}

/** The number of people whose keys are not computed again. */
const MAX_KNOWN = 10_000;
