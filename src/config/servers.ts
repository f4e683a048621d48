import { z } from 'zod';
import { listOf } from './list.ts';

/** Discord's ids are numbers of up to 64 bits; Slack's begin with T for a workspace, E for an organization. */
const SERVER_ID = /^(\d{15,20}|[TE][A-Z0-9]{7,})$/;

export const serverIds = z
	.string()
	.transform(listOf)
	.refine(
		(ids) => ids.every((id) => SERVER_ID.test(id)),
		'contains an entry that is neither the id of a Discord server, such as 613425648685547541, nor of a Slack workspace, such as T012AB3CD',
	)
	.default([]);

/** Returns a fault for ids that are in both lists. */
export function serverFaults(given: Readonly<Record<string, string | undefined>>): string[] {
	const allowed = listOf(given['SERVERS_ALLOWED'] ?? '');
	const both = listOf(given['SERVERS_DENIED'] ?? '').filter((id) => allowed.includes(id) && SERVER_ID.test(id));
	return both.length === 0 ? [] : [`SERVERS_DENIED contains ${both.join(', ')}, as SERVERS_ALLOWED does.`];
}
