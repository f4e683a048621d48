/** What is counted: calls for pictures, which the plan includes and which may cost, or turns in chat threads. */
export type CallKind = 'pictures' | 'chat';

/** One cap. Without a target it is the channel's or member's default: for every channel, for every member. */
export type Limit = {
	/** Absent for pictures. */
	what?: CallKind;
	scope: Scope;
	/** The channel's, role's or member's id. */
	target?: string;
	period: Period;
	/** Calls, or turns, 0 or more. */
	images: number;
};
export type Scope = 'server' | 'channel' | 'role' | 'member';
export type Period = 'day' | 'month';

/** What something counts; pictures where it does not say. */
export const callKindOf = ({ what = 'pictures' }: { what?: CallKind }): CallKind => what;
