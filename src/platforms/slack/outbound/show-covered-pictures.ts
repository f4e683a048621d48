import type { Place } from '../../../domain/place.ts';
import { messageBlocksOf } from '../api/blocks.ts';
import type { Messages } from '../api/messages.ts';
import type { People } from '../people/people.ts';
import type { CoveredPictures } from './covered-pictures.ts';
import type { SlackFiles } from './files.ts';
import type { SlackPosts } from './posts.ts';
import type { SlackRequester } from './slack-requester.ts';

type ShowOptions = {
	covered: CoveredPictures;
	messages: Messages;
	files: SlackFiles;
	posts: SlackPosts;
	people: People;
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
	const { covered, messages, files, posts, people } = options;
	return async (button, place, requester, key) => {
		const images = await covered.find(button);
		if (!images) return false;
		const { server } = place;
		await posts.translateErrors({ place, requester }, async () => {
			const channel = place.direct ? place.channel : await messages.openDirect(server, requester.user);
			const ids = images.map(({ file }) => file);
			const show = () => messages.post({ server, channel }, messageBlocksOf('', images, []), key);
			const message = await files.whenProcessed(server, ids, show);
			const sentence = people.translator(server, requester.user)('slack.shownDirect');
			if (!place.direct) await posts.postLink(place, sentence, message, requester);
		});
		return true;
	};
}
