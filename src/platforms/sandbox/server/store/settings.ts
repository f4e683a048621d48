import type { Keyv } from 'keyv';
import type { Person } from '../../../../domain/place.ts';
import { KeyedQueue } from '../../../../domain/queues.ts';
import { PEOPLE, rolesOf } from '../directory.ts';
import { EMULATED_PLATFORMS, type EmulatedPlatform } from '../limits.ts';

/** The settings of the sandbox's people. */
export type SandboxSettings = {
	/** The platform whose limits apply. */
	emulates: EmulatedPlatform;
	/** The ids of moderators, by server. */
	moderators: Readonly<Record<string, readonly string[]>>;
};

type StoredSettings = { look: EmulatedPlatform; moderators: SandboxSettings['moderators'] };

const KEY = 'settings';

const DEFAULTS: StoredSettings = {
	look: EMULATED_PLATFORMS[0],
	moderators: { atelier: ['ada'], 'print-club': ['chiyo'] },
};

export class SettingsStore {
	readonly #keyv: Keyv;
	readonly #queue = new KeyedQueue();

	constructor(keyv: Keyv) {
		this.#keyv = keyv;
	}

	async read(): Promise<SandboxSettings> {
		const { look, moderators } = await this.#read();
		return { emulates: look, moderators };
	}

	async emulate(platform: EmulatedPlatform): Promise<SandboxSettings> {
		return this.#change((stored) => ({ ...stored, look: platform }));
	}

	setModerator(server: string, person: string, isModerator: boolean): Promise<SandboxSettings> {
		return this.#change((stored) => {
			const others = (stored.moderators[server] ?? []).filter((id) => id !== person);
			const moderators = isModerator ? [...others, person] : others;
			return { ...stored, moderators: { ...stored.moderators, [server]: moderators } };
		});
	}

	/** Returns a person with their rights on a server; undefined when there is no such person. */
	async person(id: string, server: string): Promise<Person | undefined> {
		const person = PEOPLE.find((one) => one.id === id);
		const { moderators } = await this.#read();
		return person && { ...person, moderator: moderators[server]?.includes(id) ?? false, roles: rolesOf(id) };
	}

	async #read(): Promise<StoredSettings> {
		return (await this.#keyv.get<StoredSettings>(KEY)) ?? DEFAULTS;
	}

	#change(change: (stored: StoredSettings) => StoredSettings): Promise<SandboxSettings> {
		return this.#queue.run(KEY, async () => {
			await this.#keyv.set(KEY, change(await this.#read()));
			return this.read();
		});
	}
}
