import { describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { messageMenu } from '../../domain/command.ts';
import { PROFILES } from '../../service/profiles.ts';
import type { Capabilities } from '../../service/service.ts';
import { describeCommands } from './options.ts';

const typed = commands.filter(({ hidden }) => !hidden);
const all = PROFILES.easel.capabilities;

describe.each<[string, Partial<Capabilities>, string[]]>([
	['everything', {}, []],
	['no edits', { edit: false }, ['edit']],
	['no compositions', { compose: false }, ['compose']],
	['neither', { edit: false, compose: false }, ['edit', 'compose']],
])('a service with %s', (_, lacking, missing) => {
	const offered = describeCommands(commands, { ...all, ...lacking });

	test('offers the other commands', () => {
		const names = offered.map(({ name }) => name);
		expect(typed.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual(missing);
	});

	test('offers the entries of the message menu for its commands', () => {
		expect(messageMenu(offered).map(({ command }) => command)).toEqual([
			...['edit', 'compose'].filter((name) => !missing.includes(name)),
			'history',
		]);
	});
});

test('suggests the sizes and models of the service', () => {
	const capabilities = {
		...all,
		sizes: ['640x480'],
		models: [{ id: 'first', hint: 'Good at hands' }, { id: 'second' }],
	};
	const imagine = describeCommands(commands, capabilities).find(({ name }) => name === 'imagine');
	const field = (name: string) => imagine?.fields.find((one) => one.name === name);
	expect(field('size')).toMatchObject({ suggestions: ['640x480'] });
	expect(field('model')).toMatchObject({ suggestions: ['first', 'second'] });
});
