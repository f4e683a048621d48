import { expect, test } from 'vitest';
import { OWN_MENTION, withoutOwnMentions } from './text.ts';

test.each([
	['@ draw a fox', 'draw a fox'],
	['@, draw a fox', 'draw a fox'],
	['@: draw a fox', 'draw a fox'],
	['@! draw a fox', 'draw a fox'],
	['@ – draw a fox', 'draw a fox'],
	['@，画一只狐狸', '画一只狐狸'],
	['@ -20 degrees outside', '-20 degrees outside'],
	['what do you see here? @', 'what do you see here?'],
	['what do you see here, @?', 'what do you see here?'],
	['make it night @', 'make it night'],
	['hey @, make it night', 'hey, make it night'],
	['hey, @: make it night', 'hey: make it night'],
	['hey @ make it night', 'hey make it night'],
	['hey\n@\nmake it night', 'hey\nmake it night'],
	['@ @ forget', 'forget'],
	['forget @', 'forget'],
	['**@** draw a fox', 'draw a fox'],
	['||@||, `@` draw a fox', 'draw a fox'],
	['@ :fox: in the snow', ':fox: in the snow'],
	['@', ''],
	['これは何、@？', 'これは何？'],
	['mail me at a@b.c', 'mail me at a@b.c'],
])('%s', (text, expected) => {
	const mentioned = expected.includes('@') ? text : text.replaceAll('@', OWN_MENTION);
	expect(withoutOwnMentions(mentioned)).toBe(expected);
});
