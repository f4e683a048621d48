import type { Slack } from '../context.ts';
import { postNotice } from '../world/messages.ts';
import type { Channel, Json, User, View } from '../world/model.ts';
import { escaped, toMrkdwn } from '../world/mrkdwn.ts';
import type { ActionSender } from './action-sender.ts';
import type { FormClient } from './form-client.ts';
import { slashCommand } from './payloads.ts';
import { createTrigger, replyTo } from './triggers.ts';

type SlashCommandOptions = {
	channel: Channel;
	/** As the person types it, such as `/imagine a fox n:2`. */
	line: string;
	delivery?: string | undefined;
	/** Called with the form that the application opens. */
	onForm?: (view: View) => void;
};

/** Sends a slash command, as the manifest has it. https://docs.slack.dev/interactivity/implementing-slash-commands */
export async function sendSlashCommand(
	slack: Slack,
	user: User,
	sender: ActionSender,
	forms: FormClient,
	{ channel, line, delivery, onForm }: SlashCommandOptions,
): Promise<void> {
	if (sender.repeat(delivery)) return;
	const [command = '', ...rest] = line.split(' ');
	const declared = slack.manifest.features?.slash_commands?.find((one) => one.command === command);
	if (!declared) throw new Error(`${command} is not a valid command`);
	const trigger = createTrigger(slack, user, {
		opened(view) {
			forms.open(view);
			onForm?.(view);
		},
	});
	const typed = rest.join(' ').trim();
	const text = declared.should_escape ? toMrkdwn(typed, user.team, true) : escaped(typed);
	const payload = slashCommand(slack, trigger, channel, command, text);
	const ack = await sender.send({ kind: 'slash_commands', payload, name: command }, delivery);
	if (!ack.ok) return void postNotice(slack, channel, user, `${command} failed with the error "operation_timeout"`);
	const body = ack.body as Json | undefined;
	if (body && (body['text'] || body['blocks'])) replyTo(slack, { user, channel }, body);
}
