import { isClosed, type Job, type Receipt } from '../../domain/job.ts';
import type { Place } from '../../domain/place.ts';
import type { PersonRef } from '../../store/kinds.ts';
import { entriesAt, timedMember } from '../../store/pages.ts';
import type { Space, Store } from '../../store/store.ts';
import { indexOfTotals, serverOfTotals, unnameAudit, unnameReceipt, unnameTotals } from '../../usage/erased-members.ts';
import { callsOf, jobKey, type PersonalCall } from '../../usage/jobs.ts';
import { receiptKey } from '../../usage/receipts.ts';
import type { DayTotal } from '../../usage/report/figures.ts';
import type { AuditEntry } from '../../usage/settings/settings-repository.ts';
import { threadOfEntry } from '../chat/conversations.ts';
import { isAnswer, type TranscriptEntry } from '../chat/transcript.ts';
import type { PersonalCounts } from '../declaration/command.ts';
import { LOG_ACTIONS, type LogEntry } from '../moderation/log-entries.ts';
import { decisionKey, eraseHeldResult, type HeldResult } from '../moderation/review/held-results.ts';
import { dropEmbedding, type StoredEmbedding } from '../search/result-search.ts';
import { type IsSubject, isAmong, type Subject } from './subject.ts';

/** What `/privacy show` counts together. */
type PersonalGroup = Exclude<keyof PersonalCounts, 'pictures'>;

/** An entry about a person. */
export type PersonalEntry = { key: string; value: unknown; person: PersonRef };

/** How entries of one kind are found, exported and erased. Each kind that names people has one; the tests compare it with the table of kinds. */
export type PersonalKind = {
	space: string;
	/** The beginning of the keys. */
	prefix: string;
	group: PersonalGroup;
	/** Returns the key of the entry that belongs to a call, for kinds whose entries all do: there is one at most for each call. */
	keyOf?(call: PersonalCall): string;
	/** Returns the people that an entry is about. */
	peopleOf(key: string, value: unknown): readonly PersonRef[];
	/** Returns the entry as it is exported; the whole of it by default. */
	exported?(key: string, value: unknown): unknown;
	/** Erases an entry. Without it, the entry is deleted; `keep` leaves it, or leaves it to `Eraser`. */
	erase?: 'keep' | ((space: Space, entry: PersonalEntry, before: number) => Promise<void>);
};

type About = { place: Place; person: { id: string } };

const aboutPerson = (_: string, value: unknown): PersonRef[] => {
	const { place, person } = value as About;
	return [{ platform: place.platform, server: place.server, id: person.id }];
};

/** Returns the person in a key `PLATFORM<separator>SERVER<separator>ID`. Ids of servers may contain a colon. */
function personInKey(parts: readonly string[]): PersonRef[] {
	const [platform = '', ...rest] = parts;
	return [{ platform, server: rest.slice(0, -1).join(':'), id: rest.at(-1) ?? '' }];
}

/** The kinds that the bot keeps by itself. Platforms add theirs. */
export const PERSONAL_KINDS: readonly PersonalKind[] = [
	{
		space: 'ledger',
		prefix: 'job:',
		group: 'calls',
		keyOf: ({ id }) => jobKey(id),
		peopleOf: (key, value) => (isClosed(value as Job) ? [] : aboutPerson(key, value)),
		erase: unnameJob,
	},
	{
		space: 'ledger',
		prefix: 'receipt:',
		group: 'calls',
		keyOf: ({ id, ...place }) => receiptKey({ place: { ...place, channel: '' }, id }),
		peopleOf: aboutPerson,
		erase: (space, { key, value }) => unnameReceipt(space, key, value as Receipt),
	},
	{
		space: 'ledger',
		prefix: 'totals:',
		group: 'totals',
		peopleOf: (key, value) => {
			const [first] = value as DayTotal[];
			const index = indexOfTotals(key, value as DayTotal[]);
			return first && index ? [{ ...serverOfTotals(index), id: first.person }] : [];
		},
		erase: (space, { key, person }) => unnameTotals(space, { ...person, server: person.server ?? '' }, key),
	},
	{
		space: 'ledger',
		prefix: 'audit:',
		group: 'calls',
		peopleOf: (key, value) => {
			const [, platform = '', ...rest] = key.split(':');
			return [{ platform, server: rest.slice(0, -1).join(':'), id: (value as AuditEntry).by.id }];
		},
		erase: (space, { key }) => unnameAudit(space, key),
	},
	{
		space: 'chats',
		prefix: 'entry:',
		group: 'chats',
		peopleOf(key, value) {
			const entry = value as TranscriptEntry;
			const { platform, server } = threadOfEntry(key);
			const ids = entry.kind === 'said' ? [entry.person.id] : isAnswer(entry) ? entry.to : [];
			return ids.map((id) => ({ platform, server, id }));
		},
		exported(key, value) {
			const entry = value as Extract<TranscriptEntry, { text: string }>;
			return { thread: threadOfEntry(key), from: entry.kind === 'said' ? 'you' : 'the bot', text: entry.text };
		},
		// A thread is erased as a whole, after its running answers have stopped.
		erase: 'keep',
	},
	{
		space: 'recent',
		prefix: '',
		group: 'prompts',
		keyOf: ({ platform, server, person, id }) => `${platform}/${server}/${person}/${id}`,
		peopleOf: (key) => personInKey(key.split('/').slice(0, 3)),
		async erase(space, { key, value }) {
			const [index, job] = [key.split('/').slice(0, 3).join('/'), key.split('/').slice(3).join('/')];
			const member = timedMember((value as { at: number }).at, job);
			await space.commit({ remove: [key], unindex: [{ index, member }] });
		},
	},
	{
		space: 'search',
		prefix: '',
		group: 'prompts',
		keyOf: ({ platform, server, id }) => `${platform}/${server}/${id}`,
		peopleOf(key, value) {
			const [platform = '', ...rest] = key.split('/');
			return [{ platform, server: rest.slice(0, -1).join('/'), id: (value as StoredEmbedding).person }];
		},
		exported: (_, value) => ({ model: (value as StoredEmbedding).model, at: (value as StoredEmbedding).added }),
		erase: (space, { key, value }) => dropEmbedding(space, key, value as StoredEmbedding),
	},
	{ space: 'requests', prefix: '', group: 'prompts', keyOf: ({ id }) => id, peopleOf: aboutPerson },
	{
		space: 'log',
		prefix: 'entry:',
		group: 'log',
		keyOf: ({ id }) => `entry:${id}`,
		peopleOf: aboutPerson,
		async erase({ keyv }, { key, value }) {
			const { job } = value as LogEntry;
			const notes = LOG_ACTIONS.map((action) => `note:${action}:${job}`);
			await keyv.delete([key, ...notes, decisionKey(job)]);
		},
	},
	{
		space: 'log',
		prefix: 'held:',
		group: 'log',
		keyOf: ({ id }) => `held:${id}`,
		peopleOf: (key, value) => aboutPerson(key, (value as HeldResult).job),
		erase: (space, { value }) => eraseHeldResult(space, value as HeldResult),
	},
	{ space: 'tray', prefix: '', group: 'drafts', peopleOf: (key) => personInKey(key.split(':')) },
];

/** A job that was reserved before the erasure and has not ended yet, such as one of a backup. */
async function unnameJob({ keyv }: Space, { key, value }: PersonalEntry, before: number): Promise<void> {
	const job = value as Job;
	if (job.at > before || job.person.name === '') return;
	await keyv.set(key, { ...job, person: { id: job.person.id, name: '' } } satisfies Job);
}

/** Whose entries are looked for. */
export type Sought = {
	is: IsSubject;
	/** Their calls. Without them, whole kinds are read: where only the keys of people are known, or all people of a server are sought. */
	calls?: readonly PersonalCall[];
};

/** Returns what finds the entries about people. */
export async function soughtOf(store: Store, subjects: readonly Subject[]): Promise<Sought> {
	const calls: PersonalCall[] = [];
	for (const { platform, id } of subjects) {
		if (id === undefined) return { is: isAmong(subjects) };
		for await (const call of callsOf(store.space('ledger'), platform, id)) calls.push(call);
	}
	return { is: isAmong(subjects), calls };
}

/** Yields the entries of a kind that are about one of the people. */
export async function* entriesAbout(
	store: Store,
	kind: PersonalKind,
	{ is, calls }: Sought,
): AsyncGenerator<PersonalEntry> {
	const space = store.space(kind.space);
	const { keyOf, prefix } = kind;
	for await (const [key, value] of calls && keyOf ? entriesAt(space, calls.map(keyOf)) : space.list(prefix)) {
		if (key === 'schema') continue;
		const person = kind.peopleOf(key, value).find(is);
		if (person) yield { key, value, person };
	}
}
