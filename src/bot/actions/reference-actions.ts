import type { Reply, Upload } from '../../domain/reply.ts';
import type { ButtonPress, FormSubmission } from '../../domain/requests.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { privately } from '../declaration/command.ts';
import { withUploads } from '../pictures/inputs/read-upload.ts';
import { whyNotPermitted } from '../pictures/request-permission.ts';
import { parseResultSubject } from '../pictures/result-subject.ts';
import { TRAY_SIZE } from '../repositories/reference-tray.ts';
import type { BotServices } from '../services.ts';
import { type ActionHandlers, type ActionResult, type SubmissionResult, say } from './action.ts';
import { trayButtons } from './compose-form.ts';
import { chosenPicture, pictureChoice } from './form-fields.ts';

/** The actions on a person's references: adding a picture, and clearing the tray. */
export const referenceActions = (services: BotServices): ActionHandlers<'reference' | 'clear'> => ({
	reference: {
		press: (press, subject) => useAsReference(services, press, parseResultSubject(subject).first),
		submit: (submission, subject) => submitChoice(services, submission, parseResultSubject(subject).first),
	},
	clear: {
		async press({ channel, person }) {
			await services.referenceTray.clear(channel.place, person);
			return say(translatorFor(person.locale)('references.cleared'));
		},
	},
});

/** Adds a message's picture to the tray; opens a form to choose it where the message has several. */
async function useAsReference(services: BotServices, press: ButtonPress, first: number): Promise<ActionResult> {
	const t = translatorFor(press.person.locale);
	if (press.attached.length <= 1) return { say: await addToTray(t, services, press, press.attached[0]) };
	await press.open({
		id: press.button,
		command: 'compose',
		title: t('buttons.reference'),
		fields: [pictureChoice(press, first)],
	});
	return 'answered';
}

async function submitChoice(
	services: BotServices,
	submission: FormSubmission,
	first: number,
): Promise<SubmissionResult> {
	const t = translatorFor(submission.person.locale);
	return { say: await addToTray(t, services, submission, chosenPicture(submission, first)) };
}

async function addToTray(
	t: Translate,
	services: BotServices,
	{ channel, person }: Pick<ButtonPress, 'person' | 'channel'>,
	picture: Upload | undefined,
): Promise<Reply> {
	if (!picture) return privately(t('references.noPicture'));
	const refusal = await whyNotPermitted(services, channel, person);
	if (refusal !== undefined) return privately(refusal);
	const { place } = channel;
	const count = await withUploads(services, { place, person }, [picture], async (read) =>
		services.referenceTray.add(place, person, await read(picture)),
	);
	const more = count < TRAY_SIZE ? t('references.next', { label: t('buttons.reference') }) : t('references.full');
	return {
		...privately(`${t('references.kept', { count })} ${more}`),
		buttons: trayButtons(t),
	};
}
