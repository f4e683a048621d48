import type { ViewOutput } from '@slack/bolt';
import { expect, test } from 'vitest';
import { translatorFor } from '../../../i18n/translator.ts';
import { readAnswers } from './forms.ts';

/** Reads a form of inputs, each with its answer. */
function read(inputs: Record<string, { element: object; optional?: boolean; answer?: object }>, least = {}) {
	const blocks = Object.entries(inputs).map(([block_id, { element, optional }]) => ({
		type: 'input',
		block_id,
		element,
		optional,
	}));
	const values = Object.fromEntries(
		Object.entries(inputs).map(([name, { element, answer }]) => [name, { [name]: { ...element, ...answer } }]),
	);
	return readAnswers({ blocks, state: { values } } as unknown as ViewOutput, least, translatorFor());
}

test('reads every kind of input, and leaves out empty ones', () => {
	const { values, files, errors } = read({
		prompt: { element: { type: 'plain_text_input' }, answer: { value: 'a :fox_face: at 10:30' } },
		n: { element: { type: 'number_input' }, answer: { value: '2' } },
		size: { element: { type: 'static_select' }, answer: { selected_option: { value: 'large' } } },
		which: { element: { type: 'multi_static_select' }, answer: { selected_options: [{ value: '1' }, { value: '3' }] } },
		private: { element: { type: 'checkboxes' }, answer: { selected_options: [{ value: 'true' }] } },
		member: { element: { type: 'users_select' }, answer: { selected_user: 'U1' } },
		channel: { element: { type: 'conversations_select' }, answer: { selected_conversation: 'C1' } },
		model: { element: { type: 'static_select' }, optional: true, answer: { selected_option: null } },
		image1: { element: { type: 'file_input' }, answer: { files: [{ id: 'F1' }] } },
		image2: { element: { type: 'file_input' }, optional: true, answer: { files: [] } },
	});
	expect(errors).toEqual({});
	expect(files).toEqual({ image1: { id: 'F1' } });
	expect(values).toEqual({
		prompt: 'a 🦊 at 10:30',
		n: 2,
		size: 'large',
		which: ['1', '3'],
		private: true,
		member: 'U1',
		channel: 'C1',
	});
});

test.each([
	['a missing answer', { prompt: { element: { type: 'plain_text_input' } } }, 'prompt'],
	['a text of white space', { prompt: { element: { type: 'plain_text_input' }, answer: { value: '  ' } } }, 'prompt'],
	[
		'too few choices',
		{ which: { element: { type: 'multi_static_select' }, answer: { selected_options: [{ value: '1' }] } } },
		'which',
	],
])('returns an error at the input for %s', (_, inputs, name) => {
	expect(read(inputs, { which: 2 }).errors).toEqual({ [name]: expect.any(String) });
});
