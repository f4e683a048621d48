/**
 * Every sentence that people read, as the code says it, in ICU message syntax; the other languages are keyed by these.
 * https://unicode-org.github.io/icu/userguide/format_parse/messages/
 */
export const en = [
	'Only moderators may use {command}.',
	'There is no picture in this message.',
	'Which picture of the message',
	'Which pictures of the message',
	'A further picture: then they are composed, this one first',
	'With further pictures: width x height of what they become',
	'Edit image',
	'Compose images',
	'`size` is for several pictures: one that is edited keeps its size. Add a picture, or leave it out.',
	'`model` is for one picture: a composition has its own. Leave it out, or the further pictures.',
	'Your references were kept for an hour and are gone; choose them anew.',
	'You have chosen {count} references already, which is the most.',
	'Compose',
	'Start over',
	'Image {number}: your reference.',
	'Image {number}: from this message.',
	'What you choose comes next, then the files.',
	'`which` names pictures of the message, each once: 1 to {count}.',
	'`which` is missing: choose the pictures of the message.',
	'That makes {count} pictures; a composition takes two or three.',
	'This form is no longer kept; please start again.',
	'Try again',
] as const;

export type Message = (typeof en)[number];

/** All sentences in one language. */
export type Catalogue = Readonly<Record<Message, string>>;
