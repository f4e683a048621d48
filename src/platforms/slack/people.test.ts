import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { Call } from './api/calls.ts';
import { People } from './people.ts';

/** A Slack with these people and groups, and the methods that were called. */
function slackOf(users: Record<string, object | undefined>, usergroups: object[] = []) {
	const calls: string[] = [];
	const call = (async (_, method, args) => {
		calls.push(method);
		if (method === 'usergroups.list') return { usergroups };
		const { user = '' } = args as { user?: string };
		if (!users[user]) throw new Error('user_not_found');
		return { user: { id: user, team_id: 'T1', ...users[user] } };
	}) as Call;
	return { call, calls };
}

const log = pino({ level: 'silent' });

test.each([
	['T1', {}, undefined],
	['T1', { is_restricted: true }, true],
	['T1', { is_ultra_restricted: true }, true],
	['T1', { is_stranger: true, team_id: 'T2' }, true],
	['T1', { team_id: 'T2' }, true],
	['T1', { team_id: 'T2', enterprise_user: { enterprise_id: 'E1', teams: ['T1', 'T2'] } }, undefined],
	['E1', { team_id: 'T2', enterprise_user: { enterprise_id: 'E1', teams: ['T2'] } }, undefined],
	['E1', { team_id: 'T3', enterprise_user: { enterprise_id: 'E2', teams: ['T3'] } }, true],
])('people from outside of %s are known: %j', async (server, profile, outsider) => {
	const { call } = slackOf({ U1: profile });
	const people = new People({ call, moderators: [], log });
	expect((await people.person(server, 'U1')).outsider).toBe(outsider);
});

describe('moderators', () => {
	const users = {
		UADMIN: { is_admin: true },
		UOWNER: { is_owner: true },
		UMEMBER: {},
		UNAMED: {},
		UGROUP: {},
		UGUEST: { is_admin: true, is_restricted: true },
		UNAMEDGUEST: { is_ultra_restricted: true },
		UOTHER: { is_admin: true, is_owner: true, team_id: 'T2' },
		UORG: { team_id: 'T9', enterprise_user: { enterprise_id: 'E1', is_admin: true } },
		UORGMEMBER: { team_id: 'T9', is_admin: true, enterprise_user: { enterprise_id: 'E1' } },
	};
	const groups = [{ id: 'SMODS', handle: 'mods', users: ['UGROUP', 'UADMIN'] }];

	test.each([
		['T1', 'UADMIN', true],
		['T1', 'UOWNER', true],
		['T1', 'UMEMBER', false],
		['T1', 'UNAMED', true],
		['T1', 'UGROUP', true],
		['T1', 'UGUEST', false],
		['T1', 'UNAMEDGUEST', false],
		['T1', 'UOTHER', false],
		['T1', 'UUNKNOWN', false],
		['E1', 'UORG', true],
		['E1', 'UORGMEMBER', false],
		['E2', 'UORG', false],
	])('in %s %s: %s', async (server, user, moderates) => {
		const { call } = slackOf(users, groups);
		const people = new People({ call, moderators: ['UNAMED', 'UNAMEDGUEST', 'SMODS'], log });
		const person = await people.person(server, user);
		expect(person.moderator).toBe(moderates);
		// No role of the server's settings makes a guest a moderator.
		expect(person.mayModerate).toBe(user.endsWith('GUEST') ? false : undefined);
	});
});

test('looks a person up again after five minutes', async () => {
	let now = 1;
	const { call, calls } = slackOf({ U1: { is_admin: true, locale: 'de-DE', profile: { display_name: 'Ada' } } });
	const people = new People({ call, moderators: [], log, now: () => now });
	expect(people.cached('T1', 'U1')).toBeUndefined();
	expect(people.translator('T1', 'U1').language).toBe('en');
	const [person] = await Promise.all([people.person('T1', 'U1'), people.person('T1', 'U1')]);
	expect(person).toEqual({ id: 'U1', name: 'Ada', moderator: true, roles: [], locale: 'de-DE' });
	expect(people.cached('T1', 'U1')?.person).toEqual(person);
	expect(people.translator('T1', 'U1').language).toBe('de');
	now = 299_000;
	await people.person('T1', 'U1');
	expect(calls).toEqual(['users.info', 'usergroups.list']);
	now = 301_000;
	expect(people.cached('T1', 'U1')?.person).toEqual(person);
	await people.person('T1', 'U1');
	expect(calls).toHaveLength(4);
});

test('a person who cannot be looked up is no moderator, and is looked up the next time', async () => {
	const users: Record<string, object | undefined> = {};
	const { call } = slackOf(users);
	const people = new People({ call, moderators: ['U1'], log });
	expect(await people.person('T1', 'U1')).toEqual({ id: 'U1', name: 'U1', moderator: false });
	users['U1'] = {};
	expect((await people.person('T1', 'U1')).moderator).toBe(true);
});

test('a person who cannot be looked up again is as last known, without rights', async () => {
	let now = 1;
	const users: Record<string, object | undefined> = {
		U1: { is_admin: true, locale: 'de-DE', profile: { display_name: 'Ada' } },
	};
	const people = new People({ call: slackOf(users).call, moderators: [], log, now: () => now });
	expect(await people.person('T1', 'U1')).toMatchObject({ name: 'Ada', moderator: true });
	now = 301_000;
	users['U1'] = undefined;
	expect(await people.person('T1', 'U1')).toMatchObject({ name: 'Ada', moderator: false, locale: 'de-DE' });
});

test('the groups of an organization are those of its workspaces, without a call those that are cached', async () => {
	const { call, calls } = slackOf({}, [{ id: 'S1', handle: 'painters', users: ['U1'] }]);
	const people = new People({ call, moderators: [], log });
	expect(await people.groups('E1')).toEqual([]);
	expect((await people.groups('E1', ['T1', 'T2', 'T1'])).map(({ handle }) => handle)).toEqual(['painters', 'painters']);
	expect(await people.groups('E1')).toHaveLength(2);
	expect(await people.groups('E2')).toEqual([]);
	expect(calls).toEqual(['usergroups.list', 'usergroups.list']);
});
