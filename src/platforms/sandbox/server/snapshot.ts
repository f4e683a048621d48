import { IntlMessageFormat } from 'intl-messageformat';
import { inLanguage } from '../../../bot/declaration/options.ts';
import { messageMenu } from '../../../domain/command.ts';
import { catalogueOf, type Language, languages, type MessageId, translatorFor } from '../../../i18n/translator.ts';
import { type Actor, authorize, BadRequest, type SandboxContext } from './context.ts';
import { PEOPLE, SERVERS, type Server } from './directory.ts';
import { LIMITS } from './limits.ts';
import { directId, isVisibleTo, originOf, viewOf } from './store.ts';

/** Returns everything that a page needs once its stream is open. A change meanwhile comes again as an event; pages know which version is newer. */
export async function snapshotFor(context: SandboxContext, { as: person, locale }: Omit<Actor, 'channel'>) {
	assertPerson(person);
	const { commands, store, tryOut } = context;
	const t = translatorFor(locale);
	return {
		people: PEOPLE,
		connects: tryOut !== undefined,
		languages,
		limits: LIMITS,
		commands: commands.map((command) => inLanguage(t, command)),
		menu: messageMenu(commands).map((entry) => ({ ...entry, name: t(entry.name) })),
		settings: await store.settings(),
		...(await serversFor(context, person)),
	};
}

/** Returns the servers with their channels and threads, and the number of the last message of each that this person sees; 0 for none. */
async function serversFor(context: SandboxContext, person: string) {
	const { store } = context;
	const latest: Record<string, number> = {};
	const servers = [];
	for (const server of SERVERS) {
		const channels = [];
		const direct = { id: directId(server.id, person), name: 'Easel', topic: '', direct: true as const };
		const listed: (Server['channels'][number] & { direct?: true })[] = [...server.channels, direct];
		for (const channel of listed) {
			const threads = await store.threads(channel.id, person);
			for (const { id } of [channel, ...threads])
				latest[id] = (await store.page(id, person, 1)).messages[0]?.number ?? 0;
			channels.push({ ...channel, threads });
		}
		servers.push({ ...server, channels, moderates: await moderatesByRole(context, server.id, person) });
	}
	return { servers, latest };
}

/** Tells whether a role makes a person a moderator. The page itself knows those of the sandbox's settings. */
async function moderatesByRole({ store, inbox }: SandboxContext, server: string, id: string): Promise<boolean> {
	const person = await store.person(id, server);
	const place = { platform: 'sandbox', server, channel: '' };
	return person !== undefined && (await inbox?.moderates({ ...person, moderator: false }, place)) === true;
}

/** Returns messages, oldest first; `more` when there are older ones; `origin`, the message that a thread was started on. */
export async function historyOf(context: SandboxContext, page: Actor & { limit: number; before?: number }) {
	const { store } = context;
	const { channel, person } = await authorize(context, page);
	const { messages, more } = await store.page(channel.id, person.id, page.limit, page.before);
	const origin = channel.thread ? await store.get(channel.channel, originOf(channel)) : undefined;
	const isShown = origin && isVisibleTo(origin, person.id);
	return { channel, more, messages: messages.map(viewOf), origin: isShown ? viewOf(origin) : undefined };
}

export function assertPerson(id: string): void {
	if (!PEOPLE.some((person) => person.id === id)) throw new BadRequest(404, 'There is no such person.');
}

/** A parsed message: texts, values, and what is chosen by a value. */
export type ParsedMessage = ReturnType<IntlMessageFormat['getAst']>;

/** The messages of the page in one language, which is also the one to format its dates and numbers in. */
export type PageMessages = { language: Language; messages: Readonly<Record<string, ParsedMessage>> };

/** Returns the messages with an id of the area `sandbox`, parsed, since the page has no parser. */
export function pageMessages(locale: string | undefined): PageMessages {
	const { language } = translatorFor(locale);
	const catalogue = catalogueOf(language);
	const ids = (Object.keys(catalogue) as MessageId[]).filter((id) => id.startsWith('sandbox.'));
	const parsed = ids.map((id) => [
		id,
		new IntlMessageFormat(catalogue[id], 'en', undefined, { ignoreTag: true }).getAst(),
	]);
	return { language, messages: Object.fromEntries(parsed) };
}
