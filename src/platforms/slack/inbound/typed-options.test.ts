import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../../commands/index.ts';
import { describeCommand } from '../../../bot/declaration/options.ts';
import type { Field } from '../../../domain/command.ts';
import { readTypedOptions } from '../../../domain/typed-options.ts';
import { PROFILES } from '../../../service/profiles.ts';
import { referencesBy } from './commands.ts';
import { decoderFor } from './message-reader.ts';

const fieldsOf = (name: string): readonly Field[] => {
	const command = commands.find((one) => one.name === name);
	if (!command) throw new Error(`There is no /${name}`);
	return describeCommand(command, PROFILES.easel.capabilities).fields;
};
const decode = await decoderFor({ namesIn: async () => new Map() }, 'T1', '');
const read = (command: string, text: string) => readTypedOptions(fieldsOf(command), text, referencesBy(decode));

describe('the text after a command', () => {
	test.each([
		['imagine', 'a red fox', { prompt: 'a red fox' }],
		[
			'imagine',
			'a red fox size:1024x1024 n:2 private:true',
			{ prompt: 'a red fox', size: '1024x1024', n: '2', private: 'true' },
		],
		['imagine', 'size:1024x1024 a red fox', { size: '1024x1024', prompt: 'a red fox' }],
		['imagine', 'prompt:"a red: fox" n:2', { prompt: 'a red: fox', n: '2' }],
		['imagine', 'prompt:“a red fox” n:2', { prompt: 'a red fox', n: '2' }],
		['imagine', 'prompt:a red fox n:2', { prompt: 'a red fox', n: '2' }],
		['imagine', 'size:1024x1024 Prompt: a red fox', { size: '1024x1024', prompt: 'a red fox' }],
		['imagine', 'n:2 prompt = a red fox', { n: '2', prompt: 'a red fox' }],
		['imagine', 'a sign with prompt:fox', { prompt: 'a sign with prompt:fox' }],
		['imagine', '"a red fox"', { prompt: 'a red fox' }],
		['imagine', 'the word "fox" in red', { prompt: 'the word "fox" in red' }],
		[
			'imagine',
			'Star Wars: a new hope, at 12:30 https://x.y/z',
			{ prompt: 'Star Wars: a new hope, at 12:30 https://x.y/z' },
		],
		['imagine', '3 foxes &lt;b&gt; R&amp;D', { prompt: '3 foxes <b> R&D' }],
		['imagine', 'for <@U123ABC|ada>', { prompt: 'for @ada' }],
		['imagine', 'a red fox private: yes, n: 2', { prompt: 'a red fox', private: 'yes', n: '2' }],
		['imagine', 'a red fox size: wide', { prompt: 'a red fox', size: 'wide' }],
		['imagine', 'a red fox size:wide, n:2', { prompt: 'a red fox', size: 'wide', n: '2' }],
		['imagine', '赤いキツネ　size：wide', { prompt: '赤いキツネ', size: 'wide' }],
		['imagine', 'prompt：a red fox', { prompt: 'a red fox' }],
		['imagine', 'a red fox n : 2', { prompt: 'a red fox', n: '2' }],
		['imagine', 'a red fox private:yes!', { prompt: 'a red fox', private: 'yes' }],
		['imagine', 'a red fox size:1024x1024. n:2.', { prompt: 'a red fox', size: '1024x1024', n: '2' }],
		['imagine', 'a red fox n=2 size: 16:9', { prompt: 'a red fox', n: '2', size: '16:9' }],
		['imagine', 'y=2 where n=many', { prompt: 'y=2 where n=many' }],
		['imagine', '»a red fox« n:2', { prompt: 'a red fox', n: '2' }],
		['imagine', 'prompt:”a red fox” n:2', { prompt: 'a red fox', n: '2' }],
		['imagine', '「赤いキツネ」 n：２', { prompt: '赤いキツネ', n: '２' }],
		['imagine', 'the ratio : 2 of a wide plain', { prompt: 'the ratio : 2 of a wide plain' }],
		['imagine', 'a sign: size: of a house', { prompt: 'a sign: size: of a house' }],
		['edit', 'make it night', { prompt: 'make it night' }],
		['chat', 'Tell me of foxes', { prompt: 'Tell me of foxes' }],
		['usage', '<@U123ABC|ada>', { member: 'U123ABC' }],
		['limits set', 'server month 100', { scope: 'server', period: 'month', images: '100' }],
		['limits set', 'month server 100', { scope: 'server', period: 'month', images: '100' }],
		['limits set', 'Server month 100 chat', { scope: 'server', period: 'month', images: '100', what: 'chat' }],
		[
			'limits set',
			'channel day 5 <#C0AAAAA1|general>',
			{ scope: 'channel', period: 'day', images: '5', channel: 'C0AAAAA1' },
		],
		[
			'limits set',
			'role <!subteam^S123456|@team> day 5',
			{ scope: 'role', role: 'S123456', period: 'day', images: '5' },
		],
		[
			'limits set',
			'scope:member period:day images:5 member:<@W123ABCD>',
			{ scope: 'member', period: 'day', images: '5', member: 'W123ABCD' },
		],
		['limits set', 'planet day 1', { scope: 'planet', period: 'day', images: '1' }],
		['limits overage', '2.50', { usd: '2.50' }],
		['limits settings', 'Europe/Berlin', { time_zone: 'Europe/Berlin' }],
		['limits settings', 'cooldown:10 at_once:2', { cooldown: '10', at_once: '2' }],
		['limits block', '<@U123ABC>', { member: 'U123ABC' }],
		['limits block', 'member: <@U123ABC>.', { member: 'U123ABC' }],
		[
			'limits set',
			'member <@U123ABCD|ada>, month 10',
			{ scope: 'member', member: 'U123ABCD', period: 'month', images: '10' },
		],
		['limits settings', 'time_zone:Europe/Berlin cooldown:10', { time_zone: 'Europe/Berlin', cooldown: '10' }],
		['limits report', '2026-11', { month: '2026-11' }],
	])('is read: /%s %s', (command, text, options) => {
		expect(read(command, text)).toEqual({ options, left: '', unclear: [] });
	});

	test('may be empty', () => {
		expect(read('imagine', '  ')).toEqual({ options: {}, left: '', unclear: [] });
	});

	test('leaves words that belong to no field, and fields with a name instead of a mention', () => {
		expect(read('limits set', 'server month 100 please now')).toMatchObject({ left: 'please now' });
		expect(read('privacy show', 'me everything')).toEqual({ options: {}, left: 'me everything', unclear: [] });
		expect(read('limits block', '@ada')).toEqual({ options: {}, left: '', unclear: ['member'] });
		expect(read('usage', '@ada')).toEqual({ options: {}, left: '', unclear: ['member'] });
		expect(read('usage', 'ada')).toEqual({ options: {}, left: 'ada', unclear: [] });
		expect(read('limits block', 'member:ada')).toEqual({ options: {}, left: '', unclear: ['member'] });
	});

	test('keeps any quoted value of a named field', () => {
		const escaped = (value: string) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
		const quoted = (value: string) => `"${escaped(value).replace(/[\\"“”„«»「」『』]/g, '\\$&')}"`;
		const values = fc.record({
			prompt: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
			size: fc.string({ minLength: 1, maxLength: 12 }),
			n: fc.integer().map(String),
		});
		fc.assert(
			fc.property(values, (options) => {
				const text = Object.entries(options).map(([name, value]) => `${name}:${quoted(value)}`);
				expect(read('imagine', text.join(' '))).toEqual({ options, left: '', unclear: [] });
			}),
		);
	});

	test('may be any text, and a prompt keeps all its words', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
				const { left, options } = read('imagine', text);
				expect(left).toBe('');
				if (text.trim() !== '' && !/[:"“”„«»「『<&`]/.test(text)) expect(options['prompt']).toBe(text.trim());
				read('limits set', text);
			}),
		);
	});
});
