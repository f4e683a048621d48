import type { SeenMessage } from '../../test-user.ts';
import { type Component, textOf, withinAll } from '../schemas/components.ts';
import type { Message, Server, StoredFile } from '../world/model.ts';
import type { World } from '../world/world.ts';

/** A message as a user sees it, with the names of what it mentions. */
export function seen(world: World, server: Server | undefined, message: Message): SeenMessage {
	const components = withinAll(message.components);
	const pictures = message.files.filter(({ type }) => type.startsWith('image/'));
	return {
		id: message.id,
		text: textOf(message)
			.replace(/<@!?(\d+)>/g, (all, id) => (world.userById(id) ? `@${world.userById(id)?.name}` : all))
			.replace(/<#(\d+)>/g, (all, id) => (world.channels.has(id) ? `#${world.channels.get(id)?.name}` : all))
			.replace(/<@&(\d+)>/g, (all, id) => (server?.roles.has(id) ? `@${server.roles.get(id)?.name}` : all)),
		pictures: pictures.map((file) => ({
			bytes: new Uint8Array(file.bytes),
			alt: altText(file, components),
			...(file.spoiler && { spoiler: true as const }),
		})),
		files: message.files.filter((file) => !pictures.includes(file)).map(({ name }) => name),
		buttons: components.flatMap(({ type, label }) => (type === 2 ? (label ?? '') : [])),
		private: message.only !== undefined,
	};
}

/** The description of a picture in a layout takes precedence over that of its file. */
function altText({ id, name, description }: StoredFile, components: readonly Component[]): string {
	const items = components.flatMap(
		(component) => (component['items'] ?? []) as { media: { url: string }; description?: string }[],
	);
	const item = items.find(({ media: { url } }) => url === `attachment://${name}` || url.includes(`/${id}/`));
	return item?.description ?? description ?? '';
}
