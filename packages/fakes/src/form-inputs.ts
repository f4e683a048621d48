import type { Form } from './test-user.ts';

/** The fields of an input. On Discord, one input takes several pictures (`image2+image3`), and `which[]` is a list. */
const fieldsOf = (input: string) => input.replace('[]', '').split('+');

/** The names of a form's fields. */
export const fieldNames = ({ fields }: Form) => fields.flatMap(({ name }) => fieldsOf(name));

/** The name of the input for a field. */
export const inputFor = ({ fields }: Form, field: string) =>
	fields.find(({ name }) => fieldsOf(name).includes(field))?.name ?? field;

/** The note and the descriptions of a form: a platform shows the note where it has room for it. */
export const formText = ({ note, fields }: Form) => [note, ...fields.map(({ description }) => description)].join('\n');
