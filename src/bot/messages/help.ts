import type { Page } from '../../domain/channel.ts';
import type { Person } from '../../domain/place.ts';
import { oneLine } from '../../domain/text.ts';
import type { Easel } from '../../easel.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import type { Command } from '../declaration/command.ts';

/** The words that ask for help, in the languages of the catalogues. */
const HELP = /^\/?(?:help|\?|？|hilfe|aide|ayuda|ヘルプ|ajuda|помощь|справка)[.!?]?$/iu;

/** Tells whether a text asks for help, and nothing else. Help buys nothing. */
export const asksForHelp = (text: string): boolean => HELP.test(oneLine(text, 20));

/** Returns what Easel can do for a person in a place, with examples; what the rules there forbid is said first. */
export async function helpText(easel: Easel, t: Translate, person: Person, channel: Page): Promise<string> {
	const { catalogue, policy } = easel;
	const has = (command: string) => catalogue.find(command) !== undefined;
	// While the settings cannot be read, the list is still true.
	const refused = await policy.checkPerson({ channel, person }).catch(() => undefined);
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
export function helpAbout({ catalogue }: Easel, command: Command, options: Options, { locale }: Person) {
	const fields = catalogue.fields(command.name);
	const words = fields.filter(({ name, kind }) => kind === 'text' && options[name] !== undefined);
	const [only] = words;
	if (command.moderators || !only || words.length > 1 || !asksForHelp(String(options[only.name]))) return undefined;
	const t = translatorFor(locale);
	const lines = fields.map(({ name, required, description }) =>
		t('help.option', { name, required: required ? 'yes' : 'no', description: t.declared(description) }),
	);
	return [t('help.command', { name: command.name, description: t.declared(command.description) }), ...lines].join('\n');
}

type Options = Readonly<Record<string, unknown>>;
