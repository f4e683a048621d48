import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { IntlMessageFormat } from 'intl-messageformat';
import { z } from 'zod';
import { commands } from '../commands/index.ts';
import type { Command } from './bot/declaration/command.ts';
import { describeCommand } from './bot/declaration/options.ts';
import type { PluginCommand } from './command.ts';
import { addMessages, isOwnMessage, languages } from './i18n/translator.ts';
import { PROFILES } from './service/profiles.ts';

const LOAD_MS = 10_000;

/** Discord's limit of a description. https://docs.discord.com/developers/interactions/application-commands */
const MAX_DESCRIPTION = 100;

/** What commands from outside import. It means this Easel wherever they lie, so that there is one of each module. */
const ENTRY = 'easel/command';
const ENTRY_URL = new URL(`./command${extname(import.meta.filename)}`, import.meta.url).href;

export type Plugins = {
	/** The commands of Easel, then those from outside. */
	commands: readonly Command[];
	/** What was loaded: a sentence for each command. */
	loaded: readonly string[];
	/** What is left out: a sentence for each module or package. */
	faults: readonly string[];
};

/** Where a command is from, such as `poster.ts` or `easel-command-poster 1.2.0`, and how it is loaded. */
type CommandSource = { name: string; load: () => Promise<unknown> };

class PluginError extends Error {}

const loading = new Map<string, Promise<Plugins>>();

/**
 * Loads the commands from outside: the modules in a folder, and the packages `easel-command-*` that are installed beside Easel or in the
 * working folder. One that is faulty is left out. Each is loaded once.
 *
 * @param folder `PLUGINS_DIR`
 */
export function loadPlugins(folder = ''): Promise<Plugins> {
	const loaded = loading.get(folder) ?? loadFrom(folder);
	loading.set(folder, loaded);
	return loaded;
}

async function loadFrom(folder: string): Promise<Plugins> {
	const known: Command[] = [...commands];
	const loaded: string[] = [];
	const faults: string[] = [];
	if (folder && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
		faults.push(`PLUGINS_DIR: there is no folder ${folder}.`);
	const sources = [...modulesIn(folder), ...packages()];
	// Every import goes through a hook from then on.
	if (sources.length > 0)
		registerHooks({
			resolve: (specifier, context, next) =>
				specifier === ENTRY ? { url: ENTRY_URL, shortCircuit: true } : next(specifier, context),
		});
	for (const { name, load } of sources) {
		try {
			const command = checked(await inTime(load()), known);
			known.push(command);
			loaded.push(`/${command.name} is from ${name}.`);
		} catch (error) {
			faults.push(`${name} is left out: ${reasonOf(error)}.`);
		}
	}
	return { commands: known, loaded, faults };
}

/** Waits for a module. Nothing else may hold the process meanwhile, so the timer does. */
async function inTime<T>(module: Promise<T>): Promise<T> {
	const { promise, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(() => reject(new PluginError(`it did not load within ${LOAD_MS / 1000} seconds`)), LOAD_MS);
	return Promise.race([module, promise]).finally(() => clearTimeout(timer));
}

function modulesIn(folder: string): CommandSource[] {
	const names = folder ? globSync('*.{js,mjs,ts,mts}', { cwd: folder, exclude: ['*.d.ts', '*.d.mts'] }).sort() : [];
	return names.map((name) => ({ name, load: () => import(pathToFileURL(resolve(folder, name)).href) }));
}

/** Returns the names in a folder; none where it is missing, is a file or cannot be read. */
function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder).sort();
	} catch {
		return [];
	}
}

function packages(): CommandSource[] {
	const near = createRequire(import.meta.url).resolve.paths(ENTRY) ?? [];
	const found = new Map<string, CommandSource>();
	for (const modules of [resolve('node_modules'), ...near])
		for (const name of namesIn(modules).filter((one) => one.startsWith('easel-command-'))) {
			const require = createRequire(join(modules, name, 'package.json'));
			const { version = '' } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
			const load = () => import(pathToFileURL(require.resolve(name)).href);
			if (!found.has(name)) found.set(name, { name: `${name} ${version}`, load });
		}
	return [...found.values()];
}

const texts = z.record(z.string(), z.string());
const run = z.custom((value) => typeof value === 'function', 'is not a function');
const options = z.custom((value) => value instanceof z.ZodObject, 'is not z.strictObject of easel/command');
const named = z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, 'is not one word in lower case');
const declared = { name: named, description: z.string(), options, run };
const screened = { texts: z.record(z.string(), z.enum(['screened', 'harmless'])) };

/** What a declaration has to have when no compiler has looked at it. */
const DECLARATION = z.intersection(
	z.object({ messages: z.partialRecord(z.enum(languages), texts).refine(({ en }) => en, 'lacks English (en)') }),
	z.discriminatedUnion('makes', [
		z.object({ makes: z.literal('pictures'), ...declared, ...screened, status: z.string(), request: run }),
		z.object({ makes: z.literal('answer'), ...declared }),
		z.object({ makes: z.literal('thread'), ...declared, ...screened }),
	]),
);

/**
 * Returns the command of a module, whose messages are known from now on.
 * @throws PluginError
 */
function checked(module: unknown, known: readonly Command[]): Command {
	const { default: command } = module as { default?: PluginCommand };
	if (typeof command !== 'object') throw new PluginError('its default export is no command');
	const { error } = DECLARATION.safeParse(command);
	const [issue] = error?.issues ?? [];
	if (issue) throw new PluginError(`its ${issue.path.join('.') || 'declaration'} ${issue.message}`);
	const { name, messages } = command;
	if (known.some((other) => other.name.split(' ')[0] === name))
		throw new PluginError(`there is a command /${name} already`);
	for (const [language, own] of Object.entries(messages))
		for (const [id, text] of Object.entries(own)) checkMessage(name, language, id, text);
	addMessages(messages);
	const { fields, description } = describeCommand(command, PROFILES.easel.capabilities);
	for (const id of [description, ...fields.map((field) => field.description)])
		for (const own of Object.values(messages))
			if ((own[id]?.length ?? 0) > MAX_DESCRIPTION)
				throw new PluginError(`its message ${id} has more than ${MAX_DESCRIPTION} characters`);
	const missing = fields.find((field) => field.kind === 'text' && 'texts' in command && !(field.name in command.texts));
	if (missing) throw new PluginError(`its texts do not say whether ${missing.name} is screened`);
	return command;
}

function checkMessage(command: string, language: string, id: string, text: string): void {
	if (!id.startsWith(`${command}.`) && !id.startsWith('names.'))
		throw new PluginError(`its message ${id} begins with neither ${command}. nor names.`);
	if (isOwnMessage(id)) throw new PluginError(`its message ${id} is one of Easel's own`);
	try {
		new IntlMessageFormat(text, language, undefined, { ignoreTag: true });
	} catch {
		throw new PluginError(`its message ${id} is not in ICU syntax (${language})`);
	}
}

/** Returns the first line of what was thrown, bounded: modules from outside throw anything. */
function reasonOf(error: unknown): string {
	const text = error instanceof Error ? error.message : String(error);
	return (text.split('\n')[0] ?? '').slice(0, 200).replace(/\.$/, '');
}
