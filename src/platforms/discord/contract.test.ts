import { platformContract } from '../../../test/contract/platform.ts';
import { openDiscordHarness } from '../../../test/fakes/discord-harness.ts';

platformContract('Discord', openDiscordHarness);
