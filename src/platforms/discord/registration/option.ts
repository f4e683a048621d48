import { type APIApplicationCommandBasicOption, ApplicationCommandOptionType } from 'discord.js';
import type { Field } from '../../../domain/command.ts';
import { channelTypesOf } from '../api/channel-types.ts';
import { MAX_CHOICES } from '../api/limits.ts';
import { type Localize, localizedDescription, localizedName } from './localize.ts';

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-option-structure */
const MAX_OPTION_TEXT = 6000;

/** The option of a command for one of its fields. */
export function optionOf(field: Field, localize: Localize): APIApplicationCommandBasicOption {
	const { name, description, required } = field;
	const common = { ...localizedName(name, localize), ...localizedDescription(description, localize), required };
	switch (field.kind) {
		case 'text': {
			const text = {
				...common,
				type: ApplicationCommandOptionType.String as const,
				...(field.minLength > 0 && { min_length: field.minLength }),
				max_length: Math.min(field.maxLength, MAX_OPTION_TEXT),
			};
			return field.completed || field.suggestions.length > 0 ? { ...text, autocomplete: true } : text;
		}
		case 'choice': {
			const text = { ...common, type: ApplicationCommandOptionType.String as const };
			if (field.choices.length > MAX_CHOICES) return { ...text, autocomplete: true };
			const choices = field.choices.map((value) => ({ ...localizedName(value, localize), value }));
			return { ...text, choices };
		}
		case 'integer':
			return {
				...common,
				type: ApplicationCommandOptionType.Integer,
				min_value: field.min,
				max_value: field.max,
			};
		case 'picture':
			return { ...common, type: ApplicationCommandOptionType.Attachment, file_types: ['image'] };
		case 'flag':
			return { ...common, type: ApplicationCommandOptionType.Boolean };
		case 'person':
			return { ...common, type: ApplicationCommandOptionType.User };
		case 'channel': {
			const channel_types = channelTypesOf(field);
			return {
				...common,
				type: ApplicationCommandOptionType.Channel,
				...(channel_types && { channel_types }),
			};
		}
		case 'role':
			return { ...common, type: ApplicationCommandOptionType.Role };
		case 'choices':
			throw new TypeError(`${name}: a command option cannot take several choices`);
	}
}
