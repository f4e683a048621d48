/** The kinds of calls that are counted: calls for pictures, which the plan includes, and turns in chat threads. */
export type CallKind = 'pictures' | 'chat';

/** One cap. Without a target it applies to every channel, or to every member. */
export type Limit = {
	/** Absent for pictures. */
	what?: CallKind;
	scope: Scope;
	/** The id of the channel, the role or the member. */
	target?: string;
	period: Period;
	/** The most calls or turns in the period, 0 or more. */
	images: number;
};
export type Scope = 'server' | 'channel' | 'role' | 'member';
export type Period = 'day' | 'month';

/** Returns the kind; pictures when it is absent. */
export const callKindOf = ({ what = 'pictures' }: { what?: CallKind }): CallKind => what;
