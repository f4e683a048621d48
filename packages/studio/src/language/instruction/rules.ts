import { colourOf } from '../colour-words.ts';
import { readPhrases } from '../read-phrases.ts';
import { NUMBER, numberOf } from './numbers.ts';
import * as read from './readers.ts';
import { done, type Read } from './readers.ts';
import { VERBS } from './verbs.ts';
import { clause } from './words.ts';

type Context = { quoted: (placeholder: string) => string };
type Groups = Readonly<Record<string, string>>;
/** A pattern of a whole clause, and what it asks for; undefined leaves the clause to the rules after it. */
type Rule = readonly [pattern: RegExp, read: (groups: Groups, context: Context) => Read | undefined];

const V = VERBS;
const THE = "(?:the|this|that|its|his|her|their|all|all the|any|every|der|die|das|den|dem|le|la|les|l[’']|el|los|las)";

const TEXT = '(?:text|words?|title|caption|headline|sign|lettering|schrift|texte|texto|writing)';

const rule = (pattern: string, read: Rule[1]): Rule => [clause(pattern), read];

const RULES: readonly Rule[] = [
	// Texts.
	rule(
		`(?:${V.write}|${V.add}|${V.put}|${V.make})(?<before>.*?)(?<quote>⟦\\d+⟧)(?<after>.*)|(?:${THE} )?${TEXT} ?(?:should (?:say|read)|is|:)? ?(?<other>⟦\\d+⟧)(?<around>.*)`,
		({ quote, other, before = '', after = '', around = '' }, { quoted }) =>
			read.writing(quoted(quote ?? other ?? ''), `${before} ${after} ${around}`),
	),
	rule(
		`(?:${V.replace}) .*?(?:${TEXT}|⟦\\d+⟧).*?(?:to|with|by|into|durch|zu|in|par|en|por|a) .*?(?<quote>⟦\\d+⟧).*`,
		({ quote = '' }, { quoted }) => done({ do: 'write', text: quoted(quote), instead: true }),
	),
	rule(`(?:${V.remove}) .*⟦\\d+⟧.*`, () => done({ do: 'unwrite' })),
	rule('(?<before>.*?)(?<quote>⟦\\d+⟧)(?<after>.*)', ({ quote = '', before, after }, { quoted }) =>
		read.writing(quoted(quote), `${before} ${after}`),
	),
	// What is to stay.
	rule(
		'(?:keep|leave|show|behalte|nur|garde|laisse|deja) (?:only|just|nur|seulement|solo) (?<what>.+)|(?:only|just) (?<other>the .+)',
		({ what, other }) => read.only(what ?? other ?? ''),
	),
	rule(
		`(?:${V.keep})(?: .*)?|(?:everything else|the rest|alles andere|le reste|el resto)(?: .*)?|.* (?:as it is|as they are|unchanged|the same|so lassen|comme (?:il|elle) est|como está)`,
		(_, __) => done(),
	),
	// Zoom.
	rule(
		'(?:zoom|go|move|get|come)(?: (?:in|closer|nearer)(?: .*)?)|zoom|(?:a )?(?:closer|close-up)(?: .*)?|näher(?: heran)?|zoome? (?:rein|hinein|avant)|(?:rapproche|acerca).*|hineinzoomen|acércate',
		() => done({ do: 'zoom', factor: 1.5 }),
	),
	rule(
		'(?:zoom|go|move|step|get)(?: (?:out|back|away|farther|further)(?: .*)?)|(?:wider|farther away|from (?:afar|far away|farther away))(?: .*)?|zoome? (?:raus|heraus|arrière)|(?:éloigne|aleja).*|herauszoomen|weiter weg',
		() => done({ do: 'zoom', factor: 1 / 1.5 }),
	),
	// Numbers.
	rule(
		`(?:${V.add}|${V.make})? ?(?:another|one more|noch (?:ein|eine|einen)|un[ea]? autre|otr[oa])(?: one)? (?<what>.+)`,
		({ what = '' }) => {
			const phrases = readPhrases(what);
			return phrases.subjects.length > 0 ? read.surrounding(phrases) : undefined;
		},
	),
	rule(
		`(?:${V.add}|${V.make})? ?${NUMBER} (?:more|weitere|mehr|de plus|más) (?<what>.+)|(?:${V.add}|${V.make})? ?${NUMBER.replace('number', 'count')} (?<thing>.+?) (?:more|de plus|más)`,
		({ number, count, what, thing }) =>
			read.each(what ?? thing ?? '', (target) => ({
				do: 'count',
				what: read.plain(target),
				count: numberOf(number ?? count ?? ''),
				more: true,
			})),
	),
	rule(`(?:${V.add} )?(?:some |a few |many |even )?(?:more|mehr|plus de|más) (?<what>.+)`, ({ what = '' }) =>
		read.more(what),
	),
	rule('(?:less|fewer|weniger|moins de|menos) (?<what>.+)', ({ what = '' }) => read.fewer(what)),
	rule('(?:double|twice)(?: the number of)? (?<what>the .+s)', ({ what = '' }) =>
		read.each(what, (target) => ({ do: 'count', what: read.plain(target), count: 2, more: true })),
	),
	rule(
		`(?:only|just|make it|make that|nur|seulement|solo)(?: only| just)? ${NUMBER} (?<what>.+)|(?:change|set|increase|reduce|ändere) (?:the number of |die anzahl der )(?<thing>.+?) (?:to|auf) ${NUMBER.replace('number', 'count')}`,
		({ number, count, what, thing }) => read.counting(what ?? thing ?? '', numberOf(number ?? count ?? '')),
	),
	// Sizes.
	rule(
		'(?:bring|move|get|take) (?<what>.+?) (?:(?<near>closer|nearer|forward)|farther|further|away|back)(?: .*)?',
		({ what = '', near }) => read.each(what, (target) => ({ do: 'scale', what: target, factor: near ? 1.4 : 1 / 1.4 })),
	),
	rule(`(?:${V.size}) (?<what>.+)`, ({ what = '' }, _) =>
		read.each(what, (target) => ({ do: 'scale', what: target, factor: 1.5 })),
	),
	rule('(?<what>.+?) (?:twice as (?:big|large)|half as (?:big|large))', ({ what = '' }) =>
		read.each(what.replace(/^make /u, ''), (target) => ({ do: 'scale', what: target, factor: 2 })),
	),
	// Colours.
	rule(
		`(?:${V.replace}|${V.make}) (?:the |die |la |le |el )?(?:colou?r|farbe|couleur|color) (?:of|von|des|der|du|de la|de|del) (?<what>.+?) (?:to|into|in|zu|en|a|à) (?<colour>.+)`,
		({ what = '', colour = '' }) => {
			const found = colourOf(colour);
			return found && read.recolour(what, found);
		},
	),
	rule(`(?:${V.replace}|change) (?<what>.+?)[’']s colou?r to (?<colour>.+)`, ({ what = '', colour = '' }) => {
		const found = colourOf(colour);
		return found && read.recolour(what, found);
	}),
	rule(
		'(?<what>.+) (?:should be|is|soll|sollen|doit être|debe ser)(?: now)? (?<how>.+?)(?: sein)?',
		({ what = '', how = '' }) => read.making(`${what} ${how}`),
	),
	rule(
		`(?:${V.replace}|${V.make}) (?:${THE} )?(?:time of day|time|season|weather|place|location|setting|scene|background|backdrop|style|mood|atmosphere|light|lighting|tageszeit|jahreszeit|wetter|ort|hintergrund|stil|stimmung|heure|saison|temps|météo|lieu|fond|ambiance|hora|estación|clima|lugar|fondo|estilo)(?: of (?:the |this )?(?:picture|scene|image))? (?:to|into|with|by|for|zu|in|durch|à|par|en|a|por)? ?(?<to>.+)`,
		({ to = '' }) => {
			const found = colourOf(to.replace(/^an? /u, ''));
			return found ? done({ do: 'surround', by: { tint: found } }) : read.surrounding(readPhrases(to));
		},
	),
	// Replacing.
	rule(
		`(?:${V.replace}) (?<from>.+?) (?:with|by|for|into|to|durch|gegen|zu|in|par|en|contre|por|con|a) (?<to>.+)`,
		({ from = '', to = '' }) =>
			/^(?:it|this|the (?:scene|picture|image)|es|das bild|l[’']image|la imagen)$/u.test(from)
				? read.making(`it ${to}`)
				: read.replacing(from, to),
	),
	rule(
		'(?:use |have |show |draw |i want |put )?(?<to>.+?) (?:instead of|rather than|in place of|statt|anstatt|anstelle von|au lieu de|en lugar de|en vez de) (?<from>.+)',
		({ from = '', to = '' }) => read.replacing(from, to),
	),
	// Giving.
	rule(
		'(?:give|gib|donne|dale?) (?<who>(?:the|him|her|it|them|dem|der|au|à la|al|a la) ?\\S*(?: \\S+)?) (?<what>(?:an?|some|two|three|ein|eine|einen|un|une|una|\\d) .+)',
		({ who = '', what = '' }) => read.giving(who.replace(/^(?:au|à la|al|a la) /u, 'the '), what),
	),
	rule(
		'(?:let|have|make) (?<who>.+?) (?<verb>wear|hold|carry|read) (?<what>.+)',
		({ who = '', what = '', verb = '' }) => read.giving(who, what, verb),
	),
	rule(
		`(?:${V.remove}) (?:everything|all|everyone|alles|tout|todo)(?: else)? (?:except|but|besides|apart from|außer|sauf|excepto|menos)(?: for)? (?<what>.+)`,
		({ what = '' }) => read.only(what),
	),
	// Removing.
	rule(`(?:${V.remove}) (?<what>.+?)(?: (?:weg|away|off|out))?`, ({ what = '' }) => read.removing(what)),
	rule('(?:undo|revert|bring back|restore)(?: .*)?(?<colours> colou?rs?)|in colou?r(?: again)?', () =>
		done({ do: 'undo', kinds: ['look'] }),
	),
	// Adding, placing, making.
	rule(
		'(?:add|put|füge?|ajoute|mets|pon|añade|agrega) (?<what>.+?) (?:to|into|onto|on|for|zu|à|a) (?<who>(?:the|him|her|it|them) ?.*)',
		({ what = '', who = '' }) => read.wearing(what, who),
	),
	rule(`(?:${V.add}) (?<what>.+?)(?: (?:hinzu|dazu|ein))?`, ({ what = '' }) => read.adding(what)),
	rule(`(?:${V.put}) (?<what>.+)`, ({ what = '' }) => read.putting(what)),
	rule(`(?:${V.make}|${V.replace}) (?<what>.+)`, ({ what = '' }) => read.making(what)),
];

/** Reads one clause. @param verb the verb of the clause before, for one that has none: "add a cat, and behind it a dog" */
export function readClause(text: string, quoted: Context['quoted'], verb: string): Read {
	for (const [pattern, readGroups] of RULES) {
		const groups = pattern.exec(text)?.groups ?? (pattern.test(text) ? {} : undefined);
		const result = groups && readGroups(groups as Groups, { quoted });
		if (result) return result;
	}
	const isVerb = (table: string) => new RegExp(`^(?:${table})$`, 'u').test(verb);
	if (verb && isVerb(V.remove)) return read.removing(text) ?? { changes: [], notUnderstood: [text] };
	if (verb && isVerb(V.put)) return read.putting(text) ?? { changes: [], notUnderstood: [text] };
	const bare = read.making(text);
	return bare && bare.changes.length + bare.notUnderstood.length > 0
		? bare
		: { changes: [], notUnderstood: meaningful(text) };
}

/** Clauses that say nothing, such as "thank you", are not worth a word. */
const meaningful = (text: string) =>
	/^(?:it|this|the|a|and|or|so|thanks|thank you|please)?$/u.test(text) ? [] : [text];
