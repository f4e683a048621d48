import { isPersonal, type Person, type Place } from '../../domain/place.ts';
import type { SettingsRepository } from '../../usage/settings/settings-repository.ts';

/**
 * Makes moderators of the members who have the role, or user group, that a server's settings name for it. The settings are read each time,
 * so that a change holds at once, in every process.
 */
export class ModeratorRole {
	readonly #settings: Pick<SettingsRepository, 'get'>;

	constructor(settings: Pick<SettingsRepository, 'get'>) {
		this.#settings = settings;
	}

	/**
	 * Returns a person with the rights that they have in a place.
	 * @throws StoreError when these depend on settings that cannot be read
	 */
	async apply(person: Person, place: Place): Promise<Person> {
		const { moderator, mayModerate = true, roles = [] } = person;
		if (moderator || !mayModerate || roles.length === 0 || isPersonal(place)) return person;
		const { moderatorRole } = await this.#settings.get(place);
		const hasRole = moderatorRole !== undefined && roles.includes(moderatorRole);
		return hasRole ? { ...person, moderator: true, byRole: true } : person;
	}

	/** As `apply`. While the settings cannot be read, people keep the rights that they have without them. */
	tryApply(person: Person, place: Place): Promise<Person> {
		return this.apply(person, place).catch(() => person);
	}
}
