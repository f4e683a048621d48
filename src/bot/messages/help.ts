import type { Page, Person, Reply, ServerId } from '../../domain/channel.ts';
import type { Invitation, Invocation, Request } from '../../domain/platform.ts';
import { inCode, oneLine, quoted } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { SentenceError, type Translate, translatorFor } from '../../i18n/translator.ts';
import { tryAndLog } from '../../log.ts';
import { type ActionHandler, actionButton } from '../declaration/actions.ts';
import type { Command } from '../declaration/command.ts';
import { asksForHelp } from '../words/plain-words.ts';

const MAX_HELP = 40;

const EXAMPLES = {
	draw: (t) => ({ command: 'imagine', options: { prompt: t('help.example.draw') } }),
	chat: (t) => ({ command: 'chat', options: { prompt: t('help.example.chat') } }),
	history: () => ({ command: 'history', options: {} }),
	usage: () => ({ command: 'usage', options: {} }),
	limits: () => ({ command: 'limits show', options: {} }),
} as const satisfies Record<string, (t: Translate) => Pick<Invocation, 'command' | 'options'>>;

const isExample = (name: string): name is keyof typeof EXAMPLES => Object.hasOwn(EXAMPLES, name);

/** Runs the example of a button of help, as if the person had typed it. */
export const exampleAction: ActionHandler = {
	async press({ id, person, channel }, name, { t }) {
		if (!isExample(name)) return new SentenceError('errors.outdated.button');
		return { invoke: { id, ...EXAMPLES[name](t), person, channel } };
	},
};

/** Returns what Easel can do for a person in a place, with buttons that run examples; what the rules there forbid is said first. */
export async function helpReply(easel: Easel, t: Translate, person: Person, channel: Page): Promise<Reply> {
	const { catalogue } = easel;
	const { direct, thread } = channel.place;
	// While the settings cannot be read, help is still true.
	const refused = await easel.policy.check('person', { channel, person }).catch(() => undefined);
	const may: Record<keyof typeof EXAMPLES, boolean> = {
		draw: !refused && catalogue.find('imagine') !== undefined,
		// In a direct message or a thread, a message is enough.
		chat: !refused && !direct && thread === undefined && catalogue.find('chat') !== undefined,
		...{ history: true, usage: true, limits: person.moderator && !direct },
	};
	const buttons = Object.entries(may).flatMap(([name, isThere]) => (isThere ? [actionButton(t, 'example', name)] : []));
	return { text: textOf(easel, t, person, refused), buttons };
}

/**
 * Shows help once to each person who writes in direct messages, beside the answer. Never rejects: the answer comes in any case.
 * @param isHelp the answer is help itself
 */
export async function welcome(easel: Easel, { id, person, channel }: Request, isHelp = false): Promise<void> {
	const { conversations, platforms, log } = easel;
	const { place } = channel;
	if (!place.direct) return;
	await tryAndLog(log, 'A person could not be greeted', async () => {
		if (!(await conversations.isFirstContact(place)) || isHelp) return;
		// A message of its own: the response to a command is its answer.
		const own = await platforms.open(place);
		const t = translatorFor(person.locale);
		const { text, buttons } = await helpReply(easel, t, person, channel);
		// Where only the person has installed the bot, others read along.
		const visibility = own ? 'public' : 'private';
		await (own ?? channel).post(
			{ text: `${text}\n${t('thread.intro.memoryDirect')}`, buttons, visibility },
			`${id}.hello`,
		);
	});
}

/** Says once in a server what Easel can do there, to those who may set the rules. */
export async function greetServer(
	easel: Easel,
	{ platform, server }: ServerId,
	{ name, person, channel, locale }: Invitation,
): Promise<void> {
	const { conversations, platforms } = easel;
	if (!(await conversations.isFirstWelcome({ platform, server }))) return;
	const place = { platform, server, channel: channel ?? '' };
	const here = person ? await platforms.direct(place, person) : await platforms.open(place);
	if (!here) return;
	const t = translatorFor(locale);
	const reader = { id: person?.id ?? '', name: '', moderator: true };
	const { text, buttons } = await helpReply(easel, t, reader, here);
	await here.post(
		{ text: `${t('help.joined', { server: `**${quoted(name)}**` })}\n\n${text}`, buttons },
		`welcome.${server}`,
	);
}

function textOf({ catalogue }: Easel, t: Translate, person: Person, refused: SentenceError | undefined): string {
	const has = (command: string) => catalogue.find(command) !== undefined;
	return [
		...(refused ? [refused.messageIn(t), ''] : []),
		t('help.intro'),
		...(has('imagine') ? [t('help.draw')] : []),
		...(has('edit') ? [t('help.change', { compose: has('compose') ? 'yes' : 'no' })] : []),
		...(has('chat') ? [t('help.chat')] : []),
		t('help.find'),
		t('help.own'),
		...(person.moderator ? [t('help.moderators')] : []),
		t('help.more'),
	].join('\n');
}

/**
 * Returns the explanation of a command where its only words ask for help, as in `/imagine help`. What moderators write may be meant: the
 * word may be one to ban.
 */
export function helpAbout(easel: Easel, command: Command, options: Options, { locale }: Person) {
	const words = textsOf(easel, command).filter(({ name }) => options[name] !== undefined);
	const [only] = words;
	if (command.moderators || !only || words.length > 1 || !asksForHelp(String(options[only.name]))) return undefined;
	return explanationOf(easel, command, translatorFor(locale));
}

type Options = Readonly<Record<string, unknown>>;

/**
 * Returns the explanation of the command or the group of commands that a text names before or after a word for help, as `usage help` and
 * `help limits` do.
 */
export function helpIn(easel: Easel, text: string, t: Translate): string | undefined {
	const words = oneLine(text, MAX_HELP).toLowerCase().split(' ');
	const isAfter = asksForHelp(words.at(-1) ?? '');
	if (words.length === 1 || !(isAfter || asksForHelp(words[0] ?? ''))) return undefined;
	const name = (isAfter ? words.slice(0, -1) : words.slice(1)).join(' ').replace(/^\//, '');
	const command = easel.catalogue.find(name);
	if (!command) return groupHelp(easel, name, t);
	const mayBeMeant = isAfter && command.moderators && textsOf(easel, command).length > 0;
	return mayBeMeant ? undefined : explanationOf(easel, command, t);
}

/** Returns the commands of a group, such as `limits`, which a text begins with; undefined where it is none. */
export function groupHelp({ catalogue }: Easel, text: string, t: Translate): string | undefined {
	const [group = '', word = ''] = oneLine(text, MAX_HELP).toLowerCase().replace(/^\//, '').split(' ');
	const members = [...catalogue.descriptions.values()].filter(({ name }) => name.startsWith(`${group} `));
	if (members.length === 0) return undefined;
	const first =
		word && !asksForHelp(word)
			? t('help.noSubcommand', { command: group, word: inCode(word.replace(/[<>]/g, ''), 30) })
			: t('help.subcommands', { command: group });
	return [first, ...members.map(({ name, description }) => `- \`/${name}\` ${t.declared(description)}`)].join('\n');
}

function explanationOf({ catalogue }: Easel, { name: command, description }: Command, t: Translate): string {
	const lines = catalogue.fields(command).map((field) => {
		const { name, required } = field;
		return t('help.option', { name, required: required ? 'yes' : 'no', description: t.declared(field.description) });
	});
	return [t('help.command', { name: command, description: t.declared(description) }), ...lines].join('\n');
}

const textsOf = ({ catalogue }: Easel, { name }: Command) =>
	catalogue.fields(name).filter(({ kind }) => kind === 'text');
