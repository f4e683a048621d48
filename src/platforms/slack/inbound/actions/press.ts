import type { MessageHandle } from '../../../../domain/place.ts';
import type { Inbox } from '../../../../domain/platform.ts';
import { translatorFor } from '../../../../i18n/translator.ts';
import { choosesPictures, type Forms } from '../../forms/forms.ts';
import type { SlackChannels } from '../../outbound/channels.ts';
import type { CoveredPictures } from '../../outbound/covered-pictures.ts';
import type { ShowCoveredPictures } from '../../outbound/show-covered-pictures.ts';
import type { People } from '../../people/people.ts';
import type { Dedupe } from '../dedupe.ts';
import type { IncomingFiles } from '../files/incoming-files.ts';
import type { SlackFile } from '../files/slack-file.ts';
import type { SlackActionContext } from './action-context.ts';
import type { ActionRunner } from './action-runner.ts';

export type PressOptions = {
	runner: ActionRunner;
	channels: SlackChannels;
	people: People;
	files: IncomingFiles;
	forms: Forms;
	dedupe: Dedupe;
	coveredPictures: CoveredPictures;
	showCoveredPictures: ShowCoveredPictures;
};

/** A press on a button, or a choice from the menu of a message. */
type Press = {
	/** An action id. */
	button: string;
	message: MessageHandle;
	/** Slack's permission to open one form. */
	triggerId: string;
	/** The pictures of the message. */
	pictures: readonly SlackFile[];
};

/** Hands a press to the core, unless it was delivered before. */
export async function press(
	{ runner, channels, people, files, forms, dedupe }: PressOptions,
	context: SlackActionContext,
	inbox: Inbox,
	{ button, message, triggerId, pictures }: Press,
): Promise<void> {
	const { id, server, requester } = context;
	const { responseUrl } = requester;
	const [person, place] = await Promise.all([people.person(server, requester.user), runner.resolvePlace(context)]);
	if (!(await dedupe.first(`${server}:${id}`))) return;
	await inbox.press({
		id,
		button,
		person,
		message: { ...message, place: { ...message.place, ...(place.direct && { direct: true }) } },
		channel: channels.channel(place, requester),
		attached: pictures.map((file) => files.upload(server, file)),
		async open({ id: form, ...shown }) {
			const attached = pictures.map((file) => file.id);
			const state = { place, form, attached, ...(responseUrl && { responseUrl }) };
			// A covered picture is shown only to those who want to see it.
			const isShown = choosesPictures(shown) || (pictures.length === 1 && !pictures[0]?.covered);
			await forms.open(
				{ server, person: person.id },
				triggerId,
				shown,
				state,
				translatorFor(person.locale),
				isShown ? attached : [],
			);
		},
	});
}
