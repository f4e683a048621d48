import type { CallKind, CallOutcome } from '../domain/job.ts';
import type { RequestOutcome } from '../domain/platform.ts';
import type { LayerName } from '../usage/caps.ts';

/** The label of every value that is not in the closed set of its metric. */
const OTHER = 'other';

/** Returns the value if it is one of a closed set. Each further value would be a time series that Prometheus keeps. */
export const oneOf = (values: readonly string[], value: string): string => (values.includes(value) ? value : OTHER);

/** Lists the members of a union. The compiler requires all of them. */
const membersOf = <Member extends string>(members: Record<Member, true>) => Object.keys(members) as Member[];

/** Kinds of requests besides the commands; see `ErrorBoundary.request`. */
export const OTHER_REQUESTS = ['button', 'message', 'unknown'] as const;

export const REQUEST_OUTCOMES = membersOf<RequestOutcome>({
	answered: true,
	refused: true,
	duplicate: true,
	unasked: true,
	unanswered: true,
	succeeded: true,
	failed: true,
	unknown: true,
	running: true,
	done: true,
	stopped: true,
	cut: true,
	interrupted: true,
});

export const CALL_KINDS = membersOf<CallKind>({ pictures: true, chat: true });

export const CALL_OUTCOMES = membersOf<CallOutcome>({ succeeded: true, failed: true, unknown: true });

export const CAP_SCOPES = membersOf<LayerName>({
	plan: true,
	overage: true,
	operatorServer: true,
	operatorMember: true,
	server: true,
	channel: true,
	role: true,
	member: true,
});

/** The words of `Platform.state`. */
export const PLATFORM_STATES = [
	'ready',
	'starting',
	'reconnecting',
	'unreachable',
	'waiting',
	'refused',
	'removed',
	'stopped',
] as const;

/** The statuses of Discord that count as invalid requests. */
export const INVALID_STATUSES = ['401', '403', '429'] as const;
