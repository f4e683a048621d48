import { DiscordAPIError, type REST, RESTJSONErrorCodes } from 'discord.js';
import type { Place } from '../../../domain/place.ts';
import { getChannel, startThread } from '../api/channel-requests.ts';

/**
 * Starts a post in a forum. Where the forum requires a tag, the post gets those of the post that it is started from, else the first
 * one that everyone may use.
 * https://docs.discord.com/developers/resources/channel#start-thread-in-forum-or-media-channel
 */
export async function startForumPost(rest: REST, { channel, thread }: Place, title: string) {
	try {
		return await startThread(rest, channel, title, 'post');
	} catch (error) {
		const isTagRequired =
			error instanceof DiscordAPIError && error.code === RESTJSONErrorCodes.TagRequiredToCreateAForumPostInThisChannel;
		const tags = isTagRequired ? await findTags(rest, channel, thread) : [];
		if (tags.length === 0) throw error;
		return await startThread(rest, channel, title, 'post', { applied_tags: tags });
	}
}

/** Moderated tags are left out: only members with *Manage Threads* may set them. */
async function findTags(rest: REST, forum: string, post: string | undefined): Promise<readonly string[]> {
	const [parent, current] = await Promise.all([
		getChannel(rest, forum),
		post === undefined ? undefined : getChannel(rest, post),
	]);
	const available = parent && 'available_tags' in parent ? parent.available_tags : [];
	const open = available.flatMap(({ id, moderated }) => (moderated ? [] : id));
	const applied = ((current && 'applied_tags' in current && current.applied_tags) || []).filter((id) =>
		open.includes(id),
	);
	return applied.length > 0 ? applied : open.slice(0, 1);
}
