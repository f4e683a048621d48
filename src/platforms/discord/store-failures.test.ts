import { storeFailures } from '../../../test/contract/store-failures.ts';
import { openDiscordHarness } from '../../../test/harness/discord.ts';

storeFailures('Discord', (serviceUrl, storeUrl) => openDiscordHarness(serviceUrl, {}, storeUrl));
