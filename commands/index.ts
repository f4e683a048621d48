import { chat } from './chat.ts';
import { limitsAllow, limitsBan, limitsBlock, limitsDisallow, limitsUnban, limitsUnblock } from './limits/access.ts';
import { limitsClear, limitsGrant, limitsOverage, limitsRefund, limitsSet } from './limits/caps.ts';
import { limitsReport, limitsShow } from './limits/rules.ts';
import { limitsReview, limitsSettings, limitsSpoiler } from './limits/settings.ts';
import { limitsTry } from './limits/try.ts';
import { find, help, history, models, privacyErase, privacyExport, privacyMine, privacyShow, usage } from './own.ts';
import { compose, edit, imagine, vary } from './pictures.ts';

/** All commands, in the order in which they are listed. A new command is one file, one line here, and its messages. */
export const commands = [
	imagine,
	edit,
	compose,
	vary,
	chat,
	help,
	usage,
	history,
	find,
	models,
	privacyShow,
	privacyExport,
	privacyErase,
	privacyMine,
	limitsShow,
	limitsSet,
	limitsClear,
	limitsOverage,
	limitsGrant,
	limitsRefund,
	limitsReport,
	limitsSettings,
	limitsBlock,
	limitsUnblock,
	limitsAllow,
	limitsDisallow,
	limitsBan,
	limitsUnban,
	limitsSpoiler,
	limitsReview,
	limitsTry,
];
