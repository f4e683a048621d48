import type { Job, Receipt } from '../../domain/job.ts';
import type { MessageHandle, ServerId } from '../../domain/place.ts';
import type { KeyedQueue } from '../../domain/queues.ts';
import type { Easel } from '../../easel.ts';
import { suffixOf } from '../../jobs/fit-reply.ts';
import { MAX_PICTURES } from '../../requests/picture-store.ts';
import { pictureRequests, type StoredRequest } from '../../requests/requests.ts';
import { personKey } from '../../store/collection.ts';
import type { Space } from '../../store/store.ts';
import {
	addErasedMember,
	isErasedMember,
	unnameAudit,
	unnameReceipt,
	unnameTotal,
} from '../../usage/erased-members.ts';
import { eraseChatsOf, forgetChats } from '../chat/thread-changes.ts';
import { logEntries } from '../moderation/log-entries.ts';
import { draftKeysOf } from '../results/drafts.ts';
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

/** Stores the messages of the bot that show what is erased, before that is erased. */
type KeepHandles = (handles: readonly MessageHandle[]) => Promise<void>;

/**
 * Erases everything that is kept of people, by the table of kinds. It can be repeated at any time, and a pass that was cut off is finished
 * by the next one. Counters stay as they are, so that caps hold.
 */
export class Eraser {
	readonly #easel: Easel;
	readonly #scans: KeyedQueue;

	/** @param scans everything that reads whole kinds, one after the other */
	constructor(easel: Easel, scans: KeyedQueue) {
		this.#easel = easel;
		this.#scans = scans;
	}

	/** @param before the time of the erasure, in Unix milliseconds */
	erase(subjects: readonly Subject[], before: number, keepHandles: KeepHandles): Promise<void> {
		return this.#scans.run('', () => this.#erase(subjects, before, keepHandles));
	}

	async #erase(subjects: readonly Subject[], before: number, keepHandles: KeepHandles): Promise<void> {
		const { store, temporaryUploads } = this.#easel;
		for (const { key } of subjects) await addErasedMember(store.space('ledger'), key, before);
		const found = await findOf(this.#easel, subjects);
		const is = isAmong(subjects);
		await keepHandles([...resultHandles(found), ...(await this.#logHandles(found))]);
		await keepHandles(await eraseChatsOf(this.#easel, is));
		await this.#erasePictures(is, found);
		for (const { id, ...place } of subjects)
			if (id !== undefined) {
				await temporaryUploads.erase({ place, person: { id } });
				await store.space('forms').keyv.delete(draftKeysOf({ ...place, id }));
			}
		await this.#eraseEntries(found, before);
	}

	/**
	 * Erases what is kept of a server and of its people there, as `erase` does. The bot is not in the server any more, so its messages
	 * stay. Temporary uploads and forms, which name no server, expire within an hour.
	 *
	 * @param before the time of the erasure, in Unix milliseconds
	 */
	eraseServer(where: ServerId, before: number, { withSettings }: { withSettings: boolean }): Promise<void> {
		return this.#scans.run('', async () => {
			const { store, settings } = this.#easel;
			const { platform, server } = where;
			const is: IsSubject = ({ id, ...person }) =>
				person.platform === platform && person.server === server && id !== '' && !isErasedMember(id);
			const found = await findAll(this.#easel, is);
			const ids = new Set(found.map(({ person }) => person.id));
			for (const id of ids) await addErasedMember(store.space('ledger'), personKey({ platform, server, id }), before);
			await forgetChats(this.#easel, where);
			await this.#erasePictures(is, found);
			await this.#eraseEntries(found, before);
			if (withSettings) await settings.reset(where);
		});
	}

	async #eraseEntries(found: readonly PersonalEntry[], before: number): Promise<void> {
		for (const each of found) await this.#eraseEntry(each, before);
	}

	async #eraseEntry(each: PersonalEntry, before: number): Promise<void> {
		const { store, platforms } = this.#easel;
		const { collection, key, value } = each;
		const { space: name, prefix, declared } = collection;
		const { erasure, erasedBy } = declared;
		const space = store.space(name);
		const platform = platforms.all.find((other) => other.name === name);
		if (erasure === 'unnamed') await UNNAME[`${name}/${prefix}`]!(space, each, before);
		else if (erasedBy === 'Platform') await platform?.eraseEntry?.(key, value);
		else if (erasure === 'deleted' && !erasedBy) await space.commit(collection.removal(key, value));
	}

	/** Deletes finished pictures of their requests, and pictures that they brought, unless others have brought the same. */
	async #erasePictures(is: IsSubject, found: readonly PersonalEntry[]): Promise<void> {
		const { store, pictureStore, undeliveredResults } = this.#easel;
		const requests = entriesIn(found, pictureRequests);
		const jobs = new Set(requests.map(({ key }) => key));
		for (const { place, person, job } of await undeliveredOf(this.#easel, found)) {
			jobs.add(job);
			await undeliveredResults.remove(place, person, job);
		}
		for (const job of jobs) await pictureStore.forget(job);
		const own = new Set(requests.flatMap(({ value }) => Object.values(value.inputs)));
		if (own.size === 0) return;
		for await (const [key, value] of store.space('requests').list('')) {
			if (key === 'schema') continue;
			const { place, person, inputs } = value as StoredRequest;
			if (!is({ ...place, id: person.id })) for (const input of Object.values(inputs)) own.delete(input);
		}
		for (const input of own) await pictureStore.dropInput(input);
	}

	async #logHandles(found: readonly PersonalEntry[]): Promise<MessageHandle[]> {
		const handles: MessageHandle[] = [];
		for (const { value } of entriesIn(found, logEntries)) {
			const { job, place, sent } = value;
			const { platform, server } = place;
			const { logChannel } = await this.#easel.settings.get(place);
			handles.push(...sent.map(({ handle }) => handle));
			if (logChannel !== undefined)
				handles.push({ place: { platform, server, channel: logChannel }, key: `log.${job}` });
		}
		return handles;
	}
}

/** Returns the messages in which results may be: each further picture of a request may have one of its own. */
const resultHandles = (found: readonly PersonalEntry[]): MessageHandle[] =>
	entriesIn(found, pictureRequests).flatMap(({ key: job, value }) => {
		const { place, options } = value;
		const count = Math.min(MAX_PICTURES, Number(options['n'] ?? 1) || 1);
		return Array.from({ length: count }, (_, index) => ({ place, key: job + suffixOf(index) }));
	});

/** Removes a person's name from the entries that stay, by their kinds. */
const UNNAME: Readonly<Record<string, (space: Space, entry: PersonalEntry, before: number) => Promise<void>>> = {
	/** A job that was reserved before the erasure and has not ended yet, such as one of a backup. */
	async 'ledger/job:'({ keyv }, { key, value }, before) {
		const job = value as Job;
		if (job.at > before || job.person.name === '') return;
		await keyv.set(key, { ...job, person: { id: job.person.id, name: '' } } satisfies Job);
	},
	'ledger/receipt:': (space, { key, value }) => unnameReceipt(space, key, value as Receipt),
	'ledger/total:': (space, { key, person }) => unnameTotal(space, { ...person, server: person.server ?? '' }, key),
	'ledger/audit:': (space, { key }) => unnameAudit(space, key),
};
