import type { Channel, Reply } from '../domain/channel.ts';
import type { Person } from '../domain/place.ts';
import type { ButtonPress, FormSubmission, Invocation, Request, RequestOutcome } from '../domain/platform.ts';
import { clip, quoted } from '../domain/text.ts';
import type { Easel } from '../easel.ts';
import { translatorFor } from '../i18n/translator.ts';
import type { PictureJobs } from '../jobs/picture-jobs.ts';
import { whyNotPermitted } from '../jobs/request-permission.ts';
import { withUploads } from '../requests/read-upload.ts';
import { separateUploads } from '../requests/requests.ts';
import type { ActionRegistry } from './action-registry.ts';
import { type ActionResult, actionButton } from './declaration/actions.ts';
import { type Command, contextOf, privately, screenedText } from './declaration/command.ts';
import { parseOptions } from './declaration/options.ts';
import { postRefusal } from './error-boundary.ts';
import { saveDraft } from './results/drafts.ts';

/** Applies when a command comes from an action. */
type ActionOrigin = {
	/** Runs once the options have been found valid. */
	accepted?: () => Promise<void>;
	/** The form that is kept when the options are refused. */
	draft?: Invocation;
};

/**
 * Returns an invocation with its person as the platform knows them: a role that makes moderators in the core makes nobody exempt from
 * the rules of the platform's own server.
 */
const asSent = (invocation: Invocation, { person }: Request): Invocation => ({ ...invocation, person });

/** Takes a request to its answer: finds the command, parses its options, checks the permission, runs it, posts the reply. */
export class RequestDispatcher {
	readonly #easel: Easel;
	readonly #pictureJobs: PictureJobs;
	readonly #actions: ActionRegistry;

	constructor(easel: Easel, pictureJobs: PictureJobs, actions: ActionRegistry) {
		this.#easel = easel;
		this.#pictureJobs = pictureJobs;
		this.#actions = actions;
	}

	async press(press: ButtonPress): Promise<RequestOutcome> {
		return this.follow(await this.#actions.press(press), press);
	}

	async submit(submission: FormSubmission): Promise<RequestOutcome> {
		const result = await this.#actions.submit(submission);
		if (typeof result === 'string') return result;
		if ('say' in result) return this.follow(result, submission);
		const { draft = submission } = result;
		if ('refused' in result) return this.#refuseInput(draft, result.refused);
		return this.invoke(asSent(result.invoke, submission), { ...result, draft });
	}

	async invoke(invocation: Invocation, from: ActionOrigin = {}): Promise<RequestOutcome> {
		const { catalogue, moderatorRole } = this.#easel;
		const { id, options, channel } = invocation;
		const t = translatorFor(invocation.person.locale);
		const command = catalogue.find(invocation.command);
		if (!command) {
			const person = await moderatorRole.tryApply(invocation.person, channel.place);
			const sentence = t('help.noCommand', { command: quoted(`/${invocation.command}`) });
			return postRefusal(channel, id, `${sentence} ${catalogue.help(t, person)}`);
		}
		const person = await this.#withRights(command, invocation);
		if (command.moderators && !person.moderator)
			return postRefusal(channel, id, t('policy.moderators', { command: `/${command.name}` }));
		const parsed = parseOptions(t, command, catalogue.fields(command.name), options);
		if ('refused' in parsed) return this.#refuseInput(from.draft ?? invocation, parsed.refused);
		await from.accepted?.();
		return this.#run(command, parsed.options, { ...invocation, person }, from.draft ?? invocation);
	}

	/** Posts the reply of an action, or invokes its command. */
	async follow(result: ActionResult, request: Request): Promise<RequestOutcome> {
		if (typeof result === 'string') return result;
		if ('invoke' in result) return this.invoke(asSent(result.invoke, request), result);
		await request.channel.post(result.say, request.id);
		return 'answered';
	}

	/** Requests for pictures and chats need no rights of moderators. */
	async #withRights({ makes, moderators }: Command, { person, channel }: Request): Promise<Person> {
		const { moderatorRole } = this.#easel;
		if (moderators) return moderatorRole.apply(person, channel.place);
		return makes === 'answer' ? moderatorRole.tryApply(person, channel.place) : person;
	}

	/** @param input the invocation, or the form that it comes from */
	async #run(
		command: Command,
		options: Record<string, unknown>,
		invocation: Invocation,
		input: Invocation,
	): Promise<RequestOutcome> {
		const { id, person, channel, source } = invocation;
		if (command.makes === 'pictures') {
			const keepDraft = () => this.#keepDraft({ ...input, options: separateUploads(input.options).options });
			const ended = await this.#pictureJobs.run({ id, command, options, person, channel, source, keepDraft });
			return typeof ended === 'object' ? postRefusal(channel, id, ended.refused) : ended;
		}
		const context = { ...contextOf(this.#easel, person, channel), options };
		if (command.makes === 'thread') {
			const opening = await command.run(context);
			return this.follow(await this.#easel.chat.open(opening, screenedText(command, options), invocation), invocation);
		}
		const answer = await command.run(context);
		const reply = typeof answer === 'string' ? privately(answer) : answer;
		try {
			await postAnswer(channel, reply, id);
		} catch (error) {
			if (!reply.files) throw error;
			this.#easel.log.warn({ err: error }, 'A file could not be posted');
			return postRefusal(channel, id, translatorFor(person.locale)('errors.fileNotPosted'));
		}
		return 'answered';
	}

	#keepDraft(input: Invocation): Promise<void> {
		const { attached = [], channel, person } = input;
		const uploads = [...attached, ...separateUploads(input.options).uploads.map(([, upload]) => upload)];
		const requester = { place: channel.place, person };
		return withUploads(this.#easel, requester, uploads, (read) => saveDraft(this.#easel, input, read));
	}

	/**
	 * Posts what is wrong with a form or with the options of a command, with a button that opens the form filled in with them. Pictures
	 * are kept for those only who are permitted to make pictures.
	 */
	async #refuseInput(input: Invocation, sentence: string): Promise<RequestOutcome> {
		const { id, channel, person, options, attached = [] } = input;
		if (attached.length > 0 || separateUploads(options).uploads.length > 0) {
			const refusal = await whyNotPermitted(this.#easel, channel, person);
			if (refusal !== undefined) return postRefusal(channel, id, refusal);
		}
		try {
			await this.#keepDraft(input);
		} catch (error) {
			this.#easel.log.warn({ err: error }, 'A form could not be kept for another attempt');
			return postRefusal(channel, id, sentence);
		}
		const buttons = [actionButton(translatorFor(person.locale), 'reopen', id)];
		await channel.post({ text: sentence, visibility: 'private', buttons }, id, {
			ifAbsent: true,
			withoutStore: true,
		});
		return 'refused';
	}
}

/** Posts a reply in as many messages as its lines need. Its files and buttons are with the last one. */
export async function postAnswer(channel: Channel, { text, visibility, ...rest }: Reply, key: string): Promise<void> {
	const texts = splitByLines(text, channel.limits.text);
	for (const [index, part] of texts.entries()) {
		const isLast = index === texts.length - 1;
		await channel.post(
			{ text: part, ...(visibility && { visibility }), ...(isLast && rest) },
			index === 0 ? key : `${key}.${index}`,
		);
	}
}

/** Splits a text between lines. A line that is longer than `max` is clipped. */
function splitByLines(text: string, max: number): string[] {
	const [first = '', ...lines] = text.split('\n').map((line) => clip(line, max));
	const texts: string[] = [];
	let last = first;
	for (const line of lines) {
		if (last.length + 1 + line.length <= max) last += `\n${line}`;
		else {
			texts.push(last);
			last = line;
		}
	}
	return [...texts, last];
}
