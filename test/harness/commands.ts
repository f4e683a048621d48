import type { CommandDescription, Field } from '../../src/domain/command.ts';

export const prompt: Field = {
	name: 'prompt',
	description: 'Description of the picture',
	required: true,
	kind: 'text',
	minLength: 1,
	maxLength: 2000,
	suggestions: [],
};
const size: Field = {
	name: 'size',
	description: 'Width × height',
	required: false,
	kind: 'text',
	minLength: 0,
	maxLength: 20,
	suggestions: ['1024x1024', '1536x1024', '1024x1536'],
};
export const n: Field = { name: 'n', description: 'How many', required: false, kind: 'integer', min: 1, max: 4 };
const model: Field = {
	name: 'model',
	description: 'Which model draws',
	required: false,
	kind: 'choice',
	choices: ['alpha-image', 'beta'],
};
const chatModel: Field = {
	name: 'model',
	description: 'Which model answers',
	required: false,
	kind: 'text',
	minLength: 0,
	maxLength: 100,
	suggestions: [],
	completed: true,
};
export const hidden: Field = { name: 'private', description: 'Only you see it', required: false, kind: 'flag' };
const picture = (name: string, required = true): Field => ({
	name,
	description: 'A picture, at most 10 MB',
	required,
	kind: 'picture',
});

/** Commands with every kind of field, for tests of platforms without the bot. */
export const COMMANDS: readonly CommandDescription[] = [
	{
		name: 'imagine',
		description: 'Draws a picture from words',
		moderators: false,
		fields: [prompt, size, n, model, hidden],
	},
	{
		name: 'edit',
		description: 'Changes a picture as you say',
		moderators: false,
		fields: [picture('image'), prompt, n, model, hidden],
	},
	{
		name: 'compose',
		description: 'Puts two or three pictures together',
		moderators: false,
		fields: [picture('image1'), picture('image2'), prompt, picture('image3', false), size, n, hidden],
	},
	{
		name: 'chat',
		description: 'Opens a thread to talk in',
		moderators: false,
		fields: [{ ...prompt, required: false }, chatModel],
	},
	{
		name: 'usage',
		description: 'What you used, and what is left',
		moderators: false,
		fields: [{ name: 'member', description: 'Somebody else', required: false, kind: 'person' }],
	},
	{ name: 'models', description: 'What the service offers', moderators: false, fields: [] },
	{
		name: 'limits set',
		description: 'Sets a cap',
		moderators: true,
		fields: [
			{
				name: 'scope',
				description: 'Member',
				required: true,
				kind: 'choice',
				choices: ['server', 'channel', 'role', 'member'],
			},
			{ name: 'images', description: 'How many', required: true, kind: 'integer', min: 0, max: 1_000_000 },
			{ name: 'channel', description: 'Which channel', required: false, kind: 'channel' },
			{ name: 'role', description: 'Which role', required: false, kind: 'role' },
		],
	},
];
