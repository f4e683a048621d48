import { hash } from 'node:crypto';
import type { ButtonPress } from '../../domain/requests.ts';
import { quoted } from '../../domain/text.ts';
import { type Translate, translatorFor } from '../../i18n/translator.ts';
import { sniff } from '../../pictures/sniff.ts';
import { privately } from '../declaration/command.ts';
import { withUploads } from '../pictures/inputs/read-upload.ts';
import type { PictureRequest } from '../repositories/requests.ts';
import type { BotServices } from '../services.ts';
import { type ActionHandler, type ActionResult, say } from './action.ts';
import { maySee } from './may-see.ts';

type AboutServices = Pick<
	BotServices,
	'requests' | 'recentResults' | 'ledger' | 'pictureStore' | 'open' | 'log' | 'stopping'
>;

/** The prompt is shown whole, up to what a message holds beside the other facts. */
const MAX_SHOWN_PROMPT = 1200;

/** Says who made a picture, with which words, model and size, when, and from which pictures. */
export const aboutAction = (services: AboutServices): ActionHandler => ({
	press: (press) => about(services, press),
});

async function about(services: AboutServices, press: ButtonPress): Promise<ActionResult> {
	const t = translatorFor(press.person.locale);
	const found = await findRequest(services, press);
	// The same sentence for what does not exist and for what the person may not see.
	if (!found || !(await maySee(services, press, found.request))) return say(t('about.none'));
	const { job, request, size } = found;
	const { at } =
		(await services.recentResults.find(request.place, request.person, job)) ?? (await services.ledger.find(job)) ?? {};
	return { say: privately(factsOf(t, press, request, size, at)) };
}

type Found = { job: string; request: PictureRequest; size: { width: number; height: number } | undefined };

/** Finds the request by the message, or by the bytes of a picture that somebody has posted again. */
async function findRequest(
	services: AboutServices,
	{ message, attached, person, channel }: ButtonPress,
): Promise<Found | undefined> {
	const own = await services.requests.find(message.key);
	for (const upload of attached) {
		const requester = { place: channel.place, person };
		const { size, digest } = await withUploads(services, requester, [upload], async (read) => {
			const bytes = await read(upload);
			return { size: sniff(bytes), digest: hash('sha256', bytes) };
		});
		if (own) return { job: message.key, request: own, size };
		const job = await services.pictureStore.jobOf(digest);
		const request = job === undefined ? undefined : await services.requests.find(job);
		if (job !== undefined && request) return { job, request, size };
	}
	return undefined;
}

function factsOf(
	t: Translate,
	{ channel }: ButtonPress,
	{ person, prompt, model, inputs, source }: PictureRequest,
	size: Found['size'],
	at: number | undefined,
): string {
	const pictures = Object.keys(inputs).length;
	const facts = [
		t('about.who', { name: quoted(person.name) }),
		t('about.words', { prompt: quoted(prompt, MAX_SHOWN_PROMPT) }),
		model && t('about.model', { model: quoted(model) }),
		size && t('about.size', { size: `${size.width} × ${size.height}` }),
		at !== undefined && t('about.when', { when: channel.when(at) }),
		pictures > 0 && t('about.pictures', { count: pictures }),
		source && (source.link ? t('about.sourceLink', { link: source.link }) : t('about.source')),
	];
	return facts.filter(Boolean).join('\n');
}
