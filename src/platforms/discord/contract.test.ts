import { platformContract } from '../../../test/contract/platform.ts';
import { openDiscordStage } from '../../../test/fakes/discord-harness.ts';

platformContract('Discord', openDiscordStage);
