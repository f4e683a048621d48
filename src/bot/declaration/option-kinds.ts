import { z } from 'zod';
import type { Upload } from '../../domain/reply.ts';
import type { MessageId } from '../../i18n/catalogues.ts';

/** Longer than the ids of any platform. */
const MAX_ID = 64;

/** A picture that the person brings: a file on Discord and in the sandbox, a file input on Slack. */
export const picture = (description: MessageId) => z.custom<Upload>(isUpload).meta({ field: 'picture', description });

/** The id of a person of the server. */
export const member = (description: MessageId) => idOf('person', description);

/** The id of a channel. */
export const channel = (description: MessageId) => idOf('channel', description);

/** The id of a channel that the bot can post in: not a category or a forum. */
export const postableChannel = (description: MessageId) => idOf('channel', description).meta({ postable: true });

/** The id of a channel that people can make requests in: not a category. A thread counts as its channel. */
export const requestableChannel = (description: MessageId) => idOf('channel', description).meta({ requestable: true });

/** The id of a role, or of a user group. */
export const role = (description: MessageId) => idOf('role', description);

const idOf = (field: 'person' | 'channel' | 'role', description: MessageId) =>
	z.string().min(1).max(MAX_ID).meta({ field, description }).brand<'id'>();

export const isUpload = (value: unknown): value is Upload =>
	typeof value === 'object' && value !== null && 'read' in value && typeof value.read === 'function';
