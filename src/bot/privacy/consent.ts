import { hash } from 'node:crypto';
import { isPicture, type Place, type Upload } from '../../domain/channel.ts';
import type { Easel } from '../../easel.ts';
import type { SentenceError } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import { fingerprint, isCopy } from '../../pictures/fingerprint.ts';
import { PictureError, prepare } from '../../pictures/prepare.ts';
import { withPosted } from '../../requests/uploads.ts';
import {
	Collection,
	DAY_MS,
	idOfMember,
	membersOf,
	type PersonRef,
	personKey,
	timedMember,
	timeKey,
	timeOfMember,
} from '../../store/store.ts';
import { callsOf } from '../../usage/jobs.ts';
import type { Settings } from '../../usage/settings.ts';
import { MemberRates } from '../moderation/policy.ts';
import { SCANS } from './privacy.ts';

/** That others must not use a person's pictures. The id is absent after an erasure: the choice holds without it, by its key. */
type Choice = { platform: string; server?: string; id?: string; at: number };

/** The index of the people who have chosen so, by platform. */
const CHOSEN = 'chosen';

export const choices = new Collection<Choice>('consent/choice:', {
	owner: 'person',
	holds: 'that others must not edit a person’s pictures',
	lifetime: 'permanent',
	until: 'until the person takes it back',
	indexed: (key, { platform }) => [{ index: CHOSEN, member: `${platform}:${key.slice('choice:'.length)}` }],
	erasure: 'unnamed',
	group: 'choices',
	peopleOf: (_, { id, platform, server }) => (id === undefined ? [] : [{ platform, server, id }]),
	unname: async (space, { key, value: { platform, at } }) => {
		await space.keyv.set(key, { platform, at } satisfies Choice);
	},
});

/** How a picture is known again: by its bytes, and by its fingerprint where it has one. */
type Print = { person: PersonRef; digest: string; print?: string; at: number };

export const PRINT_DAYS = 366;

/** The parts of a fingerprint that index it: of copies, which differ in six bits at most, one of seven parts is the same. */
const PARTS = [0, 2, 4, 6, 8, 10, 13].map((start, index, starts) => [start, starts[index + 1] ?? 16] as const);

/** `scope` is the platform, or the server where ids of people are unique within one server. */
type PrintId = { scope: string; digest: string };

const partsOf = (scope: string, print: string) =>
	PARTS.map(([start, end], part) => `near:${scope}:${part}:${print.slice(start, end)}`);

const scopeIn = (key: string) => key.slice('print:'.length, key.lastIndexOf(':'));

export const prints = new Collection<Print, PrintId>('consent/print:', {
	owner: 'person',
	holds: 'by which a picture is known again whose person lets nobody edit it: hashes, and not the picture',
	lifetime: PRINT_DAYS * DAY_MS,
	key: ({ scope, digest }) => `${scope}:${digest}`,
	indexed: (key, { person, digest, print, at }) => [
		{ index: `of:${personKey(person)}`, member: timedMember(at, `${digest}:${print ?? ''}`) },
		...(print ? partsOf(scopeIn(key), print).map((index) => ({ index, member: `${print}:${digest}` })) : []),
	],
	erasure: 'deleted',
	group: 'fingerprints',
	peopleOf: (_, { person }) => [person],
});

/** The newest pictures of a person that are known again, and the earlier requests that are looked through for them. */
const MAX_PRINTS = 1000;
const MAX_EARLIER = 100;

/** The fingerprints that one is compared with, of each part. */
const MAX_COMPARED = 200;

/** The messages of a person whose pictures are read to know them again. */
const SEEN = { count: 20, seconds: 60 };

/** A picture: its fingerprint, where it has one, whose it is, and whether it is stored as that. */
type FoundPicture = { id: PrintId; print?: string | undefined; owner: PersonRef | undefined; isKnown: boolean };

type PersonIn = { place: Place; person: { id: string } };

type Rules = { onlyOwn: boolean };

/**
 * Lets people decide that others do not edit, compose or describe the pictures that they have posted or made, and servers that everybody uses
 * their own pictures only. A picture is known by its message before anything is read, and else by its bytes, or as a copy of it.
 */
export class Consent {
	readonly #easel: Easel;
	readonly #rates: MemberRates;
	/** What is being read of posted pictures: a copy may be brought at once. */
	readonly #seeing = new Set<Promise<unknown>>();

	constructor(easel: Easel) {
		this.#easel = easel;
		this.#rates = new MemberRates(easel.now);
	}

	/** Tells whether a person has chosen that others do not use their pictures. */
	async hasChosen(person: { id: string }, place: Place): Promise<boolean> {
		return (await choices.get(this.#easel, personKey(this.#refOf(place, person)))) !== undefined;
	}

	/**
	 * Stores the choice of a person that others do not use their pictures. Resolves once the copies of earlier ones are known as well.
	 * Returns how many pictures that are; undefined when it is too soon: earlier pictures are read for it.
	 */
	async choose({ place, person }: PersonIn): Promise<number | undefined> {
		const easel = this.#easel;
		const ref = this.#refOf(place, person);
		const key = personKey(ref);
		if (this.#rates.take(`mine:${key}`, SCANS) > 0) return undefined;
		await choices.in(easel).commit(choices.replacing(easel, key, { ...ref, at: easel.now() }));
		await tryAndLog(easel.log, 'Earlier pictures of a person could not be read', () => this.#readEarlier(ref));
		return (await this.#printsOf(ref)).length;
	}

	/** Lets others use the pictures of a person again, and forgets how they are known. */
	async takeBack({ place, person }: PersonIn): Promise<void> {
		const ref = this.#refOf(place, person);
		const key = personKey(ref);
		const choice = await choices.get(this.#easel, key);
		if (choice) await choices.in(this.#easel).commit(choices.removal(choices.key(key), choice));
		for (const member of await this.#printsOf(ref)) await this.#forget(place, ref, member);
	}

	/**
	 * Returns why a person must not use pictures, by the messages that show them: nothing is read for it. Undefined where they may, and for
	 * pictures that no message shows.
	 */
	async refusalOf({ place, person }: PersonIn, uploads: readonly Upload[]): Promise<SentenceError | undefined> {
		const posted = uploads.filter(({ poster }) => poster);
		const rules = posted.length > 0 ? await this.#rulesIn(place) : undefined;
		if (!rules) return undefined;
		for (const upload of posted) {
			const owner = await this.#posterOf(place, upload);
			const refusal = owner && (await this.#refusal(rules, this.#refOf(place, person), owner));
			if (refusal) return refusal;
		}
		return undefined;
	}

	/**
	 * Checks a picture that was read for a person, by its bytes and as a copy. Those of people who let nobody use theirs are known from then on.
	 *
	 * @param bytes as they were read
	 * @param picture the same, safe to decode
	 * @throws PictureError when it is somebody else's who allows it to nobody
	 */
	async check({ place, person }: PersonIn, upload: Upload, bytes: Uint8Array, picture: Uint8Array): Promise<void> {
		const rules = await this.#rulesIn(place);
		if (!rules) return;
		await Promise.all(this.#seeing);
		const [ref, found] = [this.#refOf(place, person), await this.#find(place, bytes, picture)];
		const refusal = found.owner && (await this.#refusal(rules, ref, found.owner));
		if (refusal) throw refusal;
		const poster = await this.#posterOf(place, upload);
		if (!poster || isSame(poster, ref)) await this.#add(rules, place, ref, found);
	}

	/** Knows pictures again that a person has made, where that is needed. */
	async remember({ place, person }: PersonIn, images: readonly Uint8Array[], settings: Settings): Promise<void> {
		const rules = await this.#rulesIn(place, settings);
		const ref = this.#refOf(place, person);
		if (!rules || !(await this.#isKnownAgain(rules, ref))) return;
		for (const bytes of images) await this.#add(rules, place, ref, await this.#find(place, bytes, bytes));
	}

	/** Knows pictures again that a person has posted, where that is needed: only those are read. Never rejects. */
	async see({ place, person }: PersonIn, uploads: readonly Upload[]): Promise<void> {
		const pictures = uploads.filter((upload) => isPicture(upload) && !upload.unreadable);
		const seeing = tryAndLog(this.#easel.log, 'A posted picture could not be read', async () => {
			const rules = await this.#rulesIn(place);
			const ref = this.#refOf(place, person);
			if (!rules || !(await this.#isKnownAgain(rules, ref))) return;
			if (this.#rates.take(personKey(ref), SEEN) === 0) await this.#read(rules, place, ref, pictures);
		});
		this.#seeing.add(seeing);
		await seeing;
		this.#seeing.delete(seeing);
	}

	async #read(rules: Rules, place: Place, ref: PersonRef, pictures: readonly Upload[]): Promise<void> {
		for (const picture of pictures)
			await withPosted(this.#easel, { place, person: ref }, [picture], async ([bytes = new Uint8Array()]) => {
				const { bytes: safe } = await prepare(bytes);
				await this.#add(rules, place, ref, await this.#find(place, bytes, safe));
			});
	}

	/** Reads what is still kept of a person's latest requests: the pictures that they brought, and the results. */
	async #readEarlier(ref: PersonRef): Promise<void> {
		const { store, ledger, pictureStore, platforms, log } = this.#easel;
		const rules = { onlyOwn: false };
		const calls = await Array.fromAsync(callsOf(store.space('ledger'), ref.platform, ref.id));
		for (const { id, server } of calls.slice(-MAX_EARLIER)) {
			const job = ref.server === undefined || ref.server === server ? await ledger.find(id) : undefined;
			if (!job?.request) continue;
			const { place, shown, request } = job;
			for (const name of Object.values(request.inputs)) {
				const bytes = await pictureStore.input(name);
				if (bytes) await this.#add(rules, place, ref, await this.#find(place, bytes, bytes));
			}
			await tryAndLog(log, 'An earlier result could not be read', async () => {
				const message = shown && (await platforms.find(shown));
				await this.#read(rules, place, ref, (await message?.pictures?.()) ?? []);
			});
		}
	}

	/** Returns the rules in a place; undefined where everybody may use every picture, as in most. */
	async #rulesIn(place: Place, known?: Settings): Promise<Rules | undefined> {
		const space = choices.in(this.#easel);
		const [{ editable }, chosen] = await Promise.all([
			known ?? this.#easel.settings.get(place),
			space.members(CHOSEN, { after: `${place.platform}:`, before: `${place.platform};`, limit: 1 }),
		]);
		const onlyOwn = editable === 'own';
		return onlyOwn || chosen.length > 0 ? { onlyOwn } : undefined;
	}

	async #refusal({ onlyOwn }: Rules, requester: PersonRef, owner: PersonRef): Promise<PictureError | undefined> {
		if (isSame(requester, owner)) return undefined;
		if (await choices.get(this.#easel, personKey(owner))) return new PictureError('consent.refused');
		return onlyOwn ? new PictureError('consent.onlyOwn') : undefined;
	}

	async #isKnownAgain({ onlyOwn }: Rules, ref: PersonRef): Promise<boolean> {
		return onlyOwn || (await choices.get(this.#easel, personKey(ref))) !== undefined;
	}

	/** Returns the person who has posted the message of a picture, or has asked for it where the message is the bot's. */
	async #posterOf(place: Place, { poster }: Upload): Promise<PersonRef | undefined> {
		const { key, person } = (await poster?.()) ?? {};
		const request = key === undefined ? undefined : await this.#easel.requests.find(key.replace(/\.[a-z]$/, ''));
		const id = request?.person.id ?? person;
		return id === undefined ? undefined : this.#refOf(place, { id });
	}

	/** Finds whose a picture is, by its bytes, by the request that has made it, and as a copy. */
	async #find(place: Place, bytes: Uint8Array, picture: Uint8Array): Promise<FoundPicture> {
		const { pictureStore, requests } = this.#easel;
		const id: PrintId = { scope: this.#scopeOf(place), digest: hash('sha256', bytes) };
		const same = await prints.get(this.#easel, id);
		if (same) return { id, owner: same.person, isKnown: true };
		const print = await fingerprint(picture);
		const job = await pictureStore.jobOf(id.digest);
		const request = job === undefined ? undefined : await requests.find(job);
		const made = request?.place.platform === place.platform ? this.#refOf(request.place, request.person) : undefined;
		const owner = made ?? (print === undefined ? undefined : (await this.#copyOf(id.scope, print))?.person);
		return { id, print, owner, isKnown: false };
	}

	async #copyOf(scope: string, print: string): Promise<Print | undefined> {
		const space = prints.in(this.#easel);
		for (const index of partsOf(scope, print))
			for (const member of await space.members(index, { limit: MAX_COMPARED })) {
				const [other = '', digest = ''] = member.split(':');
				const found = isCopy(print, other) ? await prints.get(space, { scope, digest }) : undefined;
				if (found) return found;
			}
		return undefined;
	}

	/** Stores how a picture is known again, unless it is known, or somebody else's. */
	async #add(rules: Rules, place: Place, person: PersonRef, found: FoundPicture) {
		const { id, print, owner, isKnown } = found;
		if (isKnown || (owner && !isSame(owner, person)) || !(await this.#isKnownAgain(rules, person))) return;
		const { now } = this.#easel;
		const value: Print = { person, digest: id.digest, print, at: now() };
		await prints.in(this.#easel).commit({ once: prints.key(id), ...prints.replacing(this.#easel, id, value) });
		const members = await this.#printsOf(person);
		const oldest = timeKey(now() - PRINT_DAYS * DAY_MS);
		for (const [index, member] of members.entries())
			if (index < members.length - MAX_PRINTS || member < oldest) await this.#forget(place, person, member);
	}

	#printsOf(person: PersonRef): Promise<string[]> {
		return Array.fromAsync(membersOf(prints.in(this.#easel), `of:${personKey(person)}`));
	}

	/** Removes an entry, which may have expired, from where it is indexed. */
	async #forget(place: Place, person: PersonRef, member: string): Promise<void> {
		const [digest = '', print] = idOfMember(member).split(':');
		const key = prints.key({ scope: this.#scopeOf(place), digest });
		const value = { person, digest, at: timeOfMember(member), ...(print && { print }) };
		await prints.in(this.#easel).commit(prints.removal(key, value));
	}

	#refOf(place: Place, person: { id: string }): PersonRef {
		return this.#easel.platforms.personRef(place, person);
	}

	/** Returns where the ids of people are unique. */
	#scopeOf(place: Place): string {
		const { platform, server } = this.#refOf(place, { id: '' });
		return server === undefined ? platform : `${platform}:${server}`;
	}
}

const isSame = (one: PersonRef, other: PersonRef) => personKey(one) === personKey(other);
