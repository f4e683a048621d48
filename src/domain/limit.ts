/** Calls for pictures, which are taken from the plan and may cost, or turns in chat threads. */
export type CallKind = 'pictures' | 'chat';

/** A cap. Without a target, a cap for channels or members is the default for all of them. */
export type Limit = {
	/** Absent for pictures. */
	what?: CallKind;
	scope: Scope;
	/** The id of the channel, role or member. */
	target?: string;
	period: Period;
	/** The maximum number of calls or chat turns; 0 or more. */
	images: number;
};
export type Scope = 'server' | 'channel' | 'role' | 'member';
export type Period = 'day' | 'month';

/** Returns the kind of call that a limit, a job or a receipt is about. */
export const callKindOf = ({ what = 'pictures' }: { what?: CallKind }): CallKind => what;
