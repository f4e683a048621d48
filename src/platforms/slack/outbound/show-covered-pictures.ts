import type { Place } from '../../../domain/place.ts';
import { messageBlocksOf } from '../api/blocks.ts';
import type { SlackApi } from '../api/slack-api.ts';
import type { People } from '../people/people.ts';
import type { CoveredPictures } from './covered-pictures.ts';
import type { SlackFiles } from './files/slack-files.ts';
import type { PrivateReplies } from './private-replies.ts';
import type { SlackRequester } from './slack-requester.ts';
import type { TranslateErrors } from './translate-errors.ts';

type ShowOptions = {
	covered: CoveredPictures;
	api: SlackApi;
	files: SlackFiles;
	privateReplies: PrivateReplies;
	people: People;
	translateErrors: TranslateErrors;
};

/** See `createShowCoveredPictures`. */
export type ShowCoveredPictures = (
	button: string,
	place: Place,
	requester: SlackRequester,
	key: string,
) => Promise<boolean>;

/**
 * Returns a function that posts the covered pictures of a button to the person who pressed it, as a direct message under a key. It
 * returns false when they are no longer stored.
 */
export function createShowCoveredPictures(options: ShowOptions): ShowCoveredPictures {
	const { covered, api, files, privateReplies, people, translateErrors } = options;
	return async (button, place, requester, key) => {
		const images = await covered.find(button);
		if (!images) return false;
		const { server } = place;
		await translateErrors(server, async () => {
			const channel = place.direct ? place.channel : await api.openDirect(server, requester.user);
			const ids = images.map(({ file }) => file);
			const show = () => api.post({ server, channel }, messageBlocksOf('', images, []), key);
			const message = await files.whenProcessed(server, ids, show);
			if (place.direct) return;
			const address = await api.permalink(message).catch(() => undefined);
			const t = people.translator(server, requester.user);
			await privateReplies.postLink(place, t('slack.shownDirect'), address, requester);
		});
		return true;
	};
}
