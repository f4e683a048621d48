import { describe, expect } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { eventually } from '../../../../packages/fakes/src/eventually.ts';
import { test } from '../../../../test/harness/discord-platform.fixture.ts';
import { describeCommands } from '../../../bot/declaration/options.ts';
import type { ButtonPress } from '../../../domain/platform.ts';
import { PROFILES } from '../../../service/profiles.ts';
import { registeredDiffers } from '../registration.ts';

const declared = describeCommands(commands, PROFILES.easel.capabilities);

describe('on a Japanese server with users of other languages', () => {
	test.override({
		commands: declared,
		fakeOptions: {
			servers: [
				{ locale: 'ja', channels: ['general'], members: { ada: { locale: 'de' }, bjorn: { locale: 'sv-SE' } } },
			],
		},
	});

	test('registers names and descriptions of commands, options and menus in every language', async ({
		discord,
		rest,
	}) => {
		const [imagine] = discord.commands().filter(({ name }) => name === 'imagine');
		expect(imagine).toMatchObject({
			name_localizations: {
				de: 'zeichne',
				'es-ES': 'imaginar',
				'es-419': 'imaginar',
				ja: '描く',
				ru: 'нарисуй',
				'zh-CN': '画图',
				'zh-TW': '画图',
			},
			description_localizations: { fr: 'Dessiner une image à partir d’une description' },
		});
		expect(imagine?.options?.[0]).toMatchObject({ name: 'prompt', name_localizations: { 'pt-BR': 'prompt' } });
		const menu = discord.commands().find(({ name }) => name === 'Edit image');
		expect(menu).toMatchObject({ name_localizations: { de: 'Bild bearbeiten' } });
		expect(await registeredDiffers({ rest, commands: declared })).toBe(false);
	});

	test('knows the language of a user from their last interaction, or from the server', async ({ discord, easel }) => {
		const heard: (string | undefined)[] = [];
		await easel.start({
			invoke: async ({ person, channel, id }) => {
				heard.push(person.locale);
				await channel.post({ text: 'Gut.' }, id);
			},
			hear: async ({ person }) => void heard.push(person.locale),
		});
		await discord.user('ada').command('imagine', { prompt: 'ein Fuchs' });
		await discord.user('bjorn').say('@Easel hallå?');
		await eventually(() => expect(heard).toEqual(['de', 'ja']));
		await discord.user('ada').say('@Easel und jetzt?');
		await eventually(() => expect(heard.slice(2)).toEqual(['de']));
		await discord.user('ada').directMessages().say('Und hier?');
		await eventually(() => expect(heard.slice(3)).toEqual(['de']));
		await discord.user('bjorn').directMessages().say('Hallå?');
		await eventually(() => expect(heard.slice(4)).toEqual([undefined]));
	});

	test('labels a form in the language of the user who opens it', async ({ discord, easel }) => {
		const fields = declared.find(({ name }) => name === 'limits set')?.fields ?? [];
		await easel.start({
			invoke: async ({ channel, id }) => {
				await channel.post({ text: 'Hier', buttons: [{ id: 'f:1:x', label: 'Formular' }] }, id);
			},
			press: ({ open }: ButtonPress) => open({ id: 'f:1:x', command: 'limits set', title: 'Limit', fields }),
		});
		const ada = discord.user('ada');
		await ada.command('imagine', { prompt: 'ein Fuchs' });
		const [message] = await ada.look();
		if (!message) throw new Error('The message does not exist');
		await ada.press(message, 'Formular');
		const shown = JSON.stringify(ada.modal());
		expect(shown).toContain('"label":"Bereich"');
		expect(shown).toContain('"label":"kanal","value":"channel"');
	});
});
