import { screenedText } from '../bot/declaration/command.ts';
import { refusalOf } from '../bot/messages/usage-messages.ts';
import type { Policy } from '../bot/moderation/policy.ts';
import type { Channel } from '../domain/channel.ts';
import type { CallOutcome, Job } from '../domain/job.ts';
import type { Person } from '../domain/place.ts';
import type { Easel } from '../easel.ts';
import { SentenceError } from '../i18n/sentence-error.ts';
import { translatorFor } from '../i18n/translator.ts';
import type { Ledger } from '../usage/ledger.ts';
import type { Settings } from '../usage/settings.ts';
import { type ParsedRequest, PictureJob, type Reservation } from './picture-job.ts';

/** The requests of a member that wait at once: each keeps its pictures meanwhile, and no cap may count it. */
const MAX_WAITING = 10;

/** Runs paid requests for pictures, each once. */
export class PictureJobs {
	readonly #easel: Easel;

	constructor(easel: Easel) {
		this.#easel = easel;
	}

	/**
	 * Runs one request to its answer. Whatever fails or is aborted on the way, the reservation is settled and the person gets an answer.
	 * Rejects only when the call could not be reserved.
	 * @returns how it ended, or why it was refused
	 */
	async run(request: ParsedRequest): Promise<CallOutcome | 'duplicate' | SentenceError> {
		const work = async () => {
			const reservation = await this.#reserve(request);
			if (typeof reservation !== 'object' || !('job' in reservation)) return reservation;
			this.#easel.ownJobs.reserved(request.id);
			return new PictureJob(this.#easel, request, reservation).run();
		};
		// A second delivery must not settle the first one's job.
		return (await this.#easel.ownJobs.run(request.id, work, memberOf(request))) ?? 'duplicate';
	}

	#checkLine(request: ParsedRequest, settings: Settings): Settings | SentenceError {
		if (this.#easel.ownJobs.countOf(memberOf(request)) <= settings.atOnce + MAX_WAITING) return settings;
		return new SentenceError('policy.waiting', { count: MAX_WAITING });
	}

	async #reserve(request: ParsedRequest): Promise<Reservation | 'duplicate' | SentenceError> {
		const { policy, ledger } = this.#easel;
		const { id, command, options, person, channel } = request;
		const { place } = channel;
		const asking = { channel, person, text: screenedText(command, options) };
		const checked = await policy.checkPictures(asking);
		const settings = checked instanceof SentenceError ? checked : this.#checkLine(request, checked);
		// The first delivery of a request may have been allowed; the second does not change its answer.
		if (settings instanceof SentenceError) return (await ledger.has(id)) ? 'duplicate' : settings;
		const isOurs = await this.#easel.lease.guard();
		const job = await ledger.reserve({
			id,
			command: command.name,
			place,
			person: requesterOf(person),
			roles: person.roles,
			settings,
			message: { place, key: id },
			checkPolicy: policy.checkerOf('pictures', asking),
		});
		if (job === 'duplicate') return job;
		if (!('state' in job)) return refusalOf(translatorFor(person.locale), job, channel);
		return { job, settings, isOurs };
	}
}

const memberOf = ({ channel, person }: ParsedRequest) =>
	`${channel.place.platform}:${channel.place.server}:${person.id}`;

/** The part of a person that is stored with their requests. */
const requesterOf = ({ id, name, locale }: Person): Job['person'] => ({ id, name, ...(locale && { locale }) });

type Parts = { policy: Policy; ledger: Ledger };

/**
 * Returns why a person cannot make pictures here at present, by the moderators' rules or a cap; undefined when they can. It is checked
 * before pictures are kept for someone who has not made a request yet.
 */
export async function whyNotPermitted(
	{ policy, ledger }: Parts,
	channel: Channel,
	person: Person,
): Promise<SentenceError | undefined> {
	const violation = await policy.checkPerson({ channel, person });
	if (violation) return violation;
	const reached = await ledger.capReached(channel.place, { id: person.id, roles: person.roles });
	return reached && refusalOf(translatorFor(person.locale), reached, channel);
}
