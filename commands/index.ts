import { chat } from './chat.ts';
import { compose } from './compose.ts';
import { edit } from './edit.ts';
import { find } from './find.ts';
import { history } from './history.ts';
import { imagine } from './imagine.ts';
import { limitsAllow, limitsDisallow } from './limits/allow.ts';
import { limitsBan, limitsUnban } from './limits/ban.ts';
import { limitsBlock, limitsUnblock } from './limits/block.ts';
import { limitsClear, limitsSet } from './limits/caps.ts';
import { limitsGrant, limitsRefund } from './limits/grant.ts';
import { limitsOverage } from './limits/overage.ts';
import { limitsReport } from './limits/report.ts';
import { limitsReview } from './limits/review.ts';
import { limitsSettings } from './limits/settings.ts';
import { limitsShow } from './limits/show.ts';
import { limitsSpoiler } from './limits/spoiler.ts';
import { models } from './models.ts';
import { privacyErase } from './privacy/erase.ts';
import { privacyExport } from './privacy/export.ts';
import { privacyShow } from './privacy/show.ts';
import { usage } from './usage.ts';
import { vary } from './vary.ts';

/** All commands, in the order in which they are listed. A new command is one file, one line here, and its messages. */
export const commands = [
	imagine,
	edit,
	compose,
	vary,
	chat,
	usage,
	history,
	find,
	models,
	privacyShow,
	privacyExport,
	privacyErase,
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
];
