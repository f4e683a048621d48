import { hash } from 'node:crypto';

/** Who an entry is about. It is deleted with its owner's data. */
type Owner = 'deployment' | 'server' | 'person' | 'thread' | 'process';

/** A kind of entry, file or index in a space of the store. */
export type Kind = {
	/** What its keys begin with. The first kind that fits counts, so an empty prefix stands for all other keys. */
	prefix: string;
	holds: string;
	owner: Owner;
	/** What limits how many there are, besides their lifetime. */
	bound: string;
	/** How long it is kept. `retention` is `RETENTION_DAYS`. */
	lifetime: string;
	/** Whether every one has a time to live in the store: `ended` for those whose work has ended. Indexes and files are not checked. */
	expires: 'always' | 'ended' | 'never';
};

const kind = (
	prefix: string,
	holds: string,
	owner: Owner,
	bound: string,
	lifetime: string,
	expires: Kind['expires'] = 'always',
): Kind => ({ prefix, holds, owner, bound, lifetime, expires });

const VERSION = kind('schema', 'the version of the entries', 'deployment', 'one', 'permanent', 'never');

/**
 * Everything that is kept, by space. Nothing else may be stored: the tests compare this table with what they have stored.
 * docs/privacy.md tells people the same.
 */
export const KINDS: Readonly<
	Record<string, { entries: readonly Kind[]; indexes?: readonly Kind[]; files?: readonly Kind[] }>
> = {
	service: {
		entries: [
			kind('profile:', 'which API the image service has', 'deployment', 'one for each address of a service', '7 days'),
		],
	},
	ledger: {
		entries: [
			VERSION,
			kind(
				'job:',
				'a paid call from its reservation to its answer; later only its id and outcome',
				'person',
				'one for each call',
				'until it is closed, then 100 days',
				'ended',
			),
			kind('gate:', 'that a call was sent, or refunded unsent', 'person', 'one for each call', '100 days'),
			kind('closed:', 'that a request has ended in an answer', 'person', 'one for each call', '100 days'),
			kind(
				'owner:',
				'the process that has taken over a job',
				'person',
				'one for each job that was taken over',
				'until the job is closed',
				'ended',
			),
			kind('claim:', 'that a job was taken over', 'person', 'one for each takeover', '100 days'),
			kind('cancel:', 'that a request is to be cancelled', 'person', 'one for each call', 'an hour'),
			kind(
				'receipt:',
				'the outcome, cost and tokens of a call, with id and name of the member',
				'person',
				'one for each call',
				'retention, then added up',
				'never',
			),
			kind(
				'totals:',
				'calls and tokens of a member by day and command, without a name',
				'person',
				'one for each member and month with calls',
				'permanent',
				'never',
			),
			kind('sums:', 'how often receipts were added up', 'server', 'one', 'permanent', 'never'),
			kind(
				'summed:',
				'the part of a counter whose receipts were added up',
				'server',
				'one for each counter',
				'as its counter',
			),
			kind(
				'count:',
				'calls in a window',
				'server',
				'a day and a month for each server, channel and member, and the operator’s own for each server and person',
				'until its window is over and added up',
			),
			kind('chat:', 'chat turns in a window', 'server', 'as for calls', 'until its window is over and added up'),
			kind('cost:', 'money spent in a month', 'server', 'one a month', 'until its window is over and added up'),
			kind('settings:', 'the settings', 'server', 'one', 'permanent', 'never'),
			kind('version:', 'the number of changes of the settings', 'server', 'one', 'permanent', 'never'),
			kind(
				'audit:',
				'a change of the settings, with id and name of the moderator',
				'server',
				'one for each change',
				'366 days',
			),
			kind(
				'notice:',
				'that moderators were notified',
				'server',
				'two for each cap and window, two a day for a forecast, one an hour for a log channel that is gone',
				'32 days',
			),
			kind('erased:', 'the id in totals for a person who erased their data', 'person', 'one', '400 days'),
			kind(
				'lease:',
				'that a process is running',
				'process',
				'one for each process',
				'some minutes after the process ends',
			),
			kind(
				'renewals:',
				'how often a lease was renewed',
				'process',
				'one for each process',
				'some minutes after the process ends',
			),
		],
		indexes: [
			kind('open', 'the jobs that have not ended', 'deployment', 'calls under way', 'until they end'),
			kind(
				'late',
				'ended jobs whose pictures may come late',
				'deployment',
				'calls under way in a crash',
				'some minutes after the process ends',
			),
			kind('calls:', 'the calls of a person', 'person', 'one for each call', 'retention and 30 days'),
			kind('months', 'the months of servers that have receipts', 'server', 'one for each month', 'retention'),
			kind('receipts:', 'the receipts of a month', 'server', 'one for each receipt', 'as the receipts'),
			kind('totals:', 'the members with totals in a month', 'server', 'one for each member', 'permanent'),
		],
	},
	chats: {
		entries: [
			VERSION,
			kind(
				'thread:',
				'a thread that the bot takes part in',
				'thread',
				'one for each thread',
				'366 days after its last messages',
			),
			kind('first:', 'the number of the first message that is kept', 'thread', 'one for each thread', '366 days'),
			kind('next:', 'the number of the next message', 'thread', 'one for each thread', '366 days'),
			kind('entry:', 'a message or an answer', 'thread', 'about twice what a model takes', 'retention'),
			kind('waiting:', 'that people wait for an answer', 'thread', 'one for each thread', 'until it is answered'),
			kind(
				'seen:',
				'that a message was handled, or a person greeted',
				'person',
				'one for each message',
				'7 days; of greetings 366 days',
			),
			kind('opened:', 'how many threads a person has opened without a chat turn', 'person', 'one', 'a day'),
			kind('stop:', 'that an answer is to be stopped', 'thread', 'one for each answer', 'an hour'),
		],
		indexes: [
			kind('threads:', 'the threads of a server', 'server', 'one for each thread', '366 days'),
			kind('waiting', 'the threads with people who wait', 'deployment', 'one for each thread', 'until it is answered'),
		],
	},
	recent: {
		entries: [VERSION, kind('', 'prompt and message of a result', 'person', 'one for each result', 'retention')],
		indexes: [kind('', 'the results of a person', 'person', 'one for each result', 'retention')],
	},
	pause: {
		entries: [
			kind('failed:', 'the failed calls of a minute', 'deployment', 'one for each minute', 'eleven minutes'),
			kind('begun:', 'that a pause was begun', 'deployment', 'one for each pause', 'a minute'),
			kind('until', 'that paid calls are paused', 'deployment', 'one', '`PAUSE_MINUTES`'),
		],
	},
	search: {
		entries: [kind('', 'the embedding of a prompt', 'person', 'one for each result', 'retention')],
		indexes: [kind('', 'the results of a server', 'server', 'one for each result', 'retention')],
	},
	waiting: {
		entries: [
			VERSION,
			kind(
				'answer:',
				'a sentence about a failed request that could not be posted',
				'person',
				'one for each such request',
				'retention',
			),
		],
		indexes: [
			kind(
				'',
				'the results of a person that could not be delivered',
				'person',
				'one for each such result',
				'retention',
			),
		],
	},
	requests: {
		entries: [
			VERSION,
			kind('', 'the options of a request, with its prompt', 'person', 'one for each call', 'retention'),
		],
	},
	log: {
		entries: [
			VERSION,
			kind('entry:', 'an entry of the moderation log, with its prompt', 'person', 'one for each result', 'retention'),
			kind('note:', 'what a moderator did', 'server', 'three for each entry', 'retention'),
			kind('held:', 'a result that waits for a review', 'person', 'one for each such result', 'until its review ends'),
			kind(
				'decision:',
				'how a review ended, with the moderator’s reason',
				'server',
				'one for each review',
				'retention',
			),
			kind('repeat:', 'that a decision is to be shown once more', 'server', 'one for each review', 'until it is shown'),
			kind('working:', 'that a process continues a review', 'process', 'two for each review', 'two minutes'),
		],
		indexes: [
			kind('held', 'the results that wait for a review', 'deployment', 'one for each', 'until their review ends'),
		],
	},
	pictures: {
		entries: [
			VERSION,
			kind(
				'made:',
				'which call has made a picture, by a hash of its bytes',
				'person',
				'one for each picture',
				'retention',
			),
			kind('address:', 'where a picture is that could not be fetched', 'person', 'calls under way', 'an hour'),
		],
		files: [
			kind('kept:', 'a finished picture until it is delivered', 'person', 'calls under way', 'retention'),
			kind('original:', 'a picture that was posted as a smaller copy', 'person', 'one for each picture', 'a day'),
			kind('input:', 'a picture that a person brought', 'person', 'three for each call', 'retention'),
			kind('brought:', 'a picture of a request that is not counted', 'person', 'three for each request', 'an hour'),
		],
	},
	backups: { entries: [kind('last', 'when the last backup was finished', 'deployment', 'one', 'permanent', 'never')] },
	restore: {
		entries: [
			kind(
				'unfinished',
				'that a restore has not finished',
				'deployment',
				'one',
				'until the restore is finished',
				'never',
			),
		],
	},
	// Keys are hashes of ids. They outlast backups, so that an erasure is repeated in a restored store.
	erasures: {
		entries: [
			kind('task:', 'an erasure that has not ended, with the messages to delete', 'person', 'one', 'until it ends'),
			kind('done:', 'when a person last erased their data', 'person', 'one', '400 days'),
			kind(
				'removal:',
				'when a server removed the bot, and whether its data was erased',
				'server',
				'one',
				'400 days, or until it invites the bot again',
			),
			kind('recent:', 'that a person asked for their data', 'person', 'two', 'a minute'),
		],
		indexes: [
			kind('tasks', 'the erasures that have not ended', 'deployment', 'erasures under way', 'until they end'),
			kind('removals', 'the servers whose data will be erased, by time', 'server', 'one', '30 days'),
		],
	},
	forms: {
		entries: [kind('', 'what a person has entered in a form', 'person', '16 for each person', 'an hour')],
	},
	tray: { entries: [kind('', 'the references of a person', 'person', 'three', 'an hour')] },
	uploads: {
		entries: [
			kind('bytes:', 'how many bytes of pictures a person sent in a day', 'person', 'one for each person', 'a day'),
			kind('', 'the pictures of a person without a request', 'person', 'one for each person', 'an hour'),
		],
		files: [kind('', 'a picture of a person without a request', 'person', '12, of 60 MiB', 'an hour')],
	},
	// Only with pictures in a bucket.
	files: {
		entries: [
			VERSION,
			kind('file:', 'the object in the bucket that has a file', 'person', 'one for each file', 'as the file'),
			kind('sweep', 'that a process deletes expired objects', 'deployment', 'one', 'five minutes'),
		],
		indexes: [
			kind('objects', 'the objects, by the time of their next check', 'person', 'one for each object', 'as the object'),
		],
	},
	discord: {
		entries: [
			VERSION,
			kind('home:', 'the server that a person used the bot in last', 'person', 'one', '366 days after its last use'),
			kind('locale:', 'the language of a person', 'person', 'one', 'retention after its last use'),
			kind('direct:', 'whose direct messages a channel is', 'person', 'one', 'retention after its last use'),
			kind('post:', 'where a message of the bot is', 'server', 'one for each message', 'retention; an hour if private'),
			kind(
				'message:',
				'the key of a message of the bot',
				'server',
				'one for each message',
				'retention; an hour if private',
			),
			kind('form:', 'what an open form submits', 'person', '16 for each person', 'a day'),
			kind('registration:', 'that a process registers commands', 'deployment', 'one for each change', '30 seconds'),
		],
	},
	slack: {
		entries: [
			kind('installation:', 'an encrypted token', 'server', 'one', 'until the app is removed', 'never'),
			kind('post:', 'where a message of the bot is', 'server', 'one for each message', 'retention; an hour if private'),
			kind(
				'message:',
				'the key of a message of the bot',
				'server',
				'one for each message',
				'retention; an hour if private',
			),
			kind('share:', 'files that are posted with a message', 'server', 'two for each message', 'retention'),
			kind('sharing:', 'that a process shares files', 'server', 'two for each share', 'retention'),
			kind('covered:', 'pictures that a button shows', 'server', 'one for each message', 'retention'),
			kind('form:', 'what a long open form submits', 'person', '16 for each person', 'a day'),
			kind('stop:', 'the stop button of an answer', 'thread', 'one for each thread', 'an hour'),
			kind('seen:', 'that an event was handled', 'server', 'one for each event', 'ten minutes'),
			kind('refresh:', 'that a process replaces a token', 'server', 'one for each token', 'a minute'),
		],
		indexes: [kind('shares', 'the messages whose files are not shared', 'deployment', 'shares under way', 'retention')],
	},
	sandbox: {
		entries: [
			VERSION,
			kind('message:', 'a message', 'server', '1,000 in each channel and thread', 'retention'),
			kind('key:', 'where a message is', 'server', 'one for each message', 'retention'),
			kind('tally:', 'the number of the last message', 'server', 'one for each channel', 'permanent', 'never'),
			kind('thread-tally:', 'the number of the last message', 'thread', 'one for each thread', 'as its thread'),
			kind('thread:', 'a thread', 'thread', '50 in each channel', 'retention after its last message'),
			kind('file:', 'the description of a file', 'server', 'one for each file', 'retention; an hour without a message'),
			kind('bytes', 'the size of all files', 'deployment', 'one', 'permanent', 'never'),
			kind('form:', 'what an open form submits', 'person', '16 for each person', 'a day'),
			kind('settings', 'the settings of the sandbox', 'deployment', 'one', 'permanent', 'never'),
		],
		indexes: [
			kind('threads:', 'the threads of a channel', 'server', '50', 'as the threads'),
			kind('files', 'the files of messages', 'deployment', '512 MiB', 'as the files'),
			kind('pending', 'the files without a message', 'deployment', 'uploads under way', 'an hour'),
		],
		files: [kind('', 'a file of a message', 'server', '512 MiB', 'retention; an hour without a message')],
	},
	studio: {
		entries: [
			kind('images:', 'the calls of a month', 'deployment', 'one for each month', '62 days'),
			kind(
				'repeat:',
				'how often a key asked for the same picture',
				'deployment',
				'one for each different request',
				'7 days',
			),
			kind('spent', 'the money spent', 'deployment', 'one', 'permanent', 'never'),
		],
	},
};

/**
 * How `/privacy erase` treats a kind of entry:
 *
 * - `deleted`: with everything in it
 * - `unnamed`: it stays, without the name and with no words of the person
 * - `kept`: it stays as it is until its lifetime is over, because it holds caps, or because it names nobody
 */
export type ErasureRule = 'deleted' | 'unnamed' | 'kept';

/**
 * What an erasure does with each kind of the table `KINDS` that is about a person or a thread, by space and prefix. The tests fail
 * for such a kind that is missing here, and for one that is deleted or unnamed but has no eraser.
 */
export const ERASURE_RULES: Readonly<Record<string, Readonly<Record<string, ErasureRule>>>> = {
	ledger: {
		'job:': 'unnamed',
		'gate:': 'kept',
		'closed:': 'kept',
		'owner:': 'kept',
		'claim:': 'kept',
		'cancel:': 'kept',
		'receipt:': 'unnamed',
		'totals:': 'unnamed',
		'audit:': 'unnamed',
		'erased:': 'kept',
	},
	chats: {
		'thread:': 'kept',
		'first:': 'kept',
		'next:': 'kept',
		'entry:': 'deleted',
		'waiting:': 'kept',
		'seen:': 'kept',
		'opened:': 'kept',
		'stop:': 'kept',
	},
	recent: { '': 'deleted' },
	search: { '': 'deleted' },
	waiting: { 'answer:': 'deleted', '': 'deleted' },
	requests: { '': 'deleted' },
	log: { 'entry:': 'deleted', 'held:': 'deleted' },
	pictures: {
		...{ 'address:': 'kept', 'made:': 'kept' },
		...{ 'kept:': 'deleted', 'original:': 'deleted', 'input:': 'deleted', 'brought:': 'deleted' },
	},
	forms: { '': 'deleted' },
	tray: { '': 'deleted' },
	uploads: { 'bytes:': 'kept', '': 'deleted' },
	files: { 'file:': 'deleted', objects: 'deleted' },
	discord: { 'home:': 'kept', 'locale:': 'deleted', 'direct:': 'deleted', 'form:': 'kept' },
	slack: { 'form:': 'kept', 'stop:': 'kept' },
	sandbox: { 'message:': 'deleted', 'form:': 'kept', 'thread-tally:': 'kept', 'thread:': 'kept' },
	erasures: { 'task:': 'deleted', 'done:': 'kept', 'recent:': 'kept' },
};

/** A person as entries of the store name them. */
export type PersonRef = {
	platform: string;
	/** Absent where an entry does not say it. */
	server?: string | undefined;
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
