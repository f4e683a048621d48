import type { MessageHandle, Place, ServerId } from '../../domain/channel.ts';
import type { Easel } from '../../easel.ts';
import { suffixOf } from '../../jobs/posting.ts';
import { sniff } from '../../pictures/parts.ts';
import { MAX_PICTURES } from '../../requests/picture-store.ts';
import { offeredTo, withdraw } from '../../requests/requests.ts';
import {
	type AnyCollection,
	type Collection,
	entriesAt,
	type PersonalCall,
	type PersonRef,
	personKey,
	personKeysOf,
} from '../../store/store.ts';
import { callsOf, jobs } from '../../usage/jobs.ts';
import { addErasedMember, isErasedMember } from '../../usage/totals.ts';
import { eraseChatsOf, forgetChats } from '../chat/thread-changes.ts';
import { logEntries } from '../moderation/moderation-log.ts';
import { draftKeysOf, drafts } from '../results/drafts.ts';

/** The number of a person's entries, by what they are. */
type PersonalCounts = Partial<Record<NonNullable<AnyCollection['declared']['group']> | 'pictures', number>>;

/**
 * The person that data is shown, exported or erased of. `server` is set where ids are unique within one server only. After a
 * restore only the key is known.
 */
export type Subject = { key: string; platform: string; server?: string; id?: string };

type KnownSubject = Subject & { id: string };

export const subjectOf = (person: PersonRef): KnownSubject => ({ ...person, key: personKey(person) });

type IsSubject = (person: PersonRef) => boolean;

/** The people of one erasure are matched by their keys, so that a list without ids is enough. */
export function isAmong(subjects: readonly Subject[]): IsSubject {
	const keys = new Set(subjects.map(({ key }) => key));
	return (person) => person.id !== '' && personKeysOf(person).some((key) => keys.has(key));
}

type PersonalEntry<Value = unknown> = {
	collection: AnyCollection;
	key: string;
	value: Value;
	person: PersonRef;
};

/** Finds the entries about some people. Their calls lead to most of it; the other kinds are read as a whole. */
async function findOf(easel: Easel, subjects: readonly Subject[]): Promise<PersonalEntry[]> {
	const calls: PersonalCall[] = [];
	for (const { platform, id } of subjects) {
		// Only the key is known, so calls cannot be looked up.
		if (id === undefined) return findAll(easel, isAmong(subjects));
		for await (const call of callsOf(easel.store.space('ledger'), platform, id)) calls.push(call);
	}
	return findAll(easel, isAmong(subjects), calls);
}

/** Finds the entries about people. @param calls of these people; without them, all kinds are read as a whole */
async function findAll(
	{ store, platforms, collections }: Easel,
	is: IsSubject,
	calls?: readonly PersonalCall[],
): Promise<PersonalEntry[]> {
	const found: PersonalEntry[] = [];
	for (const collection of collections) {
		const { space: name, prefix, declared } = collection;
		const { group, ofCall, peopleOf } = declared;
		// What a platform itself keeps is left to processes that run it.
		if (!peopleOf || (group === 'profile' && !platforms.all.some((platform) => platform.name === name))) continue;
		const space = store.space(name);
		const narrower = collections.filter(
			(other) => other.space === name && other !== collection && other.prefix.startsWith(prefix),
		);
		const keys = calls && ofCall && calls.map((call) => collection.key(ofCall(call)));
		for await (const [key, value] of keys ? entriesAt(space, keys) : space.list(prefix)) {
			if (narrower.some((other) => key.startsWith(other.prefix))) continue;
			const person = peopleOf(key, value).find(is);
			if (person) found.push({ collection, key, value, person });
		}
	}
	return found;
}

const entriesIn = <Value, Id>(found: readonly PersonalEntry[], collection: Collection<Value, Id>) =>
	found.filter((entry): entry is PersonalEntry<Value> => entry.collection === collection);

const requestsIn = (found: readonly PersonalEntry[]) =>
	entriesIn(found, jobs).flatMap(({ value: { id, place, request } }) => (request ? { id, place, ...request } : []));

/** A result that could not be delivered, and where its person is offered it. */
type Undelivered = { id: string; place: Place; person: { id: string } };

async function undeliveredOf(easel: Easel, found: readonly PersonalEntry[]): Promise<Undelivered[]> {
	const people = found.map(({ person }) => person);
	const distinct = new Map(people.map((person) => [`${person.platform}/${person.server}/${person.id}`, person]));
	const undelivered: Undelivered[] = [];
	for (const { platform, server, id } of distinct.values()) {
		if (server === undefined) continue;
		const [place, person] = [{ platform, server, channel: '' }, { id }];
		for (const [job] of await offeredTo(easel, place, person)) undelivered.push({ id: job, place, person });
	}
	return undelivered;
}

/** More than this is not put into one file, whatever a platform accepts: it is made in memory. */
const MAX_BYTES = 50 * 2 ** 20;

/** For the directory of the zip, for each picture. */
const ENTRY_OVERHEAD_BYTES = 512;

export async function countData(easel: Easel, person: KnownSubject): Promise<PersonalCounts> {
	const counts: PersonalCounts = {};
	const count = (what: keyof PersonalCounts, by = 1) => {
		counts[what] = (counts[what] ?? 0) + by;
	};
	const found = await findOf(easel, [person]);
	for (const { collection } of found) if (collection.declared.group) count(collection.declared.group);
	count('prompts', requestsIn(found).length);
	for await (const _ of picturesOf(easel, person, found)) count('pictures');
	return counts;
}

/**
 * Returns a zip file with `data.json` and the person's pictures, the number of these, and of those that were left out.
 * @param maxFileBytes the largest file that can be uploaded. Pictures that would exceed it are left out, the largest first.
 */
export async function exportData(easel: Easel, person: KnownSubject, maxFileBytes: number) {
	const maxBytes = Math.min(maxFileBytes, MAX_BYTES);
	const found = await findOf(easel, [person]);
	const kept = exportedEntries(found);
	const pictures = new Map<string, Uint8Array>();
	let [total, omitted] = [Buffer.byteLength(JSON.stringify(kept)), 0];
	for await (const [name, bytes] of picturesOf(easel, person, found)) {
		pictures.set(name, bytes);
		total += bytes.length + ENTRY_OVERHEAD_BYTES;
		while (total > maxBytes && pictures.size > 0) {
			const [largest = '', { length = 0 } = {}] = [...pictures].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
			pictures.delete(largest);
			total -= length + ENTRY_OVERHEAD_BYTES;
			omitted++;
		}
	}
	const { platform, id } = person;
	const about = { platform, id, exportedAt: new Date(easel.now()).toISOString(), omitted };
	return { bytes: await zip({ ...about, kept }, pictures), pictures: pictures.size, omitted };
}

/** Yields the pictures that are kept of a person, each once. */
async function* picturesOf(
	easel: Easel,
	person: KnownSubject,
	found: readonly PersonalEntry[],
): AsyncGenerator<[name: string, bytes: Uint8Array]> {
	const { pictureStore, temporaryUploads } = easel;
	const requests = requestsIn(found);
	const undelivered = await undeliveredOf(easel, found);
	let number = 0;
	const named = (kind: string, bytes: Uint8Array): [string, Uint8Array] => [
		`${kind}/${++number}.${sniff(bytes)?.type.split('/')[1] ?? 'bin'}`,
		bytes,
	];
	for (const job of new Set([...requests.map(({ id }) => id), ...undelivered.map(({ id }) => id)])) {
		for (const bytes of await pictureStore.kept(job)) yield named('results', bytes);
		for (let index = 0; index < MAX_PICTURES; index++) {
			const bytes = await pictureStore.original(job, index);
			if (bytes) yield named('originals', bytes);
		}
	}
	for (const input of new Set(requests.flatMap(({ inputs }) => Object.values(inputs)))) {
		const bytes = await pictureStore.input(input);
		if (bytes) yield named('uploads', bytes);
	}
	const place = { platform: person.platform };
	for (const bytes of await temporaryUploads.of({ place, person })) yield named('references', bytes);
}

/** Returns entries as they are exported, with what docs/privacy.md says about them. */
function exportedEntries(
	found: readonly PersonalEntry[],
): Record<string, { holds: string; lifetime: string; entries: unknown[] }> {
	const kinds = Map.groupBy(found, ({ collection }) => collection);
	const described = ([{ space, prefix, lifetime, declared }, entries]: [AnyCollection, PersonalEntry[]]) => {
		const { holds, exported = (_, value) => value } = declared;
		return [`${space}/${prefix}`, { holds, lifetime, entries: entries.map((each) => exported(each.key, each.value)) }];
	};
	return Object.fromEntries([...kinds].map(described));
}

/** Pictures are compressed already, so they are stored as they are. The library is loaded when it is first needed. */
async function zip(data: unknown, pictures: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
	const { zipSync } = await import('fflate');
	const json = Buffer.from(JSON.stringify(data, undefined, '\t'));
	return zipSync({
		'data.json': json,
		...Object.fromEntries([...pictures].map(([name, bytes]) => [name, [bytes, { level: 0 }]])),
	});
}

/**
 * Erases everything that is kept of people, by their collections. It can be repeated at any time, and a pass that was cut off is finished by
 * the next one. Counters stay as they are, so that caps hold.
 *
 * @param before the time of the erasure, in Unix milliseconds
 * @param keepHandles stores the messages of the bot that show what is erased, before that is erased
 */
export async function erasePeople(
	easel: Easel,
	subjects: readonly Subject[],
	before: number,
	keepHandles: (handles: readonly MessageHandle[]) => Promise<void>,
): Promise<void> {
	for (const { key } of subjects) await addErasedMember(easel.store.space('ledger'), key, before);
	const found = await findOf(easel, subjects);
	const is = isAmong(subjects);
	await keepHandles([...resultHandles(found), ...(await logHandles(easel, found))]);
	await keepHandles(await eraseChatsOf(easel, is));
	await erasePictures(easel, is, found);
	for (const { id, ...place } of subjects)
		if (id !== undefined) {
			await easel.temporaryUploads.erase({ place, person: { id } });
			for (const draft of draftKeysOf({ ...place, id })) await drafts.delete(easel, draft);
		}
	for (const each of found) await eraseEntry(easel, each, before);
}

/**
 * Erases what is kept of a server and of its people there, as `erasePeople` does. The bot is not in the server any more, so its messages
 * stay. Temporary uploads and forms, which name no server, expire within an hour.
 */
export async function eraseServer(easel: Easel, where: ServerId, before: number): Promise<void> {
	const { platform, server } = where;
	const is: IsSubject = ({ id, ...person }) =>
		person.platform === platform && person.server === server && id !== '' && !isErasedMember(id);
	const found = await findAll(easel, is);
	const keys = new Set(found.map(({ person: { id } }) => personKey({ platform, server, id })));
	for (const key of keys) await addErasedMember(easel.store.space('ledger'), key, before);
	await forgetChats(easel, where);
	await erasePictures(easel, is, found);
	for (const each of found) await eraseEntry(easel, each, before);
}

async function eraseEntry({ store, platforms }: Easel, each: PersonalEntry, before: number): Promise<void> {
	const { collection, key, value, person } = each;
	const { space, declared } = collection;
	if (declared.unname) await declared.unname(store.space(space), { key, value, person }, before);
	else if (declared.erasedBy === 'Platform')
		await platforms.all.find(({ name }) => name === space)?.eraseEntry?.(key, value);
	else if (declared.erasure === 'deleted' && !declared.erasedBy)
		await store.space(space).commit(collection.removal(key, value));
}

/** Deletes finished pictures of their requests, and pictures that they brought, unless others have brought the same. */
async function erasePictures(easel: Easel, is: IsSubject, found: readonly PersonalEntry[]): Promise<void> {
	const { pictureStore } = easel;
	const requests = requestsIn(found);
	const results = new Set(requests.map(({ id }) => id));
	for (const undelivered of await undeliveredOf(easel, found)) {
		results.add(undelivered.id);
		await withdraw(easel, undelivered);
	}
	for (const job of results) await pictureStore.forget(job);
	const own = new Set(requests.flatMap(({ inputs }) => Object.values(inputs)));
	if (own.size === 0) return;
	for await (const [, { place, person, request }] of jobs.list(easel))
		if (!is({ ...place, id: person.id })) for (const input of Object.values(request?.inputs ?? {})) own.delete(input);
	for (const input of own) await pictureStore.dropInput(input);
}

async function logHandles({ settings }: Easel, found: readonly PersonalEntry[]): Promise<MessageHandle[]> {
	const handles: MessageHandle[] = [];
	for (const { value } of entriesIn(found, logEntries)) {
		const { platform, server } = value.place;
		const { logChannel } = await settings.get(value.place);
		handles.push(...value.sent.map(({ handle }) => handle));
		if (logChannel !== undefined)
			handles.push({ place: { platform, server, channel: logChannel }, key: `log.${value.job}` });
	}
	return handles;
}

/** Returns the messages in which results may be: each further picture of a request may have one of its own. */
const resultHandles = (found: readonly PersonalEntry[]): MessageHandle[] =>
	requestsIn(found).flatMap(({ id, place, options }) => {
		const count = Math.min(MAX_PICTURES, Number(options['n'] ?? 1) || 1);
		return Array.from({ length: count }, (_, index) => ({ place, key: id + suffixOf(index) }));
	});
