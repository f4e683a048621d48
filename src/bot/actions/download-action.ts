import type { Upload } from '../../domain/reply.ts';
import { translatorFor } from '../../i18n/translator.ts';
import { parseResultSubject } from '../pictures/result-subject.ts';
import { type ActionHandler, say } from './action.ts';
import { chosenPicture, pictureChoice } from './form-fields.ts';

/** Says where a picture of a result can be downloaded as it was posted; opens a form to choose it where the message has several. */
export const downloadAction: ActionHandler = {
	async press(press, subject) {
		const { attached, person } = press;
		const [only] = attached;
		if (attached.length <= 1) return say(await linkTo(person.locale, only, 0));
		const t = translatorFor(person.locale);
		const fields = [pictureChoice(press, parseResultSubject(subject).first)];
		await press.open({ id: press.button, command: 'download', title: t('buttons.download'), fields });
		return 'answered';
	},
	async submit(submission, subject) {
		const picture = chosenPicture(submission, parseResultSubject(subject).first);
		return say(await linkTo(submission.person.locale, picture, Number(submission.options['which'] ?? 0)));
	},
};

async function linkTo(locale: string | undefined, picture: Upload | undefined, number: number): Promise<string> {
	const t = translatorFor(locale);
	const link = await picture?.link?.();
	return link === undefined ? t('forms.noPicture') : t('results.download', { number, link });
}
