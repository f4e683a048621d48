import { sniff } from '../../pictures/sniff.ts';
import { KINDS } from '../../store/kinds.ts';
import type { PersonalCounts, PersonalExport } from '../declaration/command.ts';
import { MAX_PICTURES, type PictureStore } from '../repositories/picture-store.ts';
import type { StoredRequest } from '../repositories/requests.ts';
import type { TemporaryUploads } from '../repositories/temporary-uploads.ts';
import type { UndeliveredResults } from '../repositories/undelivered-results.ts';
import { type EraserParts, kindsOf } from './eraser.ts';
import { entriesAbout, type Sought, soughtOf } from './personal-kinds.ts';
import type { Subject } from './subject.ts';

type Parts = Pick<EraserParts, 'store' | 'platforms' | 'scans'> & {
	pictureStore: PictureStore;
	temporaryUploads: TemporaryUploads;
	undeliveredResults: UndeliveredResults;
};

type Person = Subject & { id: string };

/** Entries as they are exported, with what docs/privacy.md says about them. */
type ExportedKind = { holds: string; lifetime: string; entries: unknown[] };

/** More than this is not put into one file, whatever a platform accepts: it is made in memory. */
const MAX_BYTES = 50 * 2 ** 20;

/** For the directory of the zip, for each picture. */
const ENTRY_OVERHEAD_BYTES = 512;

/** Collects what is kept about a person, for one person at a time: some kinds have to be read as a whole. */
export class PersonalData {
	readonly #parts: Parts;

	constructor(parts: Parts) {
		this.#parts = parts;
	}

	count(person: Person): Promise<PersonalCounts> {
		return this.#parts.scans.run('', () => this.#count(person));
	}

	/**
	 * Returns a zip file with `data.json` and the person's pictures.
	 * @param maxBytes the largest file that can be uploaded. Pictures that would exceed it are left out, the largest first.
	 */
	export(person: Person, maxBytes: number, at: number): Promise<PersonalExport> {
		return this.#parts.scans.run('', () => this.#export(person, maxBytes, at));
	}

	async #count(person: Person): Promise<PersonalCounts> {
		const counts = { calls: 0, totals: 0, prompts: 0, chats: 0, drafts: 0, profile: 0, log: 0, pictures: 0 };
		const { store, platforms } = this.#parts;
		const sought = await soughtOf(store, [person]);
		for (const kind of kindsOf(platforms.all))
			for await (const _ of entriesAbout(store, kind, sought)) counts[kind.group]++;
		for await (const _ of this.#pictures(person, sought)) counts.pictures++;
		return counts;
	}

	async #export(person: Person, maxBytes: number, at: number): Promise<PersonalExport> {
		const max = Math.min(maxBytes, MAX_BYTES);
		const sought = await soughtOf(this.#parts.store, [person]);
		const data = await this.#entries(sought);
		const pictures = new Map<string, Uint8Array>();
		let [total, omitted] = [Buffer.byteLength(JSON.stringify(data)), 0];
		for await (const [name, bytes] of this.#pictures(person, sought)) {
			pictures.set(name, bytes);
			total += bytes.length + ENTRY_OVERHEAD_BYTES;
			while (total > max && pictures.size > 0) {
				const [largest = '', size = 0] = largestOf(pictures);
				pictures.delete(largest);
				total -= size + ENTRY_OVERHEAD_BYTES;
				omitted++;
			}
		}
		const about = { platform: person.platform, id: person.id, exportedAt: new Date(at).toISOString(), omitted };
		return { bytes: await zip({ ...about, kept: data }, pictures), pictures: pictures.size, omitted };
	}

	async #entries(sought: Sought): Promise<Record<string, ExportedKind>> {
		const { store, platforms } = this.#parts;
		const exported: Record<string, ExportedKind> = {};
		for (const kind of kindsOf(platforms.all)) {
			const { space, prefix } = kind;
			const declared = KINDS[space]?.entries.find((other) => other.prefix === prefix);
			const entries: unknown[] = [];
			for await (const { key, value } of entriesAbout(store, kind, sought))
				entries.push(kind.exported ? kind.exported(key, value) : value);
			if (entries.length > 0)
				exported[`${space}/${prefix}`] = {
					holds: declared?.holds ?? space,
					lifetime: declared?.lifetime ?? '',
					entries,
				};
		}
		return exported;
	}

	/** Yields the pictures that are kept of a person, each once. */
	async *#pictures(person: Person, sought: Sought): AsyncGenerator<[name: string, bytes: Uint8Array]> {
		const { store, platforms, pictureStore, temporaryUploads, undeliveredResults } = this.#parts;
		const [jobs, inputs, servers] = [new Set<string>(), new Set<string>(), new Set<string>()];
		for (const kind of kindsOf(platforms.all)) {
			if (kind.space !== 'requests' && kind.prefix !== 'receipt:') continue;
			for await (const { key, value, person: found } of entriesAbout(store, kind, sought)) {
				if (found.server !== undefined) servers.add(found.server);
				if (kind.space !== 'requests') continue;
				jobs.add(key);
				for (const input of Object.values((value as StoredRequest).inputs)) inputs.add(input);
			}
		}
		for (const server of servers)
			for (const job of await undeliveredResults.jobs({ platform: person.platform, server, channel: '' }, person))
				jobs.add(job);
		let number = 0;
		const name = (kind: string, bytes: Uint8Array) =>
			`${kind}/${++number}.${sniff(bytes)?.type.split('/')[1] ?? 'bin'}`;
		for (const job of jobs) {
			for (const bytes of await pictureStore.kept(job)) yield [name('results', bytes), bytes];
			for (let index = 0; index < MAX_PICTURES; index++) {
				const bytes = await pictureStore.original(job, index);
				if (bytes) yield [name('originals', bytes), bytes];
			}
		}
		for (const input of inputs) {
			const bytes = await pictureStore.input(input);
			if (bytes) yield [name('uploads', bytes), bytes];
		}
		const place = { platform: person.platform };
		for (const bytes of await temporaryUploads.of({ place, person })) yield [name('references', bytes), bytes];
	}
}

function largestOf(pictures: ReadonlyMap<string, Uint8Array>): [name: string, size: number] {
	return [...pictures]
		.map(([name, { length }]): [string, number] => [name, length])
		.reduce((largest, other) => (other[1] > largest[1] ? other : largest));
}

/** Pictures are compressed already, so they are stored as they are. The library is loaded when it is first needed. */
async function zip(data: unknown, pictures: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
	const { Zip, ZipDeflate, ZipPassThrough } = await import('fflate');
	const chunks: Uint8Array[] = [];
	const archive = new Zip((error, chunk) => {
		if (error) throw error;
		chunks.push(chunk);
	});
	const json = new ZipDeflate('data.json');
	archive.add(json);
	json.push(Buffer.from(JSON.stringify(data, undefined, '\t')), true);
	for (const [name, bytes] of pictures) {
		const file = new ZipPassThrough(name);
		archive.add(file);
		file.push(bytes, true);
	}
	archive.end();
	return Buffer.concat(chunks);
}
