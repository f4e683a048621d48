import type { App } from '@slack/bolt';
import { translatorFor } from '../../../i18n/translator.ts';
import type { CallWithRetry } from '../api/calls.ts';
import { codeOf } from '../api/slack-errors.ts';
import { type EventBody, kindOf } from '../transport/dispatch.ts';
import type { Inbound } from './context.ts';
import { isDirect, type MessageEvent } from './message-listener.ts';
import { mentionedIn } from './message-reader.ts';

/** Acknowledges a delivery with a response, where it has any. */
type Acknowledge = (response?: unknown) => Promise<void>;

/**
 * Answers deliveries of workspaces that are not served with a sentence, before any listener: nothing is stored. The home page is left to
 * its listener, which shows the core's answer.
 */
export function registerUnservedWorkspaces(app: App, inbound: Inbound): void {
	const { serves } = inbound;
	if (!serves) return;
	app.use(async (args) => {
		const { context, body, next } = args;
		const server = context['server'] as string | undefined;
		const isServed = server === undefined || serves({ platform: 'slack', server });
		if (isServed || kindOf(body as unknown as EventBody) === 'app_home_opened') return next();
		const acknowledge = 'ack' in args ? (args.ack as Acknowledge | undefined) : undefined;
		try {
			await answer(inbound, server, body as unknown as EventBody, acknowledge);
		} catch (error) {
			inbound.log.warn({ err: error, slack: codeOf(error) }, 'A workspace that is not served could not be told so');
		}
	});
}

async function answer(
	{ installations, responseUrls, call }: Inbound,
	server: string,
	body: EventBody,
	acknowledge: Acknowledge = async () => {},
): Promise<void> {
	const text = translatorFor()('servers.notServed');
	const { command, type, response_url, event } = body;
	if (typeof command === 'string') return acknowledge({ response_type: 'ephemeral', text });
	if (type === 'view_submission') return acknowledge({ response_action: 'update', view: viewOf(text) });
	if (type === 'block_suggestion') return acknowledge({ options: [] });
	if (event !== undefined) {
		const message = event as MessageEvent;
		const self = await installations.of(server);
		if (self && isForBot(message, self.botUser)) await refuseMessage(call, server, message, text);
		return;
	}
	await acknowledge();
	if (typeof response_url === 'string') await responseUrls.postEphemeral(response_url, { text, blocks: [] });
}

/** Slack delivers a mention twice; the event `app_mention` is left out. */
function isForBot(event: MessageEvent, botUser: string): boolean {
	const { type, subtype, text, user, bot_id } = event as MessageEvent & Record<string, unknown>;
	if (type !== 'message' || (subtype !== undefined && subtype !== 'file_share') || bot_id || !user) return false;
	return isDirect(event) || mentionedIn(String(text ?? '')).includes(botUser);
}

async function refuseMessage(call: CallWithRetry, server: string, event: MessageEvent, text: string): Promise<void> {
	const { channel, user, thread_ts } = event as MessageEvent & { user: string; thread_ts?: string };
	const message = { channel, text, ...(thread_ts !== undefined && { thread_ts }) };
	if (isDirect(event))
		await call(server, 'chat.postMessage', (client) => client.chat.postMessage(message), { channel });
	else await call(server, 'chat.postEphemeral', (client) => client.chat.postEphemeral({ ...message, user }));
}

const viewOf = (text: string) => ({
	type: 'modal',
	title: { type: 'plain_text', text: 'Easel' },
	blocks: [{ type: 'section', text: { type: 'plain_text', text } }],
});
