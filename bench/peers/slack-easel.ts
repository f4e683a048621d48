import { commands } from '../../commands/index.ts';
import { createBot } from '../../src/bot/create-bot.ts';
import { describeCommands } from '../../src/bot/declaration/available-commands.ts';
import { createLog } from '../../src/log.ts';
import { createSlack } from '../../src/platforms/slack/index.ts';
import { ServiceClient } from '../../src/service/client.ts';
import { easelProfile } from '../../src/service/profiles/easel.ts';
import { createOnce } from '../../src/store/once.ts';
import { openStore } from '../../src/store/open-store.ts';

/**
 * Easel on Slack without Slack's rate limits, which are not measured:
 * `slack-easel.ts API BOT_TOKEN APP_TOKEN SERVICE STORE`. Prints `ready`.
 */

const [apiUrl = '', botToken = '', appToken = '', baseUrl = '', storeUrl = ''] = process.argv.slice(2);
const log = await createLog({ level: 'error', format: 'json', secrets: [] });
const store = await openStore(storeUrl);
const space = store.space('slack');
const { platform } = createSlack({
	access: { kind: 'socket', botToken, appToken },
	apiUrl,
	moderators: [],
	commands: describeCommands(commands, easelProfile.capabilities),
	attachmentOrigins: [],
	keyv: space.keyv,
	space,
	once: createOnce(space),
	timing: { rateLimitFactor: 0 },
	log,
});
const models = { image: 'alpha-image', chat: 'chat', embedding: 'embedding' };
const service = new ServiceClient({ baseUrl, apiKey: 'key', timeoutMs: 180_000, models });
const bot = createBot({ commands, service, store, platforms: [platform], log, plan: { price: 30 } });
await bot.start();
await platform.start(bot);
console.log('ready');
