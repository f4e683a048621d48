import type { Button } from '../domain/channel.ts';
import { encodeActionId, parseActionId } from '../domain/command.ts';

/** The pictures of a result that one of its messages shows, as the subject of that message's buttons. */
export type ResultSubject = {
	job: string;
	/** The index of the message's first picture in the whole result. */
	first: number;
};

/** Reads a subject: `job` under the message with the first picture, `job#2` under the one that begins with the third. */
export function parseResultSubject(subject: string): ResultSubject {
	const [job = '', first = '0'] = subject.split('#');
	return { job, first: Number(first) || 0 };
}

/** The actions that apply to a picture of their message, so that they have to know which pictures it shows. */
const OF_PICTURES: readonly (string | undefined)[] = ['edit', 'vary', 'reference', 'download'];

/** Returns the buttons of a result for the message that begins with the picture at this index. */
export const buttonsFrom = (buttons: readonly Button[], first: number): Button[] =>
	buttons.map((button) => {
		const id = parseActionId(button.id);
		if (first === 0 || !id || !OF_PICTURES.includes(id.action)) return button;
		return { ...button, id: encodeActionId({ ...id, subject: `${id.subject}#${first}` }) };
	});
