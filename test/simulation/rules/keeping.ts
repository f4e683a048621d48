import type { Space, Store } from '../../../src/store/store.ts';
import type { PictureId } from '../fakes/service.ts';

/** A process, as far as rules ask about it. */
export type ObservedProcess = { readonly hasEnded: boolean; readonly isRunning: boolean };

const JOB = 'job:';
const KEPT = /kept:(.+):(\d+)$/;

/** Observes what becomes of finished pictures: which reach a process, which are kept, and which calls for that meet a fault. */
export class Keeping {
	/** The running processes that the pictures of deliveries have reached. */
	readonly received = new Map<string, ObservedProcess>();
	/** Deliveries whose pictures the process has tried to post that has received them. */
	readonly posted = new Set<string>();
	/** Deliveries whose pictures a process was about to keep. */
	readonly #announced = new Set<string>();
	/** The pictures that were ever kept, by delivery, and the process that kept the last one. */
	readonly #kept = new Map<string, { indexes: Set<number>; keeper: ObservedProcess | undefined }>();
	readonly #faults = new Set<string>();
	readonly #writer: () => ObservedProcess | undefined;

	/** @param writer returns the process whose call takes effect */
	constructor(writer: () => ObservedProcess | undefined) {
		this.#writer = writer;
	}

	/** Records a call that met a fault. */
	addFault(call: string): void {
		this.#faults.add(call);
	}

	/** Tells whether keeping the pictures of a delivery met a fault, or its process ended just before it. */
	wasFaulted(delivery: string): boolean {
		if (this.#announced.has(delivery) && !this.#kept.has(delivery) && this.received.get(delivery)?.hasEnded)
			return true;
		const isAbout = (call: string) =>
			(call.startsWith('put ') && call.match(KEPT)?.[1] === delivery) || call === `get ledger ${JOB}${delivery}`;
		return [...this.#faults].some(isAbout);
	}

	/** Returns the pictures that were ever kept. */
	*pictures(): Generator<PictureId> {
		for (const [delivery, { indexes }] of this.#kept) for (const index of indexes) yield { delivery, index };
	}

	wasKept({ delivery, index }: PictureId): boolean {
		return this.#kept.get(delivery)?.indexes.has(index) ?? false;
	}

	keeperOf(delivery: string): ObservedProcess | undefined {
		return this.#kept.get(delivery)?.keeper;
	}

	/** Returns the store with its pictures observed. */
	observe(store: Store): Store {
		const pictures = this.#observePictures(store.space('pictures'));
		const ledger = this.#observeLedger(store.space('ledger'));
		const observed: Record<string, Space> = { pictures, ledger };
		return { ...store, space: (name) => observed[name] ?? store.space(name) };
	}

	#observeLedger(space: Space): Space {
		// A process that has lost its lease looks whether its job was taken over, and takes it back before it keeps the pictures.
		const keyv = new Proxy(space.keyv, {
			get: (target, property) => {
				if (property !== 'get') return Reflect.get(target, property);
				return (key: string) => {
					const delivery = key.startsWith(JOB) ? key.slice(JOB.length) : '';
					if (this.received.get(delivery) === this.#writer()) this.#announced.add(delivery);
					return target.get(key);
				};
			},
		});
		return { ...space, keyv };
	}

	#observePictures(space: Space): Space {
		const put: Space['files']['put'] = async (name, ...rest) => {
			const [, delivery, index] = name.match(KEPT) ?? [];
			if (delivery !== undefined) {
				const { indexes } = this.#kept.get(delivery) ?? { indexes: new Set() };
				indexes.add(Number(index));
				this.#kept.set(delivery, { indexes, keeper: this.#writer() });
			}
			await space.files.put(name, ...rest);
		};
		return { ...space, files: { ...space.files, put } };
	}
}
