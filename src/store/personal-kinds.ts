/**
 * How `/privacy erase` treats a kind of entry:
 *
 * - `deleted`: with everything in it
 * - `unnamed`: it stays, without the name and with no words of the person
 * - `kept`: it stays as it is until its lifetime is over, because it holds caps, or because it names nobody
 */
export type ErasureRule = 'deleted' | 'unnamed' | 'kept';

/**
 * What an erasure does with each kind of the table `KINDS` that is about a person or a thread, by space and prefix. The tests fail
 * for such a kind that is missing here, and for one that is deleted or unnamed but has no eraser.
 */
export const ERASURE_RULES: Readonly<Record<string, Readonly<Record<string, ErasureRule>>>> = {
	ledger: {
		'job:': 'unnamed',
		'gate:': 'kept',
		'closed:': 'kept',
		'owner:': 'kept',
		'claim:': 'kept',
		'cancel:': 'kept',
		'receipt:': 'unnamed',
		'totals:': 'unnamed',
		'audit:': 'unnamed',
		'erased:': 'kept',
	},
	chats: {
		'thread:': 'kept',
		'first:': 'kept',
		'next:': 'kept',
		'entry:': 'deleted',
		'waiting:': 'kept',
		'seen:': 'kept',
		'opened:': 'kept',
		'stop:': 'kept',
	},
	recent: { '': 'deleted' },
	search: { '': 'deleted' },
	waiting: { 'answer:': 'deleted', '': 'deleted' },
	requests: { '': 'deleted' },
	log: { 'entry:': 'deleted', 'held:': 'deleted' },
	pictures: {
		...{ 'address:': 'kept', 'made:': 'kept' },
		...{ 'kept:': 'deleted', 'original:': 'deleted', 'input:': 'deleted', 'brought:': 'deleted' },
	},
	forms: { '': 'deleted' },
	tray: { '': 'deleted' },
	uploads: { 'bytes:': 'kept', '': 'deleted' },
	files: { 'file:': 'deleted', objects: 'deleted' },
	discord: { 'home:': 'kept', 'locale:': 'deleted', 'direct:': 'deleted', 'form:': 'kept' },
	slack: { 'form:': 'kept', 'stop:': 'kept' },
	sandbox: { 'message:': 'deleted', 'form:': 'kept', 'thread-tally:': 'kept', 'thread:': 'kept' },
	erasures: { 'task:': 'deleted', 'done:': 'kept', 'recent:': 'kept' },
};
