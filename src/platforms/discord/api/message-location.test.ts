import { expect, test } from 'vitest';
import { handleData, linkTo, locationOf, type PostLocation } from './message-api.ts';

const via = { application: '1', token: 'secret', until: '1700000000000' };
const locations: PostLocation[] = [
	{ channel: '2', message: '3' },
	{ channel: '2', message: '@original', ...via },
	{ channel: '2', message: '3', ...via, private: 'yes' },
];

test.each(locations)('reads a location from the handle that it is written to', (location) => {
	expect(locationOf({ data: handleData(location) })).toEqual(location);
});

test('has no location for a handle without data', () => {
	expect(locationOf({})).toBeUndefined();
});

test('links to messages that others can see', () => {
	const place = { platform: 'discord', server: '7', channel: '2' };
	const links = locations.map((location) => linkTo(place, location));
	expect(links).toEqual(['https://discord.com/channels/7/2/3', undefined, undefined]);
	expect(linkTo({ ...place, direct: true }, { channel: '2', message: '3' })).toBeUndefined();
});
