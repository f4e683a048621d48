import type { App, SlashCommand } from '@slack/bolt';
import type { Inbox } from '../../../domain/platform.ts';
import { type Translate, translatorFor } from '../../../i18n/translator.ts';
import type { Forms } from '../forms/forms.ts';
import { tooLongIn } from '../forms/modal-view.ts';
import { serverOf } from '../transport/app.ts';
import { type ActionContext, type ActionContexts, digest } from './action-context.ts';
import { placeIn } from './action-message.ts';
import type { SlackServices } from './services.ts';
import { commandIn, helpOf } from './slash-command-name.ts';
import { readSlashText } from './slash-text.ts';

/** Slash commands: run at once when their text says all that is needed, else asked for by a form. */
export function registerSlashCommands(app: App, parts: SlackServices, forms: Forms, acts: ActionContexts): void {
	const { people, seen, commands, log } = parts;
	const { answered, tell, invoke, translator } = acts;

	app.command(/.*/, async ({ command, ack, context }) => {
		await ack();
		const server = serverOf(context);
		const act = actOf(server, command, translator(server, command.user_id));
		const id = `s-${digest(command.trigger_id)}`;
		await answered(act, id, (inbox) => slash(act, id, command, inbox));
	});

	async function slash(
		act: ActionContext,
		id: string,
		{ command, text, trigger_id }: SlashCommand,
		inbox: Inbox,
	): Promise<void> {
		const { server, asked, place, t } = act;
		const called = commandIn(commands, command.replace(/^\//, ''), text ?? '');
		const say = async (sentence: (t: Translate) => string) => {
			if (!(await seen.first(`${server}:${id}`))) return;
			const { locale } = await people.person(server, asked.user);
			await tell(act, id, sentence(translatorFor(locale)));
		};
		if ('group' in called) return say((own) => helpOf(commands, called, own));
		const { description, name, rest } = called;
		const fields = description?.fields ?? [];
		const { options, left, unclear } = readSlashText(fields, rest);
		const missing = fields.some((field) => field.required && !(field.name in options));
		const asksForm = fields.length > 0 && (missing || left !== '' || unclear.length > 0);
		const mayNot = description?.moderators && people.known(server, asked.user)?.person.moderator === false;
		if (asksForm && !mayNot) {
			const tooLong = tooLongIn(fields, options);
			if (tooLong) return say((own) => own('errors.option.length', tooLong));
			const note = unclear.map((option) => t('slack.errors.formOnly', { option })).join(' ');
			const form = { command: name, title: `/${name}`, fields, values: options, ...(note && { note }) };
			const about = { place, ...(asked.responseUrl && { responseUrl: asked.responseUrl }) };
			const shownIn = await forms.open(server, trigger_id, form, about, t);
			// Slack does not wait for what it has to be asked itself; language and rights are also needed when the form comes back.
			const own = translatorFor((await people.person(server, asked.user)).locale);
			if (own.language !== t.language)
				await shownIn(own).catch((error: unknown) => log.debug({ err: error }, 'A form is shown in English'));
			return;
		}
		if (await seen.first(`${server}:${id}`)) await invoke(act, inbox, id, { command: name, options });
	}
}

function actOf(
	server: string,
	{ user_id, team_id, channel_id, response_url }: SlashCommand,
	t: Translate,
): ActionContext {
	const asked = { user: user_id, team: team_id, responseUrl: response_url };
	return { server, asked, place: placeIn(server, channel_id), t };
}
