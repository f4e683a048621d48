import { IntlMessageFormat } from 'intl-messageformat';
import type { z } from 'zod';
import { inLanguage } from '../../../bot/declaration/options.ts';
import { messageMenu } from '../../../domain/command.ts';
import { catalogueOf, type Language, languages, translatorFor } from '../../../i18n/translator.ts';
import { PEOPLE, SERVERS, type Server } from './directory.ts';
import { LIMITS } from './limits.ts';
import { authorize, type page, type SandboxContext } from './requests.ts';
import { directId, isVisibleTo, originOf, viewOf } from './store.ts';

/** Returns everything that a page needs once its stream is open. A change meanwhile comes again as an event; pages know which version is newer. */
export async function snapshotFor(context: SandboxContext, person: string, locale: string | undefined) {
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
async function serversFor({ store, inbox }: SandboxContext, id: string) {
	const latest: Record<string, number> = {};
	const servers = [];
	for (const server of SERVERS) {
		const channels = [];
		const direct = { id: directId(server.id, id), name: 'Easel', topic: '', direct: true as const };
		const listed: (Server['channels'][number] & { direct?: true })[] = [...server.channels, direct];
		for (const channel of listed) {
			const threads = await store.threads(channel.id, id);
			for (const room of [channel, ...threads])
				latest[room.id] = (await store.page(room.id, id, 1)).messages[0]?.number ?? 0;
			channels.push({ ...channel, threads });
		}
		const person = await store.person(id, server.id);
		const place = { platform: 'sandbox', server: server.id, channel: '' };
		// By a role: the page itself knows the moderators of the sandbox's settings.
		const moderates = person && (await inbox?.moderates({ ...person, moderator: false }, place));
		servers.push({ ...server, channels, moderates: moderates === true });
	}
	return { servers, latest };
}

/** Returns messages, oldest first; `more` when there are older ones; `origin`, the message that a thread was started on. */
export async function historyOf(
	context: SandboxContext,
	channelId: string,
	{ as, limit, before }: z.output<typeof page>,
) {
	const { store } = context;
	const { channel, person } = await authorize(context, { as, channel: channelId });
	const { messages, more } = await store.page(channel.id, person.id, limit, before);
	const origin = channel.thread ? await store.get(channel.channel, originOf(channel)) : undefined;
	const isShown = origin && isVisibleTo(origin, person.id);
	return { channel, more, messages: messages.map(viewOf), origin: isShown ? viewOf(origin) : undefined };
}

export type ParsedMessage = ReturnType<IntlMessageFormat['getAst']>;

/** The messages of the page in one language, which is also the one to format its dates and numbers in. */
export type PageMessages = { language: Language; messages: Readonly<Record<string, ParsedMessage>> };

/** Returns the messages with an id of the area `sandbox`, parsed, since the page has no parser. */
export function pageMessages(locale: string | undefined): PageMessages {
	const { language } = translatorFor(locale);
	const texts = Object.entries(catalogueOf(language)).filter(([id]) => id.startsWith('sandbox.'));
	const parse = (text: string) => new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst();
	return { language, messages: Object.fromEntries(texts.map(([id, text]) => [id, parse(text)])) };
}
