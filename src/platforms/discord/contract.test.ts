import { platformContract } from '../../../test/contract/platform.ts';
import { openDiscordHarness } from '../../../test/harness/discord.ts';

platformContract('Discord', openDiscordHarness);
