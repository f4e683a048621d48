import type { App, SlashCommand } from '@slack/bolt';
import type { CommandDescription } from '../../../../domain/command.ts';
import type { Inbox } from '../../../../domain/platform.ts';
import { type Translate, translatorFor } from '../../../../i18n/translator.ts';
import type { Log } from '../../../../log.ts';
import type { Forms } from '../../forms/forms.ts';
import { tooLongIn } from '../../forms/modal-inputs.ts';
import type { People } from '../../people/people.ts';
import { serverOf } from '../../transport/app.ts';
import { digest, type SlackActionContext } from '../actions/action-context.ts';
import type { ActionRunner } from '../actions/action-runner.ts';
import type { Dedupe } from '../dedupe.ts';
import { placeIn } from '../place.ts';
import { calledCommand, groupHelp } from './called-command.ts';
import { readSlashText, type SlashText } from './slash-text.ts';

type SlashCommandOptions = {
	runner: ActionRunner;
	forms: Forms;
	people: People;
	dedupe: Dedupe;
	commands: readonly CommandDescription[];
	log: Log;
};

/** A command that needs a form for its missing options. */
type Incomplete = { name: string; description: CommandDescription; text: SlashText };

/** Registers the listener for slash commands. Each is acknowledged first. Commands with missing options open a form. */
export function registerSlashCommands(app: App, options: SlashCommandOptions): void {
	app.command(/.*/, async ({ command, ack, context: delivery }) => {
		const { user_id, team_id, channel_id, trigger_id, response_url } = command;
		const server = serverOf(delivery);
		const acknowledged = ack();
		// A person who is not cached is looked up while the command is acknowledged and recorded.
		void options.people.person(server, user_id);
		await acknowledged;
		const context = {
			id: `s-${digest(trigger_id)}`,
			server,
			requester: { user: user_id, team: team_id, responseUrl: response_url, isCommand: true as const },
			place: placeIn(server, channel_id),
			t: options.people.translator(server, user_id),
		};
		await options.runner.run(context, (inbox) => runCommand(options, context, command, inbox));
	});
}

async function runCommand(
	options: SlashCommandOptions,
	context: SlackActionContext,
	{ command, text, trigger_id }: SlashCommand,
	inbox: Inbox,
): Promise<void> {
	const { runner, commands, people, dedupe } = options;
	const { id, server, requester } = context;
	const called = calledCommand(commands, command.replace(/^\//, ''), text ?? '');
	if ('group' in called) return replyInOwnLanguage(options, context, (t) => groupHelp(commands, called, t));
	const { description, name, rest } = called;
	const read = readSlashText(description?.fields ?? [], rest);
	// Nobody fills in a form that is refused. A person who is not cached is examined when it is submitted.
	const cached = people.cached(server, requester.user)?.person;
	const isRefused = description?.moderators && cached && !(await inbox.moderates(cached, context.place));
	if (description && !isRefused && needsForm(description, read))
		return openForm(options, context, { name, description, text: read }, trigger_id);
	if (await dedupe.first(`${server}:${id}`))
		await runner.invoke(context, inbox, { command: name, options: read.options });
}

function needsForm({ fields }: CommandDescription, { options, left, unclear }: SlashText): boolean {
	const isMessageGone = fields.some((field) => field.required && !(field.name in options));
	return fields.length > 0 && (isMessageGone || left !== '' || unclear.length > 0);
}

/** Opens the form of a command, filled in with what was typed. Slack allows three seconds for it. */
async function openForm(
	options: SlashCommandOptions,
	context: SlackActionContext,
	{ name, description: { fields }, text }: Incomplete,
	triggerId: string,
): Promise<void> {
	const { server, requester, place, t } = context;
	const { responseUrl } = requester;
	const tooLong = tooLongIn(fields, text.options);
	if (tooLong) return replyInOwnLanguage(options, context, (own) => own('errors.option.length', tooLong));
	const note = text.unclear.map((option) => t('slack.errors.formOnly', { option })).join(' ');
	const form = { command: name, title: `/${name}`, fields, values: text.options, ...(note && { note }) };
	const state = { place, ...(responseUrl && { responseUrl }) };
	const translate = await options.forms.open({ server, person: requester.user }, triggerId, form, state, t);
	// Looking up the person may take longer than Slack allows. Their rights are also needed when the form is submitted.
	const own = translatorFor((await options.people.person(server, requester.user)).locale);
	if (own.language === t.language) return;
	await translate(own).catch((error: unknown) => options.log.debug({ err: error }, 'A form could not be translated'));
}

/** Replies once the person's language is known, unless the command was delivered before. */
async function replyInOwnLanguage(
	{ runner, people, dedupe }: SlashCommandOptions,
	context: SlackActionContext,
	sentence: (t: Translate) => string,
): Promise<void> {
	const { id, server, requester } = context;
	if (!(await dedupe.first(`${server}:${id}`))) return;
	const { locale } = await people.person(server, requester.user);
	await runner.reply(context, sentence(translatorFor(locale)));
}
