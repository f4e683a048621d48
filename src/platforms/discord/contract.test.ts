import { backgrounds } from '../../../test/contract/backgrounds.ts';
import { otherServices } from '../../../test/contract/other-services.ts';
import { caps } from '../../../test/contract/platform/caps.ts';
import { messageMenu } from '../../../test/contract/platform/message-menu.ts';
import { resultButtons } from '../../../test/contract/platform/result-buttons.ts';
import { platformContract } from '../../../test/contract/platform.ts';
import { openDiscordHarness } from '../../../test/harness/discord.ts';

platformContract('Discord', (serviceUrl) => openDiscordHarness(serviceUrl));

otherServices('Discord', (url, profile) => openDiscordHarness(url, {}, undefined, profile), ['gemini', 'openrouter']);

backgrounds('Discord', (url) => openDiscordHarness(url, {}, undefined, 'openai'));

// Discord does not say which owners a press has. https://github.com/discord/discord-api-docs/issues/6752
platformContract(
	'Discord, whose interactions have no owners',
	(serviceUrl) => openDiscordHarness(serviceUrl, { integrationOwners: 'missing' }),
	[resultButtons, messageMenu, caps],
);
