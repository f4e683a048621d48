import type { CommandDescription, Form } from '../../../../domain/command.ts';
import type { StoredFile } from '../../server/store.ts';
import { newId, send } from '../api.ts';
import { DropDialog } from '../dialogs.ts';
import { checkFiles, isMaybePicture, pictureProblem, sizeProblem } from '../files.ts';
import { byId, h } from '../html.ts';
import type { Message, Page } from '../page.ts';
import { remember, remembered } from '../storage.ts';
import { t } from '../texts.ts';
import {
	beginFilling,
	commandIn,
	fillPictures,
	given,
	pictureFields,
	readOptions,
	splitFiles,
	textFor,
	type Values,
} from './options.ts';

/** A form of the bot, the id of the request that has opened it, and the pictures of its message. */
export type OpenedForm = { form: Form; press: string; channel: string; pictures: readonly StoredFile[] };

/** The inputs of a command or of a form of the bot, whose title is the description, in place of the message box. */
export type Card = { command: CommandDescription; opened?: OpenedForm; values: Values };

/** What a person is about to send in a channel. A text or file stays until it was sent. */
export type Draft = { text: string; files: readonly File[]; replyTo?: Message; card?: Card };

/** The drafts of all channels, and how they are sent: one at a time. A draft that is sent again after a failure is the same request. */
export class Drafts {
	readonly #page: Page;
	readonly #drafts = new Map<string, Draft>();
	#id = newId();
	isBusy = false;
	/** Enter came while another draft was being sent. */
	#isWaiting = false;

	constructor(page: Page) {
		this.#page = page;
	}

	get current(): Draft {
		return this.#draftIn(this.#page.shown);
	}

	/** Changes the draft. It is another request from now on. */
	change(change: Partial<Draft>, channel = this.#page.shown): void {
		const draft = { ...this.#draftIn(channel), ...change };
		this.#drafts.set(channel, draft);
		// A text survives a reload of the page; files and forms cannot.
		remember(this.#keyOf(channel), textOf(draft), 'sessionStorage');
		this.#id = newId();
		this.#page.set({ error: '' });
	}

	send(): void {
		const page = this.#page;
		const { files, replyTo, card } = this.current;
		const text = this.current.text.trim();
		const max = page.limits.ownText;
		this.#isWaiting = this.isBusy;
		if (this.#isWaiting) return;
		const typed = commandIn(text, page.commands);
		const [command = ''] = /^\/[a-z]\S*/i.exec(text) ?? [];
		if (card) this.#runDraft(card.command, card.values);
		else if (typed) this.#sendTyped(typed.command, typed.rest);
		else if (command) page.set({ error: this.#reasonAgainst(command.slice(0, 40)) });
		else if (text.length > max) page.set({ error: t('sandbox.server.textTooLong', { max }) });
		else if (text !== '' || files.length > 0) {
			const input = { as: page.me, channel: page.shown, id: this.#id, text, replyTo: replyTo?.number };
			const parts = files.map((file) => ({ part: 'file', file }));
			void this.#attempt(async () => page.add(await send<Message>('messages', input, parts)));
		}
	}

	#reasonAgainst(command: string): string {
		const { commands } = this.#page.snapshot;
		const isElsewhere = commands.some(({ name }) => `/${name.split(' ')[0]}` === command.toLowerCase());
		return t(isElsewhere ? 'sandbox.command.moderators' : 'sandbox.command.unknown', { command });
	}

	/** Runs a typed command with the files of the draft, or opens its card when something is missing or unclear. */
	#sendTyped(command: CommandDescription, rest: string): void {
		const { files } = this.current;
		const { options, unclear } = readOptions(command, rest, this.#page.directory);
		const { values, left } = fillPictures(command.fields, options, files);
		const isMissing = command.fields.some(({ name, required }) => required && !(name in given(values)));
		const isOpen = isMissing || unclear || left.length > 0 || files.some(pictureProblem);
		if (isOpen && command.fields.length > 0) this.openCard(command, options, files, unclear);
		else this.#runDraft(command, values);
	}

	#runDraft(command: CommandDescription, values: Values): void {
		void this.#attempt(() => this.run(command, values, this.#id, this.current.card?.opened?.form.id));
	}

	/** Runs a command, or submits a form. Its answer and its forms are for this tab. */
	run({ name: command }: CommandDescription, values: Values, id = newId(), form?: string): Promise<unknown> {
		const { me, shown: channel, requests } = this.#page;
		const { options, parts } = splitFiles(values);
		requests.add(id);
		return send('commands', { as: me, channel, id, command, options, form }, parts);
	}

	choose(command: CommandDescription): void {
		if (command.fields.length > 0) this.openCard(command, {}, this.current.files);
		else this.#runDraft(command, {});
	}

	/** @param unclear what was typed and is no value of the command */
	openCard(command: CommandDescription, values: Values, files: readonly File[], unclear?: string): void {
		this.change({ text: '', files: [], card: { command, values: beginFilling(command.fields, values) } });
		this.#fillCard(files);
		if (unclear) this.#page.set({ error: t('sandbox.command.unclear', { text: unclear }) });
	}

	/** Opens a form of the bot in its channel, beside the draft. */
	openForm(opened: OpenedForm): void {
		const { command: name, title: description, fields, values = {} } = opened.form;
		const command = { name, description, fields, moderators: false };
		const card = { command, opened, values: beginFilling(fields, values) };
		this.change({ ...withoutCard(this.#draftIn(opened.channel)), card }, opened.channel);
		this.focus();
	}

	/** Closes the card, if there is one. The values of a command become the draft. */
	leaveCard(): void {
		if (!this.current.card) return;
		this.change(withoutCard(this.current));
		this.focus();
	}

	/** Focuses the message box, or what a card needs: the first input that is missing, else the last text, else the first input or its button. */
	focus(): void {
		this.#page.afterRender(() => {
			const inCard = (inputs: string) => document.querySelectorAll<HTMLElement>(`.card ${inputs}`);
			const missing = inCard(':is(input, textarea, select):invalid')[0];
			const text = [...inCard(':is(textarea, input:not([type]))')].at(-1);
			(missing ?? text ?? inCard('.field :is(input, select), [type=submit]')[0] ?? byId('words'))?.focus();
		});
	}

	/** Takes files that were dropped, pasted or chosen: for the command at hand, else asks what they are for. */
	take(files: readonly File[]): void {
		const page = this.#page;
		const { card, text } = this.current;
		if (files.length === 0 || page.dialog) return;
		const typed = commandIn(text, page.commands);
		if (card && (card.opened || pictureFields(card.command).length > 0)) this.#fillCard(files);
		else if (typed && pictureFields(typed.command).length > 0) {
			const { options, unclear } = readOptions(typed.command, typed.rest, page.directory);
			this.openCard(typed.command, options, [...this.current.files, ...files], unclear);
		} else {
			const max = page.limits.fileBytes;
			const { good, problem } = checkFiles(files, (file) => sizeProblem(file, max));
			if (good.some(isMaybePicture)) page.set({ dialog: h(DropDialog, { page, files: good }) });
			else if (good.length > 0) this.attach(good);
			if (problem) page.set({ error: problem });
		}
	}

	attach(files: readonly File[]): void {
		this.leaveCard();
		this.change({ files: [...this.current.files, ...files] });
		this.focus();
	}

	/** Puts files into the picture inputs of the card, in order, and the others into the tray. */
	#fillCard(files: readonly File[]): void {
		const { card } = this.current;
		if (!card) return;
		const { fields, name: command } = card.command;
		const max = pictureFields(card.command).length;
		const { good, problem } = checkFiles(files, (file) => (max > 0 ? pictureProblem(file) : undefined));
		const { left, values } = fillPictures(fields, card.values, good);
		this.change({ card: { ...card, values }, files: left });
		this.focus();
		const isTooMany = left.length > 0 && max > 0;
		const tooMany = t('sandbox.command.tooManyFiles', { command, max, count: left.length });
		this.#page.set({ error: isTooMany ? tooMany : (problem ?? '') });
	}

	/** Sends, and clears what was sent: not what the person has changed meanwhile. When that fails, the draft stays. */
	async #attempt(request: () => Promise<unknown>): Promise<void> {
		if (this.isBusy) return;
		this.isBusy = true;
		// The person may go elsewhere meanwhile.
		const { shown: channel } = this.#page;
		const sent = this.current;
		this.#page.changed();
		await this.#page.attempt(async () => {
			await request();
			const { text, files, replyTo, card } = this.#draftIn(channel);
			const cleared = {
				text: text === sent.text ? '' : text,
				files: files.filter((file) => !sent.files.includes(file)),
				replyTo: replyTo === sent.replyTo ? undefined : replyTo,
			};
			this.change({ ...(!sent.card?.opened && cleared), card: card === sent.card ? undefined : card }, channel);
			if (channel === this.#page.shown) this.focus();
		});
		this.isBusy = false;
		this.#page.changed();
		if (this.#isWaiting) this.send();
	}

	#draftIn(channel: string): Draft {
		return this.#drafts.get(channel) ?? { text: remembered(this.#keyOf(channel), 'sessionStorage'), files: [] };
	}

	#keyOf(channel: string): string {
		return `easel.draft.${this.#page.me}.${channel}`;
	}
}

/** Returns a draft without its card, from which it takes the values of a command. */
function withoutCard(draft: Draft): Draft {
	const { card, files } = draft;
	const parts = card && !card.opened ? splitFiles(card.values).parts : [];
	return { ...draft, card: undefined, text: textOf(draft), files: [...files, ...parts.map(({ file }) => file)] };
}

/** Returns a draft as text: a command with its values, unless there are none. */
function textOf({ text, card }: Draft): string {
	if (!card || card.opened) return text;
	const { options, parts } = splitFiles(card.values);
	return Object.keys(options).length + parts.length === 0 ? '' : textFor(card.command, options);
}
