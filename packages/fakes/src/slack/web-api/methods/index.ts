import type { Methods } from '../method.ts';
import { appMethods } from './app.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods } from './files.ts';
import { userMethods } from './users.ts';
import { viewMethods } from './views.ts';

/** All methods that take a bot token. */
export const METHODS: Methods = {
	...chatMethods,
	...fileMethods,
	...viewMethods,
	...userMethods,
	...conversationMethods,
	...appMethods,
};
