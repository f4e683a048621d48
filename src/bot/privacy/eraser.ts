import type { MessageHandle, ServerId } from '../../domain/place.ts';
import type { Easel } from '../../easel.ts';
import { suffixOf } from '../../jobs/fit-reply.ts';
import { MAX_PICTURES } from '../../requests/picture-store.ts';
import { pictureRequests } from '../../requests/requests.ts';
import { personKey } from '../../store/collection.ts';
import { addErasedMember, isErasedMember } from '../../usage/erased-members.ts';
import { eraseChatsOf, forgetChats } from '../chat/thread-changes.ts';
import { logEntries } from '../moderation/log-entries.ts';
import { draftKeysOf, drafts } from '../results/drafts.ts';
import {
	entriesIn,
	findAll,
	findOf,
	type IsSubject,
	isAmong,
	type PersonalEntry,
	type Subject,
	undeliveredOf,
} from './personal-data.ts';

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
	const { pictureStore, undeliveredResults } = easel;
	const requests = entriesIn(found, pictureRequests);
	const jobs = new Set(requests.map(({ key }) => key));
	for (const { place, person, job } of await undeliveredOf(easel, found)) {
		jobs.add(job);
		await undeliveredResults.remove(place, person, job);
	}
	for (const job of jobs) await pictureStore.forget(job);
	const own = new Set(requests.flatMap(({ value }) => Object.values(value.inputs)));
	if (own.size === 0) return;
	for await (const [key, { place, person, inputs }] of pictureRequests.list(easel))
		if (key !== 'schema' && !is({ ...place, id: person.id }))
			for (const input of Object.values(inputs)) own.delete(input);
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
	entriesIn(found, pictureRequests).flatMap(({ key: job, value: { place, options } }) => {
		const count = Math.min(MAX_PICTURES, Number(options['n'] ?? 1) || 1);
		return Array.from({ length: count }, (_, index) => ({ place, key: job + suffixOf(index) }));
	});
