import type { Catalogue } from './en.ts';

export const de: Catalogue = {
	imagine: 'zeichne',
	prompt: 'prompt',
	size: 'größe',
	n: 'anzahl',
	model: 'modell',
	private: 'privat',
	edit: 'bearbeite',
	image: 'bild',
	compose: 'kombiniere',
	image1: 'bild1',
	image2: 'bild2',
	image3: 'bild3',
	chat: 'chat',
	mentions_only: 'nur_erwähnungen',
	usage: 'verbrauch',
	member: 'mitglied',
	models: 'modelle',
	limits: 'limits',
	show: 'zeigen',
	set: 'setzen',
	scope: 'bereich',
	server: 'server',
	channel: 'kanal',
	role: 'rolle',
	period: 'zeitraum',
	day: 'tag',
	month: 'monat',
	images: 'bilder',
	what: 'was',
	pictures: 'bilder',
	clear: 'entfernen',
	overage: 'mehrverbrauch',
	usd: 'usd',
	report: 'bericht',
	settings: 'einstellungen',
	time_zone: 'zeitzone',
	language: 'sprache',
	notices: 'hinweise',
	log: 'protokoll',
	off: 'aus',
	cooldown: 'wartezeit',
	at_once: 'gleichzeitig',
	block: 'sperren',
	unblock: 'entsperren',
	allow: 'erlauben',
	disallow: 'nicht_erlauben',
	ban: 'verbieten',
	words: 'wörter',
	unban: 'nicht_verbieten',
	spoiler: 'spoiler',
	on: 'an',
	which: 'welches',
	'Open a thread to talk in': 'Einen Thread zum Reden öffnen',
	'What to begin with': 'Womit es losgehen soll',
	'Which model answers; /models lists them': 'Welches Modell antwortet; /models zeigt sie',
	'`{option}` is not the name of a model; /models lists them.': '`{option}` ist kein Modellname; /models zeigt sie.',
	'Answer only what mentions me': 'Nur antworten, wenn ich erwähnt werde',
	'Chat with {name}': 'Chat mit {name}',
	'Make one picture from two or three': 'Aus zwei oder drei Bildern eines machen',
	'Composing {prompt}': 'Kombiniere {prompt}',
	'The first picture, "image 1" in the prompt': 'Das erste Bild, „image 1“ im Prompt',
	'The second picture, "image 2" in the prompt': 'Das zweite Bild, „image 2“ im Prompt',
	'How to put them together; call them image 1, image 2, image 3':
		'Wie sie zusammenkommen; nenne sie image 1, image 2, image 3',
	'The third picture, "image 3" in the prompt': 'Das dritte Bild, „image 3“ im Prompt',
	'Change a picture by an instruction': 'Ein Bild nach Anweisung ändern',
	'Editing {prompt}': 'Bearbeite {prompt}',
	'The picture to change': 'Das Bild, das geändert werden soll',
	'What to change': 'Was geändert werden soll',
	'Draw a picture from words': 'Ein Bild aus Worten zeichnen',
	'Drawing {prompt}': 'Zeichne {prompt}',
	'What to draw': 'Was gezeichnet werden soll',
	'What the cap is for': 'Wofür das Limit gilt',
	'How often it starts anew': 'Wie oft es neu beginnt',
	'What is counted; pictures if not said': 'Was gezählt wird; ohne Angabe Bilder',
	'Which channel; without it, this one': 'Welcher Kanal; ohne Angabe dieser',
	'Which role; each of its members gets this cap, the best role counts':
		'Welche Rolle; das Limit gilt je Mitglied, die beste Rolle zählt',
	'Which member; without it, every member': 'Welches Mitglied; ohne Angabe jedes',
	'The rules in force and what is used': 'Die geltenden Regeln und der Verbrauch',
	'**Caps**': '**Limits**',
	'No caps are set.': 'Es sind keine Limits gesetzt.',
	'**Rules**': '**Regeln**',
	'**Used**': '**Verbraucht**',
	'**Latest changes**': '**Letzte Änderungen**',
	'Set a cap on calls, or on chat turns, a day or a month':
		'Ein Limit für Aufrufe oder Chat-Runden setzen, pro Tag oder Monat',
	'The most calls; one call is one request, whatever its variations':
		'Höchstzahl der Aufrufe; eine Anfrage ist ein Aufruf, egal wie viele Varianten',
	'Set: {cap}.': 'Gesetzt: {cap}.',
	'Take a cap away': 'Ein Limit entfernen',
	'There is no such cap; `/limits show` lists them.': 'So ein Limit gibt es nicht; `/limits show` zeigt alle.',
	'Taken away: {cap}.': 'Entfernt: {cap}.',
	'The most that this server may spend a month beyond the plan':
		'Was dieser Server im Monat über das Kontingent hinaus höchstens ausgeben darf',
	'An amount in USD; 0 for nothing': 'Ein Betrag in USD; 0 für nichts',
	'`{option}` is an amount in USD such as 5 or 2.50, at most {most}.':
		'`{option}` ist ein Betrag in USD wie 5 oder 2.50, höchstens {most}.',
	'Beyond the plan nothing is spent here.': 'Über das Kontingent hinaus wird hier nichts ausgegeben.',
	'Beyond the plan at most {amount} a month may be spent here.':
		'Über das Kontingent hinaus dürfen hier höchstens {amount} im Monat ausgegeben werden.',
	'Time zone, language, notices, log, cooldown and how many requests of a member run at once':
		'Zeitzone, Sprache, Hinweise, Protokoll, Wartezeit und gleichzeitige Anfragen je Mitglied',
	'Where days and months begin, such as Europe/Berlin': 'Wo Tage und Monate beginnen, etwa Europe/Berlin',
	'`{option}` is not a time zone such as Europe/Berlin or America/New_York.':
		'`{option}` ist keine Zeitzone wie Europe/Berlin oder America/New_York.',
	'What is said to moderators in their channels': 'Die Sprache, in der die Moderation in ihren Kanälen liest',
	'Where moderators are told at 80 % and 100 % of a cap':
		'Wo die Moderation bei 80 % und 100 % eines Limits benachrichtigt wird',
	'Seconds between two requests of a member; 0 for none':
		'Sekunden zwischen zwei Anfragen eines Mitglieds; 0 für keine',
	'Requests of one member that run at once; more wait':
		'Anfragen eines Mitglieds, die gleichzeitig laufen; weitere warten',
	'Let a member ask for no more pictures': 'Ein Mitglied keine Bilder mehr anfordern lassen',
	Whom: 'Wen',
	'{member} is blocked.': '{member} ist gesperrt.',
	'Let a member ask for pictures again': 'Ein Mitglied wieder Bilder anfordern lassen',
	'{member} is not blocked.': '{member} ist nicht gesperrt.',
	'{member} may ask again.': '{member} darf wieder anfragen.',
	'Who used what in a month, with a chart and a CSV file':
		'Wer in einem Monat was verbraucht hat, mit Diagramm und CSV-Datei',
	'A month such as 2026-11; without it, this one': 'Ein Monat wie 2026-11; ohne Angabe der laufende',
	'`{option}` is a month such as 2026-11.': '`{option}` ist ein Monat wie 2026-11.',
	'`{option}` does not go with a cap for a {scope, select, server {server} channel {channel} role {role} other {member}}; nothing was changed.':
		'`{option}` passt nicht zu einem Limit für {scope, select, server {einen Server} channel {einen Kanal} role {eine Rolle} other {ein Mitglied}}; es wurde nichts geändert.',
	'`{option}` is missing; nothing was changed.': '`{option}` fehlt; es wurde nichts geändert.',
	'{whose}: {images, number} {what, select, chat {{images, plural, one {chat turn} other {chat turns}}} other {{images, plural, one {call} other {calls}}}} a {period, select, day {day} other {month}}':
		'{whose}: {images, number} {what, select, chat {{images, plural, one {Chat-Runde} other {Chat-Runden}}} other {{images, plural, one {Aufruf} other {Aufrufe}}}} pro {period, select, day {Tag} other {Monat}}',
	'this server': 'dieser Server',
	'every {scope, select, channel {channel} role {role} other {member}}':
		'{scope, select, channel {jeder Kanal} role {jede Rolle} other {jedes Mitglied}}',
	'each member with {role}': 'jedes Mitglied mit {role}',
	'- Time zone: {timeZone}': '- Zeitzone: {timeZone}',
	'- Language of what is said to moderators: {language}': '- Sprache der Hinweise an die Moderation: {language}',
	'- Beyond the plan: nothing': '- Über das Kontingent hinaus: nichts',
	'- Beyond the plan: at most {amount} a month': '- Über das Kontingent hinaus: höchstens {amount} im Monat',
	'- One member at once: {atOnce, number}; cooldown: {cooldown, plural, =0 {none} other {# s}}':
		'- Gleichzeitig je Mitglied: {atOnce, number}; Wartezeit: {cooldown, plural, =0 {keine} other {# s}}',
	'- Notices: nowhere': '- Hinweise: nirgends',
	'- Notices: {channel}': '- Hinweise: {channel}',
	'- Blocked: {members}': '- Gesperrt: {members}',
	'What the image service offers': 'Was der Bilddienst anbietet',
	'The image service offers:': 'Der Bilddienst bietet an:',
	'The image service names no models.': 'Der Bilddienst nennt keine Modelle.',
	'`{option}` has a control character.': '`{option}` enthält ein Steuerzeichen.',
	'`{option}` has a broken character (half of a surrogate pair).':
		'`{option}` enthält ein kaputtes Zeichen (ein halbes Surrogatpaar).',
	'Width x height, such as 1024x1024': 'Breite x Höhe, etwa 1024x1024',
	'`{option}` is width x height, each {min} to {max}, such as 1024x1024.':
		'`{option}` ist Breite x Höhe, jeweils {min} bis {max}, etwa 1024x1024.',
	'How many variations, 1 to 4; they cost one call together':
		'Wie viele Varianten, 1 bis 4; zusammen kosten sie einen Aufruf',
	'Image model; /models lists them': 'Bildmodell; /models zeigt sie',
	'Sharper text, subjects kept in edits': 'Schärferer Text, Motive bleiben beim Bearbeiten erhalten',
	'Only you see the result': 'Nur du siehst das Ergebnis',
	'What is used and left, at every layer, and when it starts anew':
		'Was verbraucht und übrig ist, auf jeder Ebene, und wann es neu beginnt',
	'Somebody else; for moderators': 'Jemand anderes; nur für die Moderation',
	'Only moderators may look at what somebody else used.': 'Nur die Moderation darf sehen, was andere verbraucht haben.',
	'Usage of {member}:': 'Verbrauch von {member}:',
	'{count, plural, =1 {One request has pictures that could not be posted.} other {# requests have pictures that could not be posted.}}':
		'{count, plural, =1 {Eine Anfrage hat Bilder, die nicht gepostet werden konnten.} other {# Anfragen haben Bilder, die nicht gepostet werden konnten.}}',
	'Show them here': 'Hier zeigen',
	'The file is empty.': 'Die Datei ist leer.',
	'The file is not a picture; please send a PNG, JPEG, WebP or GIF.':
		'Die Datei ist kein Bild; bitte sende ein PNG, JPEG, WebP oder GIF.',
	'This is {kind, select, avif {an AVIF picture} heic {a HEIC picture} jxl {a JPEG XL picture} jp2 {a JPEG 2000 picture} tiff {a TIFF picture} bmp {a BMP picture} svg {an SVG drawing} photoshop {a Photoshop file} pdf {a PDF file} other {a video}}; please send it as PNG, JPEG, WebP or GIF.':
		'Das ist {kind, select, avif {ein AVIF-Bild} heic {ein HEIC-Bild} jxl {ein JPEG-XL-Bild} jp2 {ein JPEG-2000-Bild} tiff {ein TIFF-Bild} bmp {ein BMP-Bild} svg {eine SVG-Zeichnung} photoshop {eine Photoshop-Datei} pdf {eine PDF-Datei} other {ein Video}}; bitte sende es als PNG, JPEG, WebP oder GIF.',
	'The picture is {size, number} MB; at most {most, number} MB can be sent.':
		'Das Bild hat {size, number} MB; höchstens {most, number} MB können gesendet werden.',
	'The picture is {width} × {height} pixels; at most {most, number} million can be sent.':
		'Das Bild hat {width} × {height} Pixel; höchstens {most, number} Millionen können gesendet werden.',
	'The picture is {width} × {height} pixels; at most {most} a side can be sent.':
		'Das Bild hat {width} × {height} Pixel; höchstens {most} pro Seite können gesendet werden.',
	'The picture is damaged.': 'Das Bild ist beschädigt.',
	'The picture is damaged (it ends too early).': 'Das Bild ist beschädigt (es bricht zu früh ab).',
	'A moderator has blocked you from asking for pictures here.': 'Die Moderation hat dich hier für Bilder gesperrt.',
	'Wait {seconds, number} s before you ask again; moderators have set that here.':
		'Warte {seconds, number} s bis zur nächsten Anfrage; so hat es die Moderation hier eingestellt.',
	'Only the last answer can be written anew, and only while this thread is remembered.':
		'Nur die letzte Antwort lässt sich neu schreiben, und nur solange dieser Thread gemerkt wird.',
	'This answer is still being written.': 'Diese Antwort wird noch geschrieben.',
	'Only whom this answers, or a moderator, can do that.':
		'Das können nur die, denen hier geantwortet wird, oder die Moderation.',
	'A moderator has blocked you from asking here.': 'Die Moderation hat dich hier für Anfragen gesperrt.',
	'Easel is being restarted; nothing was counted. Ask again in a minute.':
		'Easel wird gerade neu gestartet; es wurde nichts gezählt. Versuch es in einer Minute noch einmal.',
	'There is no command {command}.': 'Den Befehl {command} gibt es nicht.',
	'Here is what I can do:': 'Das kann ich:',
	'Your references are put away.': 'Deine Vorlagen sind weggeräumt.',
	'What was asked for here is no longer kept; use the command instead.':
		'Was hier angefragt wurde, ist nicht mehr gespeichert; benutze stattdessen den Befehl.',
	'The picture that was sent for this is no longer kept (30 days); send it once more.':
		'Das gesendete Bild ist nicht mehr gespeichert (30 Tage); sende es noch einmal.',
	'Use as reference': 'Als Vorlage',
	'There is no picture in this message any more.': 'In dieser Nachricht ist kein Bild mehr.',
	'Press **{label}** under another picture, or compose now.':
		'Drücke **{label}** unter einem weiteren Bild, oder kombiniere jetzt.',
	'That is the most.': 'Mehr gehen nicht.',
	'Kept as image {count, number} of your next composition, for an hour.':
		'Eine Stunde lang als Bild {count, number} für deine nächste Kombination gemerkt.',
	'Only who asked for this picture, or a moderator, can delete it.':
		'Löschen können nur, wer dieses Bild angefordert hat, oder die Moderation.',
	'Only a moderator can delete this: who asked is no longer known.':
		'Das kann nur die Moderation löschen: Wer es angefordert hat, ist nicht mehr bekannt.',
	Picture: 'Bild',
	'Here is what could not be posted.': 'Hier ist, was nicht gepostet werden konnte.',
	'Nothing is waiting for you.': 'Für dich liegt nichts bereit.',
	'This button is from another version of Easel and does nothing any more; use the command instead.':
		'Dieser Knopf stammt aus einer anderen Version von Easel und tut nichts mehr; benutze stattdessen den Befehl.',
	'Whoever mentions me here gets an answer.': 'Wer mich hier erwähnt, bekommt eine Antwort.',
	'Whatever you write here, I answer.': 'Auf alles, was ihr hier schreibt, antworte ich.',
	"I remember what was said in this thread; write `forget`, and I don't any more.":
		'Ich merke mir, was in diesem Thread gesagt wurde; schreibt `forget`, und ich vergesse es.',
	'`draw a red fox` makes a picture; a picture with an instruction is changed by it. Both count as `/imagine` and `/edit` do.':
		'`draw a red fox` macht ein Bild; ein Bild mit einer Anweisung wird danach geändert. Beides zählt wie `/imagine` und `/edit`.',
	'From now on I answer only who mentions me here.': 'Ab jetzt antworte ich hier nur, wenn ich erwähnt werde.',
	'From now on I answer whatever is written here.': 'Ab jetzt antworte ich auf alles, was hier geschrieben wird.',
	'Forgotten: what was said here before this message goes to the chat model no more.':
		'Vergessen: Was hier vor dieser Nachricht gesagt wurde, geht nicht mehr an das Chatmodell.',
	'*This thread has become long: from now on its oldest messages go to the chat model no more.*':
		'*Dieser Thread ist lang geworden: Ab jetzt gehen die ältesten Nachrichten nicht mehr an das Chatmodell.*',
	'What is to be done with the picture? Send it once more, with an instruction.':
		'Was soll mit dem Bild geschehen? Sende es noch einmal, mit einer Anweisung.',
	'*Stopped.*': '*Angehalten.*',
	'*The answer breaks off here.*': '*Hier bricht die Antwort ab.*',
	'*Interrupted: Easel was stopped while this was written.*':
		'*Unterbrochen: Easel wurde angehalten, während dies geschrieben wurde.*',
	Stop: 'Stopp',
	Retry: 'Neu schreiben',
	'Draw this': 'Das zeichnen',
	Forget: 'Vergessen',
	'Answer everything': 'Auf alles antworten',
	'Answer mentions only': 'Nur auf Erwähnungen',
	'The picture is finished but could not be posted. The call stays counted.':
		'Das Bild ist fertig, konnte aber nicht gepostet werden. Der Aufruf bleibt gezählt.',
	'The picture is finished but could not be posted here: /usage offers it.':
		'Das Bild ist fertig, konnte aber hier nicht gepostet werden: /usage bietet es an.',
	'Something in this command could not be read.': 'Etwas an diesem Befehl war nicht lesbar.',
	'There is no option `{option}`.': 'Die Option `{option}` gibt es nicht.',
	'`{option}` is missing.': '`{option}` fehlt.',
	'`{option}` is empty.': '`{option}` ist leer.',
	'`{option}` is at least {least}; you gave {given}.': '`{option}` ist mindestens {least}; angegeben war {given}.',
	'`{option}` is at most {most}; you gave {given}.': '`{option}` ist höchstens {most}; angegeben war {given}.',
	'`{option}` has {count} characters; at most {most} are allowed.':
		'`{option}` hat {count} Zeichen; erlaubt sind höchstens {most}.',
	'`{option}` is one of {choices}.': '`{option}` ist eines von: {choices}.',
	'`{option}` is not {kind, select, string {a text} number {a whole number} int {a whole number} boolean {yes or no} other {what is expected here}}.':
		'`{option}` ist {kind, select, string {kein Text} number {keine ganze Zahl} int {keine ganze Zahl} boolean {weder ja noch nein} other {nicht, was hier erwartet wird}}.',
	'`{option}` is not a picture file.': '`{option}` ist keine Bilddatei.',
	'`{option}` can not be read.': '`{option}` ist nicht lesbar.',
	'The plan is used up: from now on pictures cost ({spent} so far).':
		'Das Kontingent ist aufgebraucht: Ab jetzt kosten Bilder Geld (bisher {spent}).',
	'{layer, select, plan {The plan} server {This server} other {A channel}} has used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}{reached, select, yes {; that was the last} other {}}.':
		'{layer, select, plan {Das Kontingent} server {Dieser Server} other {Ein Kanal}} hat {period, select, day {heute} other {diesen Monat}} {used, number} von {limit, number} {what, select, chat {{limit, plural, one {Chat-Runde} other {Chat-Runden}}} other {{limit, plural, one {Aufruf} other {Aufrufen}}}} verbraucht{reached, select, yes {; das war der Rest} other {}}.',
	'The picture could not be fetched; send it once more, with at most 10 MB.':
		'Das Bild konnte nicht abgeholt werden; sende es noch einmal, mit höchstens 10 MB.',
	'Something is being answered here; wait until it stands.':
		'Hier wird gerade geantwortet; warte, bis die Antwort steht.',
	'What was written here is no longer remembered; write `draw` and what you want to see.':
		'Was hier geschrieben stand, ist nicht mehr bekannt; schreib `draw` und was du sehen willst.',
	'This thread is none of mine any more; mention me to call me in again.':
		'Dieser Thread gehört nicht mehr zu mir; erwähne mich, um mich wieder dazuzuholen.',
	'The plan is used up, and beyond it this server has spent {used} of {limit} this month. A new month starts {when}.':
		'Das Kontingent ist aufgebraucht, und darüber hinaus hat dieser Server diesen Monat {used} von {limit} ausgegeben. Ein neuer Monat beginnt {when}.',
	"{layer, select, plan {This Easel's plan has} server {This server has} channel {This channel has} other {You have}} used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}. A new {period, select, day {day} other {month}} starts {when}.":
		'{layer, select, plan {Das Kontingent dieses Easel hat} server {Dieser Server hat} channel {Dieser Kanal hat} other {Du hast}} {period, select, day {heute} other {diesen Monat}} {used, number} von {limit, number} {what, select, chat {{limit, plural, one {Chat-Runde} other {Chat-Runden}}} other {{limit, plural, one {Aufruf} other {Aufrufen}}}} verbraucht. Ein neuer {period, select, day {Tag} other {Monat}} beginnt {when}.',
	'{count, plural, one {# call} other {# calls}} today': '{count, plural, one {# Aufruf} other {# Aufrufe}} heute',
	'{left, number} of {limit, number} left {period, select, day {today} other {this month}}{layer, select, plan { in the plan} server { for this server} channel { in this channel} other {}}':
		'{period, select, day {heute} other {diesen Monat}} noch {left, number} von {limit, number} übrig{layer, select, plan { im Kontingent} server { für diesen Server} channel { in diesem Kanal} other {}}',
	'Spent here beyond the plan: {used} of {limit} this month':
		'Hier über das Kontingent hinaus ausgegeben: {used} von {limit} diesen Monat',
	'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number}; anew {when}':
		'{layer, select, plan {Das Kontingent} server {Dieser Server} channel {Dieser Kanal} role {Du, durch deine Rolle} other {Du}}{what, select, chat {, Chat-Runden} other {}} {period, select, day {heute} other {diesen Monat}}: {used, number}; neu {when}',
	'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number} of {limit, number}, {left, number} left; anew {when}':
		'{layer, select, plan {Das Kontingent} server {Dieser Server} channel {Dieser Kanal} role {Du, durch deine Rolle} other {Du}}{what, select, chat {, Chat-Runden} other {}} {period, select, day {heute} other {diesen Monat}}: {used, number} von {limit, number}, {left, number} übrig; neu {when}',
	'{status} … {seconds, number} s': '{status} … {seconds, number} s',
	'{status} … waiting, {line, plural, =1 {next} other {number #}} in line':
		'{status} … wartet, {line, plural, =1 {als Nächstes dran} other {Platz # in der Schlange}}',
	'Easel was stopped while this ran: only {kept, number} of {asked, number} pictures could be saved.':
		'Easel wurde angehalten, während dies lief: Nur {kept, number} von {asked, number} Bildern ließen sich retten.',
	'Easel was stopped while this ran. {cost} You can ask again.':
		'Easel wurde angehalten, während dies lief. {cost} Du kannst noch einmal fragen.',
	"Easel's records can't be reached, so nothing was asked for. Try again in a minute.":
		'Easels Aufzeichnungen sind nicht erreichbar, deshalb wurde nichts angefragt. Versuch es in einer Minute noch einmal.',
	'Something went wrong in Easel (reference {reference}).': 'In Easel ist etwas schiefgegangen (Kennung {reference}).',
	'Nothing was counted.': 'Es wurde nichts gezählt.',
	'The call was counted.': 'Der Aufruf wurde gezählt.',
	'The call stays counted, since the service may have made it.':
		'Der Aufruf bleibt gezählt, weil der Dienst ihn ausgeführt haben kann.',
	': {detail}': ': {detail}',
	"The image service does not accept this bot's key; whoever runs Easel has to look at SERVICE_API_KEY.":
		'Der Bilddienst nimmt den Schlüssel dieses Bots nicht an; wer Easel betreibt, muss sich SERVICE_API_KEY ansehen.',
	'The plan at the image service is used up and its balance is empty.':
		'Das Kontingent beim Bilddienst ist aufgebraucht und das Guthaben leer.',
	'The image service refused this by its content rules{said}. {asked, select, picture {Try other words or another picture.} other {Try other words.}}':
		'Der Bilddienst hat das nach seinen Inhaltsregeln abgelehnt{said}. {asked, select, picture {Versuch es mit anderen Worten oder einem anderen Bild.} other {Versuch es mit anderen Worten.}}',
	'The image service did not take the request{said}.': 'Der Bilddienst hat die Anfrage nicht angenommen{said}.',
	'The image service is busy. Try again in a minute.':
		'Der Bilddienst ist ausgelastet. Versuch es in einer Minute noch einmal.',
	'The image service is busy. Try again in {seconds, number} s.':
		'Der Bilddienst ist ausgelastet. Versuch es in {seconds, number} s noch einmal.',
	"The image service can't be reached right now. Try again in a minute.":
		'Der Bilddienst ist gerade nicht erreichbar. Versuch es in einer Minute noch einmal.',
	'The image service failed (status {status}){said}.': 'Der Bilddienst ist gescheitert (Status {status}){said}.',
	'The image service gave no answer.': 'Der Bilddienst hat nicht geantwortet.',
	'The image service gave no whole answer.': 'Der Bilddienst hat keine vollständige Antwort gegeben.',
	'The image service gave no answer, so nobody knows whether it made the picture.':
		'Der Bilddienst hat nicht geantwortet, deshalb weiß niemand, ob er das Bild gemacht hat.',
	'The image service answered something that is no {asked, select, picture {picture} other {text}}.':
		'Der Bilddienst hat etwas geantwortet, das {asked, select, picture {kein Bild} other {kein Text}} ist.',
	'({index, number} of {count, number})': '({index, number} von {count, number})',
	'AI-generated for {name}': 'KI-generiert für {name}',
	Edit: 'Bearbeiten',
	Delete: 'Löschen',
	Again: 'Nochmal',
	other: 'andere',
	forecast: 'Prognose',
	'Daily cap: {count, number}': 'Tageslimit: {count, number}',
	'day ({timeZone})': 'Tag ({timeZone})',
	calls: 'Aufrufe',
	'No calls in {month}': 'Keine Aufrufe im {month}',
	'daily cap': 'Tageslimit',
	'{count, number} failed': '{count, number} fehlgeschlagen',
	'{count, number} with an unknown outcome': '{count, number} mit unbekanntem Ausgang',
	'{amount} USD beyond the plan': '{amount} USD über das Kontingent hinaus',
	'{count, plural, one {# call} other {# calls}}': '{count, plural, one {# Aufruf} other {# Aufrufe}}',
	'{count, plural, one {# picture} other {# pictures}}': '{count, plural, one {# Bild} other {# Bilder}}',
	'Bar chart: calls per day in {month} ({timeZone}), stacked by command':
		'Balkendiagramm: Aufrufe pro Tag im {month} ({timeZone}), gestapelt nach Befehl',
	'No calls were counted': 'Es wurden keine Aufrufe gezählt',
	'Busiest day: {day} with {count, number}': 'Stärkster Tag: {day} mit {count, number}',
	'Calls per day, {month}': 'Aufrufe pro Tag, {month}',
	'Monthly cap: {count, number}': 'Monatslimit: {count, number}',
	'At this pace {calls, plural, one {# call} other {# calls}} and {amount} USD by {day}':
		'Bei diesem Tempo {calls, plural, one {# Aufruf} other {# Aufrufe}} und {amount} USD bis zum {day}',
	'At this pace {calls, plural, one {# call} other {# calls}} by {day}':
		'Bei diesem Tempo {calls, plural, one {# Aufruf} other {# Aufrufe}} bis zum {day}',
	'Used up by {day}': 'Aufgebraucht bis zum {day}',
	'Nobody used anything in {month}.': 'Im {month} hat niemand etwas verbraucht.',
	Calls: 'Aufrufe',
	Pictures: 'Bilder',
	Failed: 'Fehler',
	Unknown: 'Unklar',
	Member: 'Mitglied',
	'and {count, number} more': 'und {count, number} weitere',
	'in all': 'insgesamt',
	'Only moderators may use {command}.': 'Nur die Moderation darf {command} benutzen.',
	'There is no picture in this message.': 'In dieser Nachricht ist kein Bild.',
	'Which picture of the message': 'Welches Bild der Nachricht',
	'Which pictures of the message': 'Welche Bilder der Nachricht',
	'A further picture: then they are composed, this one first':
		'Ein weiteres Bild: Dann werden sie kombiniert, dieses zuerst',
	'With further pictures: width x height of what they become': 'Bei weiteren Bildern: Breite x Höhe des Ergebnisses',
	'Edit image': 'Bild bearbeiten',
	'Compose images': 'Bilder kombinieren',
	'`size` is for several pictures: one that is edited keeps its size. Add a picture, or leave it out.':
		'`size` ist für mehrere Bilder: Ein bearbeitetes behält seine Größe. Füge ein Bild hinzu oder lass es weg.',
	'`model` is for one picture: a composition has its own. Leave it out, or the further pictures.':
		'`model` ist für ein einzelnes Bild: Eine Kombination hat ihr eigenes. Lass es weg oder die weiteren Bilder.',
	'Your references were kept for an hour and are gone; choose them anew.':
		'Deine Vorlagen wurden eine Stunde lang gemerkt und sind weg; wähle sie neu.',
	'You have chosen {count} references already, which is the most.':
		'Du hast schon {count} Vorlagen gewählt, mehr gehen nicht.',
	Compose: 'Kombinieren',
	'Start over': 'Neu anfangen',
	'Image {number}: your reference.': 'Bild {number}: deine Vorlage.',
	'Image {number}: from this message.': 'Bild {number}: aus dieser Nachricht.',
	'What you choose comes next, then the files.': 'Danach kommt, was du auswählst, dann die Dateien.',
	'`which` names pictures of the message, each once: 1 to {count}.':
		'`which` nennt Bilder der Nachricht, jedes einmal: 1 bis {count}.',
	'`which` is missing: choose the pictures of the message.': '`which` fehlt: Wähle die Bilder der Nachricht.',
	'That makes {count} pictures; a composition takes two or three.':
		'Das sind {count} Bilder; eine Kombination nimmt zwei oder drei.',
	'This form is no longer kept; please start again.':
		'Dieses Formular ist nicht mehr gespeichert; fang bitte von vorn an.',
	'Try again': 'Noch einmal versuchen',
	'I may not open private threads here: a moderator can give me Create Private Threads.':
		'Ich darf hier keine privaten Threads öffnen: Die Moderation kann mir das Recht „Private Threads erstellen“ geben.',
	'There are no private threads in a channel of this kind.':
		'In einem Kanal dieser Art gibt es keine privaten Threads.',
	'Only you see the thread': 'Nur du siehst den Thread',
	'- May be asked: everywhere': '- Anfragen erlaubt: überall',
	'- May be asked in: {channels}': '- Anfragen erlaubt in: {channels}',
	'- May ask: members with {roles}': '- Anfragen dürfen: Mitglieder mit {roles}',
	'- Covered results: nowhere': '- Verdeckte Ergebnisse: nirgends',
	'- Covered results in: {channels}': '- Verdeckte Ergebnisse in: {channels}',
	'- Banned words: {count, plural, =0 {none} other {#}}': '- Verbotene Wörter: {count, plural, =0 {keine} other {#}}',
	'- Log of pictures: nowhere': '- Bilderprotokoll: nirgends',
	'- Log of pictures: {channel}': '- Bilderprotokoll: {channel}',
	'{list} and {more, number} more': '{list} und {more, number} weitere',
	'Let pictures and chats be asked for only in some channels, or only by some roles':
		'Bilder und Chats nur in manchen Kanälen oder nur für manche Rollen erlauben',
	'A channel to ask in; with none allowed, everywhere': 'Ein Kanal für Anfragen; ist keiner erlaubt, dann überall',
	'A role that may ask; with none allowed, everybody': 'Eine Rolle, die anfragen darf; ist keine erlaubt, dann alle',
	'Take a channel or a role off the list of where and by whom may be asked':
		'Einen Kanal oder eine Rolle von der Liste der erlaubten nehmen',
	'A channel that was allowed': 'Ein Kanal, der erlaubt war',
	'A role that was allowed': 'Eine Rolle, die erlaubt war',
	'That was not on the list of what is allowed; `/limits show` has it.':
		'Das stand nicht auf der Liste des Erlaubten; `/limits show` zeigt sie.',
	'Name a channel or a role; nothing was changed.': 'Nenne einen Kanal oder eine Rolle; es wurde nichts geändert.',
	'At most {most, number} can be listed; nothing was changed.':
		'Höchstens {most, number} passen auf die Liste; es wurde nichts geändert.',
	'Ban words and phrases from what is asked for': 'Wörter und Wendungen in Anfragen verbieten',
	'Words or phrases, with commas between them; snow* is every word that begins so':
		'Wörter oder Wendungen, mit Kommas getrennt; schnee* ist jedes Wort, das so beginnt',
	'At most {most, number} words can be banned; nothing was changed.':
		'Höchstens {most, number} Wörter können verboten werden; es wurde nichts geändert.',
	'Take words and phrases off the list of banned ones': 'Wörter und Wendungen von der Liste der verbotenen nehmen',
	'Words or phrases as they were banned, with commas between them':
		'Wörter oder Wendungen, wie sie verboten wurden, mit Kommas getrennt',
	'None of that is banned; `/limits show` has the list.': 'Nichts davon ist verboten; `/limits show` zeigt die Liste.',
	'Name words or phrases, with commas between them; nothing was changed.':
		'Nenne Wörter oder Wendungen, mit Kommas getrennt; es wurde nichts geändert.',
	'A word or phrase has at most {most, number} characters; nothing was changed.':
		'Ein Wort oder eine Wendung hat höchstens {most, number} Zeichen; es wurde nichts geändert.',
	'Cover the pictures that are made in a channel until somebody wants to see them':
		'Bilder aus einem Kanal verdecken, bis jemand sie sehen will',
	'Whether they are covered': 'Ob sie verdeckt werden',
	'Where moderators see every picture that is made': 'Wo die Moderation jedes gemachte Bild sieht',
	'What is told nowhere any more': 'Was nirgends mehr gemeldet wird',
	'This can be asked for only in {channels}; moderators have set that here.':
		'Das geht nur in {channels}; so hat es die Moderation hier eingestellt.',
	'Only members with {roles} may ask for this; moderators have set that here.':
		'Das dürfen nur Mitglieder mit {roles}; so hat es die Moderation hier eingestellt.',
	'This has a word in it that moderators have banned here. Nothing was counted.':
		'Darin ist ein Wort, das die Moderation hier verboten hat. Es wurde nichts gezählt.',
	'A rule of this server does not allow these words: {rule}.':
		'Eine Regel dieses Servers lässt diese Worte nicht zu: {rule}.',
	'**{command}** by {member}: {prompt}': '**{command}** von {member}: {prompt}',
	'In {channel}': 'In {channel}',
	'In a direct message': 'In einer Direktnachricht',
	'Only they see the result.': 'Nur sie selbst sehen das Ergebnis.',
	'The pictures could not be posted, and wait for them under /usage.':
		'Die Bilder konnten nicht gepostet werden und liegen unter /usage bereit.',
	'The pictures are not shown here: there are too many at once.':
		'Die Bilder werden hier nicht gezeigt: Es sind zu viele auf einmal.',
	'The pictures are not shown here: they could not be posted.':
		'Die Bilder werden hier nicht gezeigt: Sie konnten nicht gepostet werden.',
	'[Go to the message]({link})': '[Zur Nachricht]({link})',
	Remove: 'Entfernen',
	Block: 'Sperren',
	Hide: 'Verdecken',
	'Removed by {moderator}.': 'Entfernt von {moderator}.',
	'Covered by {moderator}.': 'Verdeckt von {moderator}.',
	'{member} was blocked by {moderator}.': '{member} wurde von {moderator} gesperrt.',
	'{moderator} could not remove it: it can not be reached any more.':
		'{moderator} konnte es nicht entfernen: Es ist nicht mehr erreichbar.',
	'{moderator} could not cover it: it can not be reached any more.':
		'{moderator} konnte es nicht verdecken: Es ist nicht mehr erreichbar.',
	'Only moderators can do that.': 'Das darf nur die Moderation.',
	'What this was about is no longer kept.': 'Worum es hier ging, ist nicht mehr gespeichert.',
	Prompt: 'Prompt',
	'More of the same request:': 'Mehr von derselben Anfrage:',
	'{number, plural, =0 {Packed} other {Picture #: packed}} tighter to fit; every pixel is as it was.':
		'{number, plural, =0 {Dichter} other {Bild #: dichter}} gepackt, damit es passt; jedes Pixel ist, wie es war.',
	'{number, plural, =0 {Scaled} other {Picture #: scaled}} from {before} to {after}, since {where, select, direct {direct messages take} other {this server takes}} at most {megabytes, number} MB.':
		'{number, plural, =0 {Verkleinert} other {Bild #: verkleinert}} von {before} auf {after}, denn {where, select, direct {Direktnachrichten nehmen} other {dieser Server nimmt}} höchstens {megabytes, number} MB.',
	'You asked for this in {where}, where it could not be posted.{why}':
		'Du hast das in {where} angefragt, wo es nicht gepostet werden konnte.{why}',
	'This could not be posted here; it went to who asked, as a direct message.':
		'Das konnte hier nicht gepostet werden; es ging als Direktnachricht an die Person, die gefragt hat.',
	"I remember what was said here; write `forget`, and I don't any more.":
		'Ich merke mir, was hier gesagt wurde; schreib `forget`, und ich vergesse es.',
	'I remember nothing of this channel: write `forget` in the thread that it is about.':
		'Von diesem Kanal merke ich mir nichts: Schreib `forget` in dem Thread, um den es geht.',
	'I am not in this channel. Invite me with `/invite @{name}`, then ask again.':
		'Ich bin nicht in diesem Kanal. Lade mich mit `/invite @{name}` ein und frag dann noch einmal.',
	'Easel lacks the permission `{scope}` in this workspace: an admin has to add it to the app and install it once more.':
		'Easel fehlt in diesem Workspace die Berechtigung `{scope}`: Die Administration muss sie der App geben und sie neu installieren.',
	'This channel is archived; ask in another one.': 'Dieser Kanal ist archiviert; frag in einem anderen.',
	'The admins of this workspace let only some people post here; ask in another channel.':
		'In diesem Workspace dürfen hier nur manche posten; frag in einem anderen Kanal.',
	'There are no threads in this channel; ask in another one.':
		'In diesem Kanal gibt es keine Threads; frag in einem anderen.',
	'This thread is locked; ask outside of it.': 'Dieser Thread ist gesperrt; frag außerhalb davon.',
	'Uploads are turned off in this workspace, so no picture can be shown; a workspace admin can turn them on under Permissions.':
		'Uploads sind in diesem Workspace abgeschaltet, deshalb lässt sich kein Bild zeigen; die Administration kann sie unter Berechtigungen einschalten.',
	'The admins of this workspace let no file through that is as large as this picture.':
		'Die Administration dieses Workspace lässt keine Datei durch, die so groß ist wie dieses Bild.',
	"This workspace's storage is full; an admin has to make room before pictures can be posted.":
		'Der Speicher dieses Workspace ist voll; die Administration muss Platz schaffen, bevor Bilder gepostet werden können.',
	'Slack lets me send you no direct messages.': 'Slack lässt mich dir keine Direktnachrichten senden.',
	'Slack lets me send you no direct messages: whoever runs Easel has to turn on the Messages Tab of its app.':
		'Slack lässt mich dir keine Direktnachrichten senden: Wer Easel betreibt, muss in der App den Messages Tab einschalten.',
	'Slack did not wait long enough to show the form; try once more.':
		'Slack hat nicht lange genug gewartet, um das Formular zu zeigen; versuch es noch einmal.',
	'Slack no longer lets Easel in here; an admin has to install it once more.':
		'Slack lässt Easel hier nicht mehr hinein; die Administration muss es neu installieren.',
	'Slack does not show {count, plural, one {the picture} other {the pictures}} in here yet; see below, in the thread.':
		'Slack zeigt {count, plural, one {das Bild} other {die Bilder}} hier noch nicht; sieh unten im Thread nach.',
	'Show picture': 'Bild zeigen',
	'I answer you in our direct messages.': 'Ich antworte dir in unseren Direktnachrichten.',
	'I show it to you in our direct messages.': 'Ich zeige es dir in unseren Direktnachrichten.',
	'Let us talk over here.': 'Reden wir hier weiter.',
	'This picture is no longer kept.': 'Dieses Bild ist nicht mehr gespeichert.',
	'Slack does not say what this file is: send it once more.':
		'Slack sagt nicht, was diese Datei ist: Sende sie noch einmal.',
	'`{command}` takes {most, plural, =0 {no pictures} one {one picture} other {at most # pictures}}; you sent {count}.':
		'`{command}` nimmt {most, plural, =0 {keine Bilder} one {ein Bild} other {höchstens # Bilder}}; gesendet hast du {count}.',
	'`{option}` is chosen in the form.': '`{option}` wird im Formular gewählt.',
	'Choose {least} to {most}.': 'Wähle {least} bis {most}.',
	'This file has {megabytes} MB; at most 10 MB are allowed.':
		'Diese Datei hat {megabytes} MB; erlaubt sind höchstens 10 MB.',
	'At most {most, plural, one {one picture} other {# pictures}} in all.':
		'Insgesamt höchstens {most, plural, one {ein Bild} other {# Bilder}}.',
	Choose: 'Auswählen',
	Yes: 'Ja',
	Submit: 'Absenden',
	Cancel: 'Abbrechen',
	'`/{command}` goes on with one of these:': '`/{command}` geht so weiter:',
	'There is no `/{command} {word}`; it is one of these:': '`/{command} {word}` gibt es nicht; möglich ist:',
	'Easel is being restarted; ask again in a minute.':
		'Easel wird gerade neu gestartet; frag in einer Minute noch einmal.',
	'Something went wrong in Easel; nothing was counted. Try once more.':
		'In Easel ist etwas schiefgegangen; es wurde nichts gezählt. Versuch es noch einmal.',
	'{min} to {max}': '{min} bis {max}',
	'This menu entry is from another version of Easel.': 'Dieser Menüeintrag stammt aus einer anderen Version von Easel.',
	'This form is no longer open; please start again.': 'Dieses Formular ist nicht mehr offen; fang bitte von vorn an.',
	'Easel is not installed in this workspace any more; an admin has to install it once more.':
		'Easel ist in diesem Workspace nicht mehr installiert; die Administration muss es neu installieren.',
	'Slack or the store does not answer right now; nothing was counted. Try again in a minute.':
		'Slack oder der Speicher antwortet gerade nicht; es wurde nichts gezählt. Versuch es in einer Minute noch einmal.',
	'is writing …': 'schreibt …',
	'“This server” is the one where you have used me last: its rules hold here, too.':
		'„Dieser Server“ ist der, auf dem du mich zuletzt benutzt hast: Seine Regeln gelten auch hier.',
	'The channel is gone.': 'Den Kanal gibt es nicht mehr.',
	'I am no member here myself, so I can only answer for a few minutes.':
		'Ich bin hier selbst kein Mitglied und kann deshalb nur ein paar Minuten lang antworten.',
	'I may not see {where}: a moderator can give me *View Channel* there.':
		'Ich darf {where} nicht sehen: Die Moderation kann mir dort *Kanal ansehen* geben.',
	'I may not open threads here: a moderator can give me *Create Public Threads* and *Send Messages in Threads*.':
		'Ich darf hier keine Threads öffnen: Die Moderation kann mir *Öffentliche Threads erstellen* und *Nachrichten in Threads senden* geben.',
	'I may not post in {where}: a moderator can give me {threads, select, yes {*Send Messages in Threads*} other {*Send Messages*}} and *Attach Files* there.':
		'Ich darf in {where} nicht posten: Die Moderation kann mir dort {threads, select, yes {*Nachrichten in Threads senden*} other {*Nachrichten senden*}} und *Dateien anhängen* geben.',
	'The thread {where} is locked: a moderator can unlock it.':
		'Der Thread {where} ist gesperrt: Die Moderation kann ihn entsperren.',
	'This server has as many open threads as it can have; close some first.':
		'Dieser Server hat so viele offene Threads, wie er haben kann; schließt erst einige.',
	'There are no threads in a channel of this kind; ask in another one.':
		'In einem Kanal dieser Art gibt es keine Threads; frag in einem anderen.',
	'You take no direct messages from me: allow them in the settings of a server that we share.':
		'Du nimmst keine Direktnachrichten von mir an: Erlaube sie in den Einstellungen eines gemeinsamen Servers.',
	'I may answer here only a few times, since I am no member myself; ask once more.':
		'Ich darf hier nur ein paar Mal antworten, weil ich selbst kein Mitglied bin; frag noch einmal.',
	'This is larger than what may be uploaded in {where}.': 'Das ist größer, als in {where} hochgeladen werden darf.',
	'There can be no threads here, since I am no member myself; write to me directly instead.':
		'Hier kann es keine Threads geben, weil ich selbst kein Mitglied bin; schreib mir stattdessen direkt.',
	'Only the requester may see this, and Discord takes no private answer any more.':
		'Das darf nur sehen, wer gefragt hat, und Discord nimmt keine private Antwort mehr an.',
	'What you have used': 'Was du verbraucht hast',
	'Your last pictures': 'Deine letzten Bilder',
};
