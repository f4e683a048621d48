import { readClause } from '../../packages/studio/src/language/instruction/read-clause.ts';
import { readComposition } from '../../packages/studio/src/language/read-composition.ts';
import { readInstruction } from '../../packages/studio/src/language/read-instruction.ts';
import { withoutColour } from '../../packages/studio/src/scene/captions/wording.ts';
import { containsBannedWord } from '../../src/bot/moderation/words/banned-words.ts';
import { commandAtStart } from '../../src/domain/typed-options.ts';
import { keywordRulesOf, PatternCompiler } from '../../src/platforms/discord/automod.ts';

const EDITS = ['make the fox bigger', 'put a cat and a dog', 'put it behind the tree', 'three cats'];
const COMPOSITIONS = ['put the fox of image 1 under the tree in image 2', 'put the fox of image 1 into image 2'];
const KEYWORDS = { keyword_filter: ['word', '*any*'], regex_patterns: [], allow_list: ['a word'] };

/** Calls the code that puts patterns together only when it runs. */
export function putTogether(): void {
	for (const text of EDITS) readInstruction(text);
	for (const text of COMPOSITIONS) readComposition(text, 3);
	readClause('it', 'remove');
	withoutColour('red fox');
	containsBannedWord(['bad word', 'worse*', 'evil'], 'a text', 'de');
	const applies = { enabled: true, event_type: 1, trigger_type: 1, actions: [{ type: 1 }] };
	keywordRulesOf({ ...applies, trigger_metadata: KEYWORDS } as never, new PatternCompiler(() => {}));
	commandAtStart([{ name: 'limits set' }], 'limits set');
}
