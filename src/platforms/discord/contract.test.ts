import { platformContract } from '../../../test/contract/platform.ts';
import { openDiscordStage } from '../../../test/fakes/discord-stage.ts';

platformContract('Discord', openDiscordStage);
