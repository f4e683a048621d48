import { isFile } from '../../test-user.ts';
import { formOf } from './form.ts';
import { clientErrors, submittedState, unknownOptions } from './form-state.ts';
import { buttonPress, closing, messageShortcut } from './payloads.ts';
import type { SlackUser, UserContext } from './slack-user.ts';
import { sendSlashCommand } from './slash-command.ts';
import { slashText } from './slash-text.ts';
import { createTrigger } from './triggers.ts';
import { buttonsIn } from './visible.ts';

type Actions = Pick<
	SlackUser,
	'types' | 'command' | 'press' | 'menu' | 'form' | 'view' | 'submit' | 'refuses' | 'cancel' | 'message'
>;

/** Commands, buttons, message shortcuts and forms. */
/** @param say writes a message. In threads, people mention the application to send a command */
export function actionsOf(
	{ slack, account, position, sender, forms }: UserContext,
	{ say }: Pick<SlackUser, 'say'>,
): Actions {
	const createActionTrigger = () => createTrigger(slack, account, { opened: (view) => forms.open(view) });
	const slash = (
		line: string,
		more: { delivery?: string | undefined; onForm?: (view: NonNullable<typeof forms.opened>) => void },
	) => {
		// https://docs.slack.dev/interactivity/implementing-slash-commands
		if (position.thread !== undefined) throw new Error('Slash commands cannot be used in threads');
		return sendSlashCommand(slack, account, sender, forms, { channel: position.channel, line, ...more });
	};

	return {
		types: (line, delivery) => slash(line, { delivery }),
		async command(name, options, delivery) {
			if (position.thread !== undefined) {
				const bot = account.team.installation?.user.name;
				return say(`@${bot} ${slashText(name, options, account.team)}`, Object.values(options).filter(isFile));
			}
			const { promise: submitted, resolve } = Promise.withResolvers<void>();
			await slash(`/${slashText(name, options, account.team)}`, {
				delivery,
				onForm(view) {
					const unknown = unknownOptions(view, options);
					const known = Object.entries(options).filter(([option]) => !unknown.includes(option));
					void forms.submit(view, Object.fromEntries(known)).then(resolve);
				},
			});
			// Files can be sent only with a form.
			if (Object.values(options).some(isFile) && delivery === undefined) await submitted;
		},
		async press(seen, label, delivery) {
			if (sender.repeat(delivery)) return;
			const message = position.messageOf(seen);
			const button = buttonsIn(message.blocks).find((one) => one.label === label);
			if (!button) throw new Error(`The message has no button ${label}`);
			const payload = buttonPress(slack, createActionTrigger(), message, button);
			await sender.interact(payload, `the button ${label}`, message, delivery);
		},
		async menu(seen, entry) {
			const message = position.messageOf(seen);
			if (message.only) throw new Error('An ephemeral message has no shortcuts');
			const { shortcuts = [] } = slack.manifest.features ?? {};
			const shortcut = shortcuts.find(({ name, type }) => name === entry && type === 'message');
			if (!shortcut) throw new Error(`There is no shortcut ${entry}`);
			const payload = messageShortcut(slack, createActionTrigger(), message, shortcut.callback_id);
			await sender.interact(payload, entry, message);
		},
		form: () => forms.opened && formOf(forms.opened),
		view: () => forms.opened,
		async submit({ id }, options) {
			const view = forms.opened;
			if (view?.id !== id) throw new Error('This form is not open');
			const [unknown] = unknownOptions(view, options);
			if (unknown) throw new Error(`The form has no field ${unknown}`);
			await forms.submit(view, options);
		},
		refuses(options) {
			const view = forms.opened;
			if (!view) throw new Error('No form is open');
			return Object.values(clientErrors(view, submittedState(slack, view, account, options)))[0];
		},
		async cancel() {
			const view = forms.close();
			if (view?.data['notify_on_close'] === true) await sender.interact(closing(slack, account, view), 'view_closed');
		},
		message: (seen) => position.messageOf(seen),
	};
}
