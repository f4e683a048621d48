import type { App, SlashCommand } from '@slack/bolt';
import type { CommandDescription } from '../../../domain/command.ts';
import { isHelpSign } from '../../../domain/text.ts';
import { commandAtStart, type References, readTypedOptions, type TypedOptions } from '../../../domain/typed-options.ts';
import { kindOf, MENTION } from '../api/blocks.ts';
import { placeIn } from '../api/messages.ts';
import { channelIn } from '../outbound/channels.ts';
import type { Slack } from '../slack.ts';
import { serverOf } from '../transport/dispatch.ts';
import { digest, invokeCommand, isTalk, replyTo, runAction, type SlackActionContext } from './actions.ts';
import { maxLengthOf, openForm } from './forms.ts';
import { type Decode, decoderFor } from './message-reader.ts';

/** Registers the listener for slash commands. Each is stored, and then acknowledged. Commands with missing options open a form. */
export function registerSlashCommands(app: App, slack: Slack): void {
	app.command(/.*/, async ({ command, ack, context: delivery }) => {
		const { user_id: user, user_name: name, channel_id, channel_name, trigger_id, response_url: responseUrl } = command;
		const place = placeIn(serverOf(delivery), channel_id);
		const requester = { user, responseUrl, isCommand: true as const, isTalk: isTalk(channel_name) };
		const action = { id: `s-${digest(trigger_id)}`, place, requester, name };
		await runAction(slack, action, ack, (context) => runCommand(slack, context, command));
	});
}

async function runCommand(slack: Slack, context: SlackActionContext, given: SlashCommand): Promise<void> {
	const { command, text = '', trigger_id } = given;
	const { commands, people } = slack;
	const { place, person, requester } = context;
	const { description, name, rest } = calledCommand(commands, command.replace(/^\//, ''), text);
	// What moderators write may be meant: the word may be one to ban.
	if (description && !description.moderators && asksForHelp(rest))
		return invokeCommand(slack, context, { command: `${name} help`, options: {} });
	const read = readTypedOptions(
		description?.fields ?? [],
		rest,
		referencesBy(await decoderFor(people, place.server, rest)),
	);
	if (description && needsForm(description, read)) {
		const form = await slack.inbox().form(name, { person, channel: channelIn(slack, place, requester) });
		if (form) return openCommandForm(slack, context, description, read, trigger_id, form.note);
	}
	await invokeCommand(slack, context, { command: name, options: read.options });
}

/** `/imagine help` explains a command, and opens no form. */
const asksForHelp = (text: string): boolean => /^help$/i.test(text.trim()) || isHelpSign(text.trim());

function needsForm({ fields }: CommandDescription, { options, left, unclear }: TypedOptions): boolean {
	const isIncomplete = fields.some((field) => field.required && !(field.name in options));
	return fields.length > 0 && (isIncomplete || left !== '' || unclear.length > 0);
}

/** Opens the form of a command, filled in with what was typed. Slack allows three seconds for it. */
async function openCommandForm(
	slack: Slack,
	context: SlackActionContext,
	{ name, fields }: CommandDescription,
	{ options, unclear }: TypedOptions,
	triggerId: string,
	above = '',
): Promise<void> {
	const { requester, place, t } = context;
	for (const field of fields) {
		const count = options[field.name]?.length ?? 0;
		if (field.kind !== 'text' || count <= maxLengthOf(field)) continue;
		const tooLong = { option: field.name, count, most: maxLengthOf(field) };
		return replyTo(slack, context, t('errors.option.length', tooLong));
	}
	const formOnly = unclear.map((option) => t('slack.errors.formOnly', { option })).join(' ');
	const note = [formOnly, above].filter(Boolean).join('\n');
	const form = { command: name, title: `/${name}`, fields, values: options, note };
	await openForm(slack, triggerId, form, { place, responseUrl: requester.responseUrl }, t);
}

/**
 * Returns the command that a slash command calls, where this version has it, and the text after its name. Slack knows `/limits`; the text
 * begins with the rest of `limits set`.
 */
export function calledCommand(
	commands: readonly CommandDescription[],
	name: string,
	text: string,
): { name: string; description?: CommandDescription; rest: string } {
	const called = commandAtStart(commands, `${name} ${text}`);
	if (called) return { name: called.command.name, description: called.command, rest: called.rest };
	const isGroup = commands.some((command) => command.name.startsWith(`${name} `));
	// The core says which commands the group has.
	return { name: isGroup ? `${name} ${text.trim().split(/\s+/, 1)[0]}`.trim() : name, rest: text };
}

/** https://docs.slack.dev/interactivity/implementing-slash-commands#escaping */
const ONE_MENTION = new RegExp(`^${MENTION.source}$`);
const IDS = { person: /^[UW][A-Z0-9]{6,}$/, channel: /^[CG][A-Z0-9]{6,}$/, role: /^S[A-Z0-9]{6,}$/ };

/**
 * Returns how the text after a command is read. A person, channel or group that was typed by name instead of as a mention is unclear, and has
 * to be chosen.
 *
 * @param decode turns the markup of a text option into words; ids are taken from it before
 */
export const referencesBy = (decode: Decode): References => ({
	mentioned(kind, word) {
		const [, sign = '', id] = ONE_MENTION.exec(word) ?? [];
		return kindOf(sign) === kind ? id : undefined;
	},
	named: (kind, value) => (IDS[kind].test(value) ? value : undefined),
	plain: decode,
});
