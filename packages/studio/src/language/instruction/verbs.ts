/**
 * The verbs of instructions, in English, German, French and Spanish. A clause begins with one; its nouns are read by `readPhrases`,
 * whatever their language.
 */
export const VERBS = {
	remove:
		'remove|delete|erase|get rid of|take away|take out|take off|cut out|drop|lose|hide|eliminate|clear|lift|stop|end|no more|without|no|entferne?|lösche?|nimm|ohne|kein(?:e[nmrs]?)?|weg mit|enlève|enlevez|supprime|supprimez|retire|retirez|efface|sans|plus de|quita|quite|elimina|borra|suprime|sin',
	add: 'add|insert|include|draw|show|with|give me|bring in|throw in|paint in|füge?|ergänze|mit|zeichne|male|ajoute|ajoutez|rajoute|avec|dessine|añade|agrega|incluye|con|dibuja',
	put: 'put|place|set|position|stand|seat|move|stelle|setze|setz|lege|leg|platziere|bewege?|verschiebe?|mets|place|pose|déplace|pon|coloca|pone|mueve',
	replace:
		'replace|swap|exchange|substitute|switch|change|turn|transform|convert|ersetze?|tausche?|ändere|verwandle?|wandle|remplace|remplacez|échange|change|transforme|reemplaza|sustituye|cambia|convierte|transforma',
	make: 'make|let|have|render|paint|colou?r|dye|tint|turn|mach|mache|lass|färbe|male|rends|rendez|fais|peins|colorie|haz|pinta|colorea|vuelve|deja',
	keep: "do not|don[’']t|dont|never|keep|leave|preserve|maintain|nicht|behalte?|lass(?! (?:es|regnen|schneien))|ändere nichts?|garde|gardez|conserve|laisse|ne|mantén|deja|conserva|no (?:cambies|toques|quites|añadas|pongas)",
	write: 'write|letter|caption|title|label|schreibe?|écris|écrivez|escribe',
	zoom: 'zoom|vergrößere|zoome|acerca|aleja',
	size: 'enlarge|shrink|resize|scale|grow|double|halve|vergrößere|verkleinere|agrandis|rétrécis|agranda|encoge|reduce',
} as const;

const ANY_VERB = new RegExp(
	`^(?:${Object.values(VERBS).join('|')}|only|just|more|less|fewer|another|one more|crop|rotate|flip|blur|undo|bring back|double|triple|keep)(?![\\p{L}\\p{N}])`,
	'u',
);

export const startsWithVerb = (clause: string) => ANY_VERB.test(clause);
