/**
 * The rules, by number. Rules 1, 2, 10, 12, 13, 16, 17 and unapproved pictures (15), negative counters (6), replaced answers (7) and the order of log entries (9) are
 * checked at every step, rule 5 every few hundred steps, and the others at the end of a run.
 */
export const RULES: Record<number, string> = {
	1: 'no call is reserved beyond a cap in force',
	2: 'the service accepts at most one call for each delivery',
	3: 'a call that the service accepted is delivered, or kept and offered, or stays counted and its person is told',
	4: 'after recovery no job is open, and no message says that work is in progress',
	5: 'counters equal the sum of receipts, and every ended job has a receipt',
	6: 'a refund goes to the counters that the call was taken from, so that each window counts its own calls and no others',
	7: 'every counted request ends in an answer, whose text agrees with the records',
	8: 'every picture of a delivered result is shown once, wherever it is delivered',
	9: 'the moderation log reports a picture once, and not before it is delivered or kept',
	10: 'no call is reserved that the policy of its server denies at that moment',
	11: 'a call of unknown outcome stays counted',
	12: 'a process shows no progress of a job that another process has claimed',
	13: 'a job is claimed only from a process that has ended, or whose lease has lapsed',
	14: 'what a process has left behind is answered soon after its lease is over',
	15: 'a picture in review is shown once a moderator has approved it, or as the server has set, and never otherwise',
	16: 'no call is sent while calls are paused',
	17: 'what is reserved and settled for calls never passes a cap in money: the most that a call may cost, then what it has cost',
};
