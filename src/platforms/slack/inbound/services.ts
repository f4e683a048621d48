import type { Keyv } from 'keyv';
import type { CommandDescription } from '../../../domain/command.ts';
import type { Inbox } from '../../../domain/platform.ts';
import type { Log } from '../../../log.ts';
import type { RateLimiter } from '../api/rate-limiter.ts';
import type { Web } from '../api/web.ts';
import type { Installations } from '../installation/installation.ts';
import type { AgentSessions } from '../outbound/agent-sessions.ts';
import type { SlackChannels } from '../outbound/channels.ts';
import type { Streams } from '../outbound/streams.ts';
import type { Dedupe } from './dedupe.ts';
import type { People } from './people.ts';
import type { SlackFileReader } from './uploads.ts';

/** What the listeners share. */
export type SlackServices = {
	web: Web;
	limiter: RateLimiter;
	streams: Streams;
	sessions: AgentSessions;
	installations: Installations;
	channels: SlackChannels;
	people: People;
	uploads: SlackFileReader;
	seen: Dedupe;
	commands: readonly CommandDescription[];
	keyv: Keyv;
	log: Log;
	/** Undefined before the start and after the stop. */
	inbox(): Inbox | undefined;
};
