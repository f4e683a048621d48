import type { Keyv } from 'keyv';

/** `home`: the server that a user used the bot in last. `locale`: the language of their client. `direct`: whose direct messages a channel is. */
type UserFact = 'home' | 'locale' | 'direct';

/** Facts about users that events do not carry. They are always read from the store, since another process may have changed them. */
export class UserRecords {
	readonly #keyv: Keyv;

	constructor(keyv: Keyv) {
		this.#keyv = keyv;
	}

	/** @param id a user's id; a channel's for `direct` */
	recall(fact: UserFact, id: string): Promise<string | undefined> {
		return this.#keyv.get<string>(`${fact}:${id}`);
	}

	async remember(fact: UserFact, id: string, value: string): Promise<void> {
		if ((await this.recall(fact, id)) !== value) await this.#keyv.set(`${fact}:${id}`, value);
	}
}
