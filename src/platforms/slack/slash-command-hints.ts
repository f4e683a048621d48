import type { CommandDescription, Field } from '../../domain/command.ts';
import { translatorFor } from '../../i18n/translator.ts';

/** https://docs.slack.dev/reference/app-manifest */
const MAX_USAGE_HINT = 1000;

/**
 * Returns a command for the manifest. `limits set` and `limits show` are one command at Slack, `/limits`, whose text begins with `set`
 * or `show`.
 */
export function slashCommand(name: string, members: readonly CommandDescription[]) {
	const [first] = members;
	if (members.length === 1 && first?.name === name) {
		const hint = usageOf(first.fields);
		return {
			command: `/${name}`,
			description: translatorFor('en').declared(first.description),
			...(hint && { usage_hint: hint }),
		};
	}
	const subcommands = members.map((member) => [member.name.slice(name.length + 1), usageOf(member.fields)] as const);
	const words = subcommands.map(([word]) => word).join(', ');
	// Slack shows the hint beside the text that is being typed, where it has to be short.
	const hint = subcommands.map(([word, usage]) => (usage ? `${word} …` : word)).join(' | ');
	return {
		command: `/${name}`,
		description: `${groupDescription(members)}: ${words}`,
		usage_hint: hint.slice(0, MAX_USAGE_HINT),
	};
}

const groupDescription = (members: readonly CommandDescription[]) =>
	members.every(({ moderators }) => moderators) ? 'For moderators' : 'One of';

/** Returns the options of a command as `readSlashText` reads them. A picture cannot be typed; the first text takes the rest. */
function usageOf(fields: readonly Field[]): string {
	const typed = fields.filter(({ kind }) => kind !== 'picture');
	const text = typed.find(({ kind }) => kind === 'text');
	const parts = typed.map((field) => {
		if (field.required) return placeholderOf(field);
		return field === text || isReference(field)
			? `[${placeholderOf(field)}]`
			: `[${field.name}:${placeholderOf(field)}]`;
	});
	return parts.join(' ');
}

const isReference = ({ kind }: Field) => kind === 'person' || kind === 'channel' || kind === 'role';

function placeholderOf(field: Field): string {
	if (field.kind === 'choice') return field.choices.length <= 4 ? field.choices.join('|') : field.name;
	if (field.kind === 'flag') return 'yes';
	if (field.kind === 'integer' && !field.required) return `${field.min}-${field.max}`;
	return isReference(field) ? `${field.kind === 'channel' ? '#' : '@'}${field.name}` : field.name;
}
