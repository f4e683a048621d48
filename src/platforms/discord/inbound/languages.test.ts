import { Keyv } from 'keyv';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { type DiscordFake, startDiscord } from '../../../../test/fakes/discord/index.ts';
import { describeCommands } from '../../../bot/declaration/available-commands.ts';
import type { Inbox, Platform } from '../../../domain/platform.ts';
import type { ButtonPress } from '../../../domain/requests.ts';
import { easelProfile } from '../../../service/profiles/easel.ts';
import { createDiscord, createRest, registerCommands } from '../index.ts';
import { registeredDiffers } from '../registration/register.ts';

const declared = describeCommands(commands, easelProfile.capabilities);
const log = pino({ level: 'silent' });
let discord: DiscordFake;
let platform: Platform | undefined;

beforeEach(async () => {
	discord = await startDiscord({
		pace: 0.02,
		servers: [{ locale: 'ja', channels: ['general'], members: { ada: { locale: 'de' }, bjorn: { locale: 'sv-SE' } } }],
	});
	await registerCommands({ rest: rest(), commands: declared });
});
afterEach(async () => {
	await platform?.stop();
	await discord.close();
	expect(discord.violations).toEqual([]);
});

const rest = () => createRest({ token: discord.token, apiUrl: discord.api, log });

/** Easel with a core that does as a test says. */
async function running(inbox: Partial<Inbox>) {
	const { token, api, cdn } = discord;
	const mine = { token, apiUrl: api, attachmentOrigins: [new URL(cdn).origin], commands: declared, log };
	platform = createDiscord({ ...mine, shards: 'auto', messageContent: true, keyv: new Keyv() });
	const nothing = async () => {};
	const silent = { invoke: nothing, press: nothing, hear: nothing, changed: nothing, forget: nothing };
	await platform.start({ ...silent, suggest: async () => [], home: async () => ({ text: '', recent: [] }), ...inbox });
}

test('commands, options and the menu have names and descriptions in every language', async () => {
	const [imagine] = discord.commands().filter(({ name }) => name === 'imagine');
	expect(imagine).toMatchObject({
		name_localizations: { de: 'zeichne', 'es-ES': 'imaginar', 'es-419': 'imaginar', ja: '描く', ru: 'нарисуй' },
		description_localizations: { fr: 'Dessiner une image à partir de mots' },
	});
	expect(imagine?.options?.[0]).toMatchObject({ name: 'prompt', name_localizations: { 'pt-BR': 'prompt' } });
	const menu = discord.commands().find(({ name }) => name === 'Edit image');
	expect(menu).toMatchObject({ name_localizations: { de: 'Bild bearbeiten' } });
	expect(await registeredDiffers({ rest: rest(), commands: declared })).toBe(false);
});

test('whoever invokes is known by their client’s language, also when they write; who never did, by their server’s', async () => {
	const heard: (string | undefined)[] = [];
	await running({
		invoke: async ({ person, channel, id }) => {
			heard.push(person.locale);
			await channel.post({ text: 'Gut.' }, id);
		},
		hear: async ({ person }) => void heard.push(person.locale),
	});
	await discord.user('ada').command('imagine', { prompt: 'ein Fuchs' });
	await discord.user('bjorn').say('@Easel hallå?');
	await vi.waitFor(() => expect(heard).toEqual(['de', 'ja']));
	await discord.user('ada').say('@Easel und jetzt?');
	await vi.waitFor(() => expect(heard.slice(2)).toEqual(['de']));
	await discord.user('ada').directMessages().say('Und hier?');
	await vi.waitFor(() => expect(heard.slice(3)).toEqual(['de']));
	await discord.user('bjorn').directMessages().say('Hallå?');
	await vi.waitFor(() => expect(heard.slice(4)).toEqual([undefined]));
});

test('a form is labelled in the language of whoever opens it', async () => {
	const fields = declared.find(({ name }) => name === 'limits set')?.fields ?? [];
	const press = ({ open }: ButtonPress) => open({ id: 'f:1:x', command: 'limits set', title: 'Limit', fields });
	await running({
		invoke: async ({ channel, id }) => {
			await channel.post({ text: 'Hier', buttons: [{ id: 'f:1:x', label: 'Formular' }] }, id);
		},
		press,
	});
	const ada = discord.user('ada');
	await ada.command('imagine', { prompt: 'ein Fuchs' });
	const [message] = await ada.look();
	if (!message) throw new Error('The message is not there');
	await ada.press(message, 'Formular');
	const shown = JSON.stringify(ada.modal());
	expect(shown).toContain('"label":"Bereich"');
	expect(shown).toContain('"label":"kanal","value":"channel"');
});
