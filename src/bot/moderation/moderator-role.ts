import { isPersonal, type Person, type Place } from '../../domain/place.ts';
import type { Easel } from '../../easel.ts';
import { DEFAULT_SETTINGS } from '../../usage/settings.ts';
import type { ActionAccess } from '../declaration/actions.ts';

/**
 * Returns a person with the rights that they have in a place: members who have the role, or user group, that the server's settings name are
 * moderators. The settings are read each time, so that a change holds at once, in every process. What everyone may do does not wait for them.
 *
 * @throws StoreError when the access of moderators depends on settings that cannot be read; for other accesses, people keep the rights that
 * they have without them
 */
export async function withRights(
	{ settings }: Easel,
	person: Person,
	place: Place,
	access: ActionAccess,
): Promise<Person> {
	const { moderator, mayModerate = true, roles = [] } = person;
	if (access === 'everyone' || moderator || !mayModerate || roles.length === 0 || isPersonal(place)) return person;
	const current = settings.get(place);
	const { moderatorRole } = await (access === 'moderators' ? current : current.catch(() => DEFAULT_SETTINGS));
	const hasRole = moderatorRole !== undefined && roles.includes(moderatorRole);
	return hasRole ? { ...person, moderator: true, byRole: true } : person;
}
