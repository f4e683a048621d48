import type { Field } from '../../../domain/command.ts';
import { type References, readTypedOptions as readOptions, type TypedOptions } from '../../shared/typed-options.ts';
import type { Decode } from './message-reader.ts';

/** https://docs.slack.dev/interactivity/implementing-slash-commands#escaping */
const MENTIONS: Readonly<Record<Parameters<References['mentioned']>[0], RegExp>> = {
	person: /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/,
	channel: /^<#([CG][A-Z0-9]+)(?:\|[^>]*)?>$/,
	role: /^<!subteam\^(S[A-Z0-9]+)(?:\|[^>]*)?>$/,
};
const IDS = { person: /^[UW][A-Z0-9]{6,}$/, channel: /^[CG][A-Z0-9]{6,}$/, role: /^S[A-Z0-9]{6,}$/ };

/**
 * Reads the text after a command. A person, channel or group that was typed by name instead of as a mention is unclear, and has to be
 * chosen.
 *
 * @param decode turns the markup of a text option into words; ids are taken from it before
 */
export const readTypedOptions = (fields: readonly Field[], text: string, decode: Decode): TypedOptions =>
	readOptions(fields, text, {
		mentioned: (kind, word) => MENTIONS[kind].exec(word)?.[1],
		named: (kind, value) => (IDS[kind].test(value) ? value : undefined),
		plain: decode,
	});
