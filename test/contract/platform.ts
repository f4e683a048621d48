import { describe } from 'vitest';
import { altTexts } from './platform/alt-texts.ts';
import { caps } from './platform/caps.ts';
import { chatAnswers } from './platform/chat-answers.ts';
import { chatContext } from './platform/chat-context.ts';
import { chatMessages } from './platform/chat-messages.ts';
import { chatPictures } from './platform/chat-pictures.ts';
import { chatThreads } from './platform/chat-threads.ts';
import { chatTools } from './platform/chat-tools.ts';
import { consent } from './platform/consent.ts';
import { createContractTest, type OpenHarness, type ServiceApi } from './platform/contract-test.ts';
import { failures } from './platform/failures.ts';
import { find } from './platform/find.ts';
import { history } from './platform/history.ts';
import { languages } from './platform/languages.ts';
import { messageMenu } from './platform/message-menu.ts';
import { moderation } from './platform/moderation.ts';
import { moderationLog } from './platform/moderation-log.ts';
import { money } from './platform/money.ts';
import { pictureRequests } from './platform/picture-requests.ts';
import { privacy } from './platform/privacy.ts';
import { refusals } from './platform/refusals.ts';
import { resultButtons } from './platform/result-buttons.ts';
import { unservedServers } from './platform/unserved-servers.ts';

const PARTS = [
	pictureRequests,
	altTexts,
	failures,
	refusals,
	resultButtons,
	find,
	history,
	messageMenu,
	caps,
	money,
	chatThreads,
	chatAnswers,
	chatMessages,
	chatContext,
	chatPictures,
	chatTools,
	moderation,
	moderationLog,
	privacy,
	consent,
	languages,
	unservedServers,
];

/**
 * Tests what every platform does, as its users see it: `platformContract('Discord', openDiscordHarness)`.
 *
 * @param parts all by default
 * @param api Easel's own by default
 */
export function platformContract(platform: string, open: OpenHarness, parts = PARTS, api?: ServiceApi): void {
	const test = createContractTest(open, api);
	describe(`on ${platform}`, () => {
		for (const part of parts) part(test);
	});
}
