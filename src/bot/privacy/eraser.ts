import type { MessageHandle, Place, ServerId } from '../../domain/place.ts';
import type { Platform, Platforms } from '../../domain/platform.ts';
import type { KeyedQueue } from '../../domain/queues.ts';
import { type PersonRef, personKey } from '../../store/kinds.ts';
import type { Store } from '../../store/store.ts';
import { addErasedMember, isErasedMember } from '../../usage/erased-members.ts';
import type { SettingsRepository } from '../../usage/settings/settings-repository.ts';
import type { ChatController } from '../chat/chat-controller.ts';
import type { LogEntry } from '../moderation/log-entries.ts';
import { suffixOf } from '../pictures/fit-reply.ts';
import { MAX_PICTURES, type PictureStore } from '../repositories/picture-store.ts';
import type { StoredRequest } from '../repositories/requests.ts';
import type { TemporaryUploads } from '../repositories/temporary-uploads.ts';
import type { UndeliveredResults } from '../repositories/undelivered-results.ts';
import { draftKeysOf } from '../results/drafts.ts';
import {
	entriesAbout,
	PERSONAL_KINDS,
	type PersonalEntry,
	type PersonalKind,
	type Sought,
	soughtOf,
} from './personal-kinds.ts';
import type { IsSubject, Subject } from './subject.ts';

export type EraserParts = {
	store: Store;
	platforms: Platforms;
	chat: ChatController;
	pictureStore: PictureStore;
	temporaryUploads: TemporaryUploads;
	undeliveredResults: UndeliveredResults;
	settings: SettingsRepository;
	/** Everything that reads whole kinds, one after the other. */
	scans: KeyedQueue;
};

/** Returns the kinds with personal data, with those that the platforms keep. */
export const kindsOf = (platforms: readonly Platform[]): PersonalKind[] => [
	...PERSONAL_KINDS,
	...platforms.flatMap(({ name, personalKinds = [] }) =>
		personalKinds.map((kind): PersonalKind => {
			const { peopleOf, erase, exported, ...where } = kind;
			return {
				...where,
				group: 'profile',
				peopleOf: (key, value) => peopleOf(key, value).map((id) => ({ platform: name, id })),
				...(exported && { exported: (_, value) => exported(value) }),
				...(erase === 'keep' ? { erase } : erase && { erase: (_, { key, value }) => erase(key, value) }),
			};
		}),
	),
];

/**
 * Erases everything that is kept of people: their calls lead to most of it, and the other kinds are read as a whole. It can be repeated at any
 * time, and a pass that was cut off is finished by the next one. Counters stay as they are, so that caps hold.
 */
export class Eraser {
	readonly #parts: EraserParts;

	constructor(parts: EraserParts) {
		this.#parts = parts;
	}

	/**
	 * @param before the time of the erasure, in Unix milliseconds
	 * @param keepHandles stores the messages of the bot that show what is erased, before that is erased
	 */
	erase(
		subjects: readonly Subject[],
		before: number,
		keepHandles: (handles: readonly MessageHandle[]) => Promise<void>,
	): Promise<void> {
		return this.#parts.scans.run('', () => this.#erase(subjects, before, keepHandles));
	}

	async #erase(
		subjects: readonly Subject[],
		before: number,
		keepHandles: (handles: readonly MessageHandle[]) => Promise<void>,
	): Promise<void> {
		const { store, chat, temporaryUploads } = this.#parts;
		for (const { key } of subjects) await addErasedMember(store.space('ledger'), key, before);
		const sought = await soughtOf(store, subjects);
		const { is } = sought;
		const found = await this.#find(sought);
		const requests = entriesOf(found, 'requests', '');
		const people = [...found.values()].flat().map(({ person }) => person);
		await keepHandles([...resultHandles(requests), ...(await this.#logHandles(entriesOf(found, 'log', 'entry:')))]);
		await keepHandles(await chat.erasePeople(is));
		await this.#erasePictures(is, requests, people);
		for (const { id, ...place } of subjects)
			if (id !== undefined) {
				await temporaryUploads.erase({ place, person: { id } });
				await store.space('forms').keyv.delete(draftKeysOf({ ...place, id }));
			}
		for (const [kind, entries] of found) await this.#eraseEntries(kind, entries, before);
	}

	/**
	 * Erases what is kept of a server and of its people there, as `erase` does. The bot is not in the server any more, so its messages
	 * stay. Temporary uploads and forms, which name no server, expire within an hour.
	 *
	 * @param before the time of the erasure, in Unix milliseconds
	 */
	eraseServer(where: ServerId, before: number, { withSettings }: { withSettings: boolean }): Promise<void> {
		return this.#parts.scans.run('', () => this.#eraseServer(where, before, withSettings));
	}

	async #eraseServer(where: ServerId, before: number, withSettings: boolean): Promise<void> {
		const { store, chat, settings } = this.#parts;
		const { platform, server } = where;
		const is: IsSubject = ({ id, ...person }) =>
			person.platform === platform && person.server === server && id !== '' && !isErasedMember(id);
		const found = await this.#find({ is });
		const people = [...found.values()].flat().map(({ person }) => person);
		const ids = new Set(people.map(({ id }) => id));
		for (const id of ids) await addErasedMember(store.space('ledger'), personKey({ platform, server, id }), before);
		await chat.forget(where);
		await this.#erasePictures(is, entriesOf(found, 'requests', ''), people);
		for (const [kind, entries] of found) await this.#eraseEntries(kind, entries, before);
		if (withSettings) await settings.reset(where);
	}

	/** Finds the entries about people, by their kinds. */
	async #find(sought: Sought): Promise<Found> {
		const { store, platforms } = this.#parts;
		const found: Found = new Map();
		for (const kind of kindsOf(platforms.all))
			found.set(kind, await Array.fromAsync(entriesAbout(store, kind, sought)));
		return found;
	}

	async #eraseEntries(kind: PersonalKind, entries: readonly PersonalEntry[], before: number): Promise<void> {
		if (kind.erase === 'keep') return;
		const space = this.#parts.store.space(kind.space);
		for (const entry of entries)
			if (kind.erase) await kind.erase(space, entry, before);
			else await space.keyv.delete(entry.key);
	}

	/** Deletes finished pictures of their requests, and pictures that they brought, unless others have brought the same. */
	async #erasePictures(is: IsSubject, requests: readonly PersonalEntry[], people: readonly PersonRef[]) {
		const { store, pictureStore, undeliveredResults } = this.#parts;
		const jobs = new Set(requests.map(({ key }) => key));
		const places = new Map(people.map((person) => [`${person.platform}/${person.server}/${person.id}`, person]));
		for (const { platform, server, id } of places.values()) {
			if (server === undefined) continue;
			const place: Place = { platform, server, channel: '' };
			for (const job of await undeliveredResults.jobs(place, { id })) {
				jobs.add(job);
				await undeliveredResults.remove(place, { id }, job);
			}
		}
		for (const job of jobs) await pictureStore.forget(job);
		const own = new Set(requests.flatMap(({ value }) => inputsOf(value)));
		if (own.size === 0) return;
		for await (const [key, value] of store.space('requests').list('')) {
			if (key === 'schema') continue;
			const { place, person } = value as StoredRequest;
			if (!is({ ...place, id: person.id })) for (const input of inputsOf(value)) own.delete(input);
		}
		for (const input of own) await pictureStore.dropInput(input);
	}

	async #logHandles(entries: readonly PersonalEntry[]): Promise<MessageHandle[]> {
		const handles: MessageHandle[] = [];
		for (const { value } of entries) {
			const { job, place, sent } = value as LogEntry;
			const { platform, server } = place;
			const { logChannel } = await this.#parts.settings.get(place);
			handles.push(...sent.map(({ handle }) => handle));
			if (logChannel !== undefined)
				handles.push({ place: { platform, server, channel: logChannel }, key: `log.${job}` });
		}
		return handles;
	}
}

type Found = Map<PersonalKind, PersonalEntry[]>;

const entriesOf = (found: Found, space: string, prefix: string): PersonalEntry[] =>
	[...found].flatMap(([kind, entries]) => (kind.space === space && kind.prefix === prefix ? entries : []));

const inputsOf = (value: unknown) => Object.values((value as StoredRequest).inputs);

/** Returns the messages in which results may be: each further picture of a request may have one of its own. */
const resultHandles = (requests: readonly PersonalEntry[]): MessageHandle[] =>
	requests.flatMap(({ key: job, value }) => {
		const { place, options } = value as StoredRequest;
		const count = Math.min(MAX_PICTURES, Number(options['n'] ?? 1) || 1);
		return Array.from({ length: count }, (_, index) => ({ place, key: job + suffixOf(index) }));
	});
