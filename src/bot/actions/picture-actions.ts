import { hash } from 'node:crypto';
import type { CommandDescription } from '../../domain/command.ts';
import type { Reply, Upload } from '../../domain/reply.ts';
import type { ButtonPress, Invocation } from '../../domain/requests.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { privately } from '../declaration/command.ts';
import { handleLogAction } from '../moderation/log-actions.ts';
import { picturesOf, resultButtons } from '../pictures/captions.ts';
import { isCovered } from '../pictures/delivery.ts';
import { fitReply, suffixOf } from '../pictures/fit-reply.ts';
import { readUpload } from '../pictures/read-upload.ts';
import { TRAY_SIZE } from '../repositories/reference-tray.ts';
import type { PictureRequest } from '../repositories/requests.ts';
import type { BotServices } from '../services.ts';
import {
	chooser,
	composeAsked,
	editAsked,
	type FormResult,
	openCompose,
	openEdit,
	trayButtons,
} from './picture-forms.ts';

/** What a button or a form comes to: an answer, or a command. `accepted` runs once the command's options have been found right. */
export type ActionResult = { say: Reply } | { invoke: Invocation; accepted?: () => Promise<void> } | undefined;

/**
 * The buttons under results and the entries of message menus. A button's id is `action:version:id`; what it stands for is in
 * the store, so it works after a restart. Unknown ones answer in a sentence.
 */
export async function handleAction(
	services: BotServices,
	commands: ReadonlyMap<string, CommandDescription>,
	press: ButtonPress,
): Promise<ActionResult> {
	const t = translatorFor(press.person.locale);
	const { action, version, id } = readButton(press.button);
	if (version !== '1') return say(t(OLD));
	const command = COMMAND_OF[action ?? ''];
	if (command !== undefined && !commands.has(command))
		return say(t('There is no command {command}.', { command: `/${command}` }));
	switch (action) {
		case 'again':
			return again(t, services, press, id);
		case 'edit':
			return answered(await openEdit(commands, press));
		case 'reference':
			return reference(t, services, press);
		case 'compose':
			return answered(await openCompose(services, commands, press));
		case 'reopen': {
			const first = await services.formDrafts.press(press, id);
			return first ? handleAction(services, commands, first) : say(t(NO_LONGER_OPEN));
		}
		case 'clear':
			await services.referenceTray.clear(press.channel.place, press.person);
			return say(t('Your references are put away.'));
		case 'delete':
			return remove(t, services, press, id);
		case 'remove':
		case 'block':
		case 'hide':
			return answered(await handleLogAction(services, press, action, id));
		case 'collect':
			return collect(t, services, press);
		default:
			return say(t(OLD));
	}
}

/** The commands that actions lead to: messages keep buttons for commands that are no longer available. */
const COMMAND_OF: Readonly<Record<string, string>> = { edit: 'edit', reference: 'compose', compose: 'compose' };

/** `action:version:id`; a job's id may hold colons of its own. */
export function readButton(button: string) {
	const [action, version, ...id] = button.split(':');
	return { action, version, id: id.join(':') };
}

const OLD = 'This button is from another version of Easel and does nothing any more; use the command instead.';
const NO_LONGER_OPEN = 'This form is no longer kept; please start again.';
const answered = (say: Reply | undefined): ActionResult => say && { say };
const say = (text: string): ActionResult => ({ say: privately(text) });

/** The same once more, paid for by whoever presses. */
async function again(t: Translate, services: BotServices, press: ButtonPress, id: string): Promise<ActionResult> {
	const request = await services.requests.find(id);
	if (!request) return say(t('What was asked for here is no longer kept; use the command instead.'));
	const options = await services.requests.optionsOf(request);
	if (!options) return say(t('The picture that was sent for this is no longer kept (30 days); send it once more.'));
	return { invoke: { id: press.id, command: request.command, options, person: press.person, channel: press.channel } };
}

/** Puts a picture on the tray for the next composition; asks which, where the message has several. */
async function reference(t: Translate, services: BotServices, press: ButtonPress): Promise<ActionResult> {
	if (press.attached.length > 1) {
		await press.open({ id: press.button, command: 'compose', title: t('Use as reference'), fields: [chooser(press)] });
		return undefined;
	}
	return { say: await addToTray(t, services, press, press.attached[0]) };
}

type Somebody = Pick<ButtonPress, 'person' | 'channel'>;

async function addToTray(
	t: Translate,
	services: BotServices,
	{ channel, person }: Somebody,
	picture: Upload | undefined,
): Promise<Reply> {
	if (!picture) return privately(t('There is no picture in this message any more.'));
	const count = await services.referenceTray.add(channel.place, person, await readUpload(services, picture));
	const more =
		count < TRAY_SIZE
			? t('Press **{label}** under another picture, or compose now.', { label: t('Use as reference') })
			: t('That is the most.');
	return {
		...privately(`${t('Kept as image {count, number} of your next composition, for an hour.', { count })} ${more}`),
		buttons: trayButtons(t),
	};
}

/** Removes the picture and what is kept of the request; that it was counted stays. */
async function remove(t: Translate, services: BotServices, press: ButtonPress, id: string): Promise<ActionResult> {
	const request = await services.requests.find(id);
	if (request && request.person.id !== press.person.id && !press.person.moderator)
		return say(t('Only who asked for this picture, or a moderator, can delete it.'));
	if (!request && !press.person.moderator)
		return say(t('Only a moderator can delete this: who asked is no longer known.'));
	const post = await services.find(press.message);
	await post?.delete();
	if (request) await removeOthers(services, request, id);
	await services.requests.forget(id);
	if (request) await services.recentResults.drop(request.place, request.person, id);
	return undefined;
}

/** Pictures that were too much for one message are in others. */
async function removeOthers(services: BotServices, { place, count }: PictureRequest, id: string): Promise<void> {
	for (let index = 0; count > 1 && index < count; index++) {
		const other = await services.find({ place, key: id + suffixOf(index) });
		await other?.delete();
	}
}

/** Posts what could not be posted where it was asked for. */
async function collect(
	t: Translate,
	services: BotServices,
	{ channel, person, id }: ButtonPress,
): Promise<ActionResult> {
	const jobs = await services.undeliveredResults.jobs(channel.place, person);
	for (const job of jobs) {
		const [images, request] = await Promise.all([services.pictureStore.kept(job), services.requests.find(job)]);
		const prompt = request?.prompt ?? t('Picture');
		const reply: Reply = {
			text: t('Here is what could not be posted.'),
			pictures: picturesOf(t, images, prompt, await isCovered(services, request?.place ?? channel.place)),
			buttons: resultButtons(t, job, services.service.capabilities),
			visibility: 'private',
		};
		if (images.length > 0)
			for (const part of await fitReply(t, reply, channel.limits, channel.place)) {
				const { handle } = await channel.post(part.reply, `${id}.${shortened(job)}${part.suffix}`);
				if (part.first === 0)
					await services.recentResults.add(channel.place, person, job, { handle, prompt, at: Date.now() });
			}
		await services.undeliveredResults.remove(channel.place, person, job);
		await services.pictureStore.drop(job);
	}
	return jobs.length === 0 ? say(t('Nothing is waiting for you.')) : undefined;
}

/**
 * Part of a message's key. When a press is delivered once more, other jobs wait than the first time, so that their order names
 * none; two whole ids are longer than a key.
 */
const shortened = (job: string) => hash('sha256', job).slice(0, 10);

/** What a submitted form means: the command with what the form did not ask for filled in, or an answer. */
export async function submitted(
	services: BotServices,
	invocation: Invocation & { form: string },
): Promise<ActionResult | FormResult> {
	const t = translatorFor(invocation.person.locale);
	const { form, attached = [], options } = invocation;
	const { action, id } = readButton(form);
	switch (action) {
		case 'edit':
			return editAsked(invocation);
		case 'reference':
			return { say: await addToTray(t, services, invocation, attached[Number(options['which'] ?? 1) - 1]) };
		case 'compose':
			return composeAsked(services, invocation);
		case 'reopen': {
			const first = await services.formDrafts.submission(invocation, id);
			return first ? submitted(services, first) : say(t(NO_LONGER_OPEN));
		}
		default:
			return say(t(OLD));
	}
}
