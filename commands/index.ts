import { chat } from './chat.ts';
import { compose } from './compose.ts';
import { edit } from './edit.ts';
import { imagine } from './imagine.ts';
import { limitsAllow, limitsDisallow } from './limits/allow.ts';
import { limitsSpoiler } from './limits/spoiler.ts';
import { limitsBan, limitsUnban } from './limits/words.ts';
import {
	limitsBlock,
	limitsClear,
	limitsOverage,
	limitsReport,
	limitsSet,
	limitsSettings,
	limitsShow,
	limitsUnblock,
} from './limits.ts';
import { models } from './models.ts';
import { usage } from './usage.ts';

/** Everything that people can ask for. A new command is one file and one line here. */
export const commands = [
	...[imagine, edit, compose, chat, usage, models],
	...[limitsShow, limitsSet, limitsClear, limitsOverage, limitsReport, limitsSettings, limitsBlock, limitsUnblock],
	...[limitsAllow, limitsDisallow, limitsBan, limitsUnban, limitsSpoiler],
];
