import type { Catalogue } from './en.ts';

export const fr: Catalogue = {
	imagine: 'imaginer',
	prompt: 'prompt',
	size: 'taille',
	n: 'nombre',
	model: 'modèle',
	private: 'privé',
	edit: 'modifier',
	image: 'image',
	compose: 'composer',
	image1: 'image1',
	image2: 'image2',
	image3: 'image3',
	chat: 'discuter',
	mentions_only: 'mentions_seulement',
	usage: 'utilisation',
	member: 'membre',
	models: 'modèles',
	limits: 'limites',
	show: 'afficher',
	set: 'définir',
	scope: 'portée',
	server: 'serveur',
	channel: 'salon',
	role: 'rôle',
	period: 'période',
	day: 'jour',
	month: 'mois',
	images: 'images',
	what: 'quoi',
	pictures: 'images',
	clear: 'effacer',
	overage: 'dépassement',
	usd: 'usd',
	report: 'rapport',
	settings: 'réglages',
	time_zone: 'fuseau_horaire',
	language: 'langue',
	notices: 'avis',
	log: 'journal',
	off: 'arrêter',
	cooldown: 'délai',
	at_once: 'simultanées',
	block: 'bloquer',
	unblock: 'débloquer',
	allow: 'autoriser',
	disallow: 'ne_plus_autoriser',
	ban: 'interdire',
	words: 'mots',
	unban: 'ne_plus_interdire',
	spoiler: 'masquer',
	on: 'activé',
	which: 'laquelle',
	'Open a thread to talk in': 'Ouvrir un fil pour discuter',
	'What to begin with': 'Par quoi commencer',
	'Which model answers; /models lists them': 'Quel modèle répond ; /models les liste',
	'`{option}` is not the name of a model; /models lists them.':
		'`{option}` n’est pas un nom de modèle ; /models les liste.',
	'Answer only what mentions me': 'Ne répondre que si l’on me mentionne',
	'Chat with {name}': 'Discussion avec {name}',
	'Make one picture from two or three': 'Faire une seule image à partir de deux ou trois',
	'Composing {prompt}': 'Composition de {prompt}',
	'The first picture, "image 1" in the prompt': 'La première image, « image 1 » dans le prompt',
	'The second picture, "image 2" in the prompt': 'La deuxième image, « image 2 » dans le prompt',
	'How to put them together; call them image 1, image 2, image 3':
		'Comment les assembler ; appelez-les image 1, image 2, image 3',
	'The third picture, "image 3" in the prompt': 'La troisième image, « image 3 » dans le prompt',
	'Change a picture by an instruction': 'Modifier une image selon une consigne',
	'Editing {prompt}': 'Modification de {prompt}',
	'The picture to change': 'L’image à modifier',
	'What to change': 'Ce qu’il faut modifier',
	'Draw a picture from words': 'Dessiner une image à partir de mots',
	'Drawing {prompt}': 'Dessin de {prompt}',
	'What to draw': 'Ce qu’il faut dessiner',
	'What the cap is for': 'À quoi s’applique la limite',
	'How often it starts anew': 'À quelle fréquence elle repart de zéro',
	'What is counted; pictures if not said': 'Ce qui est compté ; les images par défaut',
	'Which channel; without it, this one': 'Quel salon ; sinon, celui-ci',
	'Which role; each of its members gets this cap, the best role counts':
		'Quel rôle ; chacun de ses membres a cette limite, le meilleur rôle compte',
	'Which member; without it, every member': 'Quel membre ; sinon, chaque membre',
	'The rules in force and what is used': 'Les règles en vigueur et ce qui est utilisé',
	'**Caps**': '**Limites**',
	'No caps are set.': 'Aucune limite n’est définie.',
	'**Rules**': '**Règles**',
	'**Used**': '**Utilisé**',
	'**Latest changes**': '**Derniers changements**',
	'Set a cap on calls, or on chat turns, a day or a month':
		'Limiter les appels, ou les tours de discussion, par jour ou par mois',
	'The most calls; one call is one request, whatever its variations':
		'Le maximum d’appels ; une demande compte un appel, quel que soit le nombre de variantes',
	'Set: {cap}.': 'Défini : {cap}.',
	'Take a cap away': 'Retirer une limite',
	'There is no such cap; `/limits show` lists them.': 'Cette limite n’existe pas ; `/limits show` les liste.',
	'Taken away: {cap}.': 'Retiré : {cap}.',
	'The most that this server may spend a month beyond the plan':
		'Le maximum que ce serveur peut dépenser par mois au-delà du forfait',
	'An amount in USD; 0 for nothing': 'Un montant en USD ; 0 pour rien',
	'`{option}` is an amount in USD such as 5 or 2.50, at most {most}.':
		'`{option}` est un montant en USD comme 5 ou 2.50, au plus {most}.',
	'Beyond the plan nothing is spent here.': 'Rien n’est dépensé ici au-delà du forfait.',
	'Beyond the plan at most {amount} a month may be spent here.':
		'Au plus {amount} par mois peuvent être dépensés ici au-delà du forfait.',
	'Time zone, language, notices, log, cooldown and how many requests of a member run at once':
		'Fuseau horaire, langue, avis, journal, délai et nombre de demandes simultanées par membre',
	'Where days and months begin, such as Europe/Berlin': 'Où commencent les jours et les mois, par exemple Europe/Paris',
	'`{option}` is not a time zone such as Europe/Berlin or America/New_York.':
		'`{option}` n’est pas un fuseau horaire comme Europe/Berlin ou America/New_York.',
	'What is said to moderators in their channels': 'La langue des messages aux modérateurs dans leurs salons',
	'Where moderators are told at 80 % and 100 % of a cap':
		'Où les modérateurs sont avertis à 80 % et 100 % d’une limite',
	'Seconds between two requests of a member; 0 for none': 'Secondes entre deux demandes d’un membre ; 0 pour aucune',
	'Requests of one member that run at once; more wait':
		'Demandes d’un membre traitées en même temps ; les autres attendent',
	'Let a member ask for no more pictures': 'Empêcher un membre de demander d’autres images',
	Whom: 'Qui',
	'{member} is blocked.': '{member} ne peut plus faire de demandes.',
	'Let a member ask for pictures again': 'Laisser un membre demander à nouveau des images',
	'{member} is not blocked.': '{member} peut déjà faire des demandes.',
	'{member} may ask again.': '{member} peut à nouveau faire des demandes.',
	'Who used what in a month, with a chart and a CSV file':
		'Qui a utilisé quoi en un mois, avec un graphique et un fichier CSV',
	'A month such as 2026-11; without it, this one': 'Un mois comme 2026-11 ; sinon, le mois en cours',
	'`{option}` is a month such as 2026-11.': '`{option}` est un mois comme 2026-11.',
	'`{option}` does not go with a cap for a {scope, select, server {server} channel {channel} role {role} other {member}}; nothing was changed.':
		'`{option}` ne va pas avec une limite pour {scope, select, server {un serveur} channel {un salon} role {un rôle} other {un membre}} ; rien n’a été changé.',
	'`{option}` is missing; nothing was changed.': '`{option}` manque ; rien n’a été changé.',
	'{whose}: {images, number} {what, select, chat {{images, plural, one {chat turn} other {chat turns}}} other {{images, plural, one {call} other {calls}}}} a {period, select, day {day} other {month}}':
		'{whose} : {images, number} {what, select, chat {{images, plural, one {tour de discussion} many {tours de discussion} other {tours de discussion}}} other {{images, plural, one {appel} many {appels} other {appels}}}} par {period, select, day {jour} other {mois}}',
	'this server': 'ce serveur',
	'every {scope, select, channel {channel} role {role} other {member}}':
		'chaque {scope, select, channel {salon} role {rôle} other {membre}}',
	'each member with {role}': 'chaque membre ayant {role}',
	'- Time zone: {timeZone}': '- Fuseau horaire : {timeZone}',
	'- Language of what is said to moderators: {language}': '- Langue des messages aux modérateurs : {language}',
	'- Beyond the plan: nothing': '- Au-delà du forfait : rien',
	'- Beyond the plan: at most {amount} a month': '- Au-delà du forfait : au plus {amount} par mois',
	'- One member at once: {atOnce, number}; cooldown: {cooldown, plural, =0 {none} other {# s}}':
		'- Simultanées par membre : {atOnce, number} ; délai : {cooldown, plural, =0 {aucun} other {# s}}',
	'- Notices: nowhere': '- Avis : nulle part',
	'- Notices: {channel}': '- Avis : {channel}',
	'- Blocked: {members}': '- Bloqués : {members}',
	'What the image service offers': 'Ce que propose le service d’images',
	'The image service offers:': 'Le service d’images propose :',
	'The image service names no models.': 'Le service d’images n’indique aucun modèle.',
	'`{option}` has a control character.': '`{option}` contient un caractère de contrôle.',
	'`{option}` has a broken character (half of a surrogate pair).':
		'`{option}` contient un caractère cassé (la moitié d’une paire de substitution).',
	'Width x height, such as 1024x1024': 'Largeur x hauteur, par exemple 1024x1024',
	'`{option}` is width x height, each {min} to {max}, such as 1024x1024.':
		'`{option}` est largeur x hauteur, chacune de {min} à {max}, par exemple 1024x1024.',
	'How many variations, 1 to 4; they cost one call together':
		'Combien de variantes, de 1 à 4 ; ensemble, elles coûtent un appel',
	'Image model; /models lists them': 'Modèle d’image ; /models les liste',
	'Sharper text, subjects kept in edits': 'Texte plus net, sujets conservés lors des modifications',
	'Only you see the result': 'Le résultat n’est visible que par vous',
	'What is used and left, at every layer, and when it starts anew':
		'Ce qui est utilisé et ce qui reste, à chaque niveau, et quand cela repart de zéro',
	'Somebody else; for moderators': 'Quelqu’un d’autre ; pour les modérateurs',
	'Only moderators may look at what somebody else used.':
		'Seuls les modérateurs peuvent voir ce que d’autres ont utilisé.',
	'Usage of {member}:': 'Utilisation de {member} :',
	'{count, plural, =1 {One request has pictures that could not be posted.} other {# requests have pictures that could not be posted.}}':
		'{count, plural, =1 {Une demande a des images qui n’ont pas pu être publiées.} one {# demande a des images qui n’ont pas pu être publiées.} many {# demandes ont des images qui n’ont pas pu être publiées.} other {# demandes ont des images qui n’ont pas pu être publiées.}}',
	'Show them here': 'Les montrer ici',
	'The file is empty.': 'Le fichier est vide.',
	'The file is not a picture; please send a PNG, JPEG, WebP or GIF.':
		'Le fichier n’est pas une image ; envoyez un PNG, JPEG, WebP ou GIF.',
	'This is {kind, select, avif {an AVIF picture} heic {a HEIC picture} jxl {a JPEG XL picture} jp2 {a JPEG 2000 picture} tiff {a TIFF picture} bmp {a BMP picture} svg {an SVG drawing} photoshop {a Photoshop file} pdf {a PDF file} other {a video}}; please send it as PNG, JPEG, WebP or GIF.':
		'C’est {kind, select, avif {une image AVIF} heic {une image HEIC} jxl {une image JPEG XL} jp2 {une image JPEG 2000} tiff {une image TIFF} bmp {une image BMP} svg {un dessin SVG} photoshop {un fichier Photoshop} pdf {un fichier PDF} other {une vidéo}} ; envoyez-le en PNG, JPEG, WebP ou GIF.',
	'The picture is {size, number} MB; at most {most, number} MB can be sent.':
		'L’image fait {size, number} Mo ; on peut en envoyer {most, number} Mo au plus.',
	'The picture is {width} × {height} pixels; at most {most, number} million can be sent.':
		'L’image fait {width} × {height} pixels ; on peut en envoyer {most, number} millions au plus.',
	'The picture is {width} × {height} pixels; at most {most} a side can be sent.':
		'L’image fait {width} × {height} pixels ; on peut en envoyer {most} de côté au plus.',
	'The picture is damaged.': 'L’image est endommagée.',
	'The picture is damaged (it ends too early).': 'L’image est endommagée (elle s’arrête trop tôt).',
	'A moderator has blocked you from asking for pictures here.': 'Un modérateur a bloqué vos demandes d’images ici.',
	'Wait {seconds, number} s before you ask again; moderators have set that here.':
		'Attendez {seconds, number} s avant la prochaine demande ; les modérateurs l’ont réglé ainsi ici.',
	'Only the last answer can be written anew, and only while this thread is remembered.':
		'Seule la dernière réponse peut être réécrite, et seulement tant que ce fil est gardé en mémoire.',
	'This answer is still being written.': 'Cette réponse est encore en cours d’écriture.',
	'Only whom this answers, or a moderator, can do that.':
		'Seules les personnes à qui cela répond, ou un modérateur, peuvent le faire.',
	'A moderator has blocked you from asking here.': 'Un modérateur a bloqué vos demandes ici.',
	'Easel is being restarted; nothing was counted. Ask again in a minute.':
		'Easel redémarre ; rien n’a été compté. Redemandez dans une minute.',
	'There is no command {command}.': 'La commande {command} n’existe pas.',
	'Here is what I can do:': 'Voici ce que je sais faire :',
	'Your references are put away.': 'Vos références ont été retirées.',
	'What was asked for here is no longer kept; use the command instead.':
		'Ce qui avait été demandé ici n’est plus gardé ; utilisez plutôt la commande.',
	'The picture that was sent for this is no longer kept (30 days); send it once more.':
		'L’image envoyée pour cela n’est plus gardée (30 jours) ; envoyez-la encore une fois.',
	'Use as reference': 'Prendre en référence',
	'There is no picture in this message any more.': 'Il n’y a plus d’image dans ce message.',
	'Press **{label}** under another picture, or compose now.':
		'Appuyez sur **{label}** sous une autre image, ou composez maintenant.',
	'That is the most.': 'C’est le maximum.',
	'Kept as image {count, number} of your next composition, for an hour.':
		'Gardée une heure comme image {count, number} de votre prochaine composition.',
	'Only who asked for this picture, or a moderator, can delete it.':
		'Seul un modérateur ou la personne qui a demandé cette image peut la supprimer.',
	'Only a moderator can delete this: who asked is no longer known.':
		'Seul un modérateur peut supprimer ceci : on ne sait plus qui l’a demandé.',
	Picture: 'Image',
	'Here is what could not be posted.': 'Voici ce qui n’avait pas pu être publié.',
	'Nothing is waiting for you.': 'Rien ne vous attend.',
	'This button is from another version of Easel and does nothing any more; use the command instead.':
		'Ce bouton vient d’une autre version d’Easel et ne fait plus rien ; utilisez plutôt la commande.',
	'Whoever mentions me here gets an answer.': 'Qui me mentionne ici reçoit une réponse.',
	'Whatever you write here, I answer.': 'Je réponds à tout ce que vous écrivez ici.',
	"I remember what was said in this thread; write `forget`, and I don't any more.":
		'Je me souviens de ce qui est dit dans ce fil ; écrivez `forget`, et je l’oublie.',
	'`draw a red fox` makes a picture; a picture with an instruction is changed by it. Both count as `/imagine` and `/edit` do.':
		'`draw a red fox` fait une image ; une image avec une consigne est modifiée selon elle. Les deux comptent comme `/imagine` et `/edit`.',
	'From now on I answer only who mentions me here.': 'Désormais, je ne réponds ici que si l’on me mentionne.',
	'From now on I answer whatever is written here.': 'Désormais, je réponds à tout ce qui est écrit ici.',
	'Forgotten: what was said here before this message goes to the chat model no more.':
		'Oublié : ce qui a été dit ici avant ce message n’est plus transmis au modèle de discussion.',
	'*This thread has become long: from now on its oldest messages go to the chat model no more.*':
		'*Ce fil est devenu long : désormais, ses plus anciens messages ne sont plus transmis au modèle de discussion.*',
	'What is to be done with the picture? Send it once more, with an instruction.':
		'Que faut-il faire de l’image ? Envoyez-la encore une fois, avec une consigne.',
	'*Stopped.*': '*Arrêté.*',
	'*The answer breaks off here.*': '*La réponse s’interrompt ici.*',
	'*Interrupted: Easel was stopped while this was written.*': '*Interrompu : Easel a été arrêté pendant l’écriture.*',
	Stop: 'Arrêter',
	Retry: 'Réessayer',
	'Draw this': 'Dessiner ceci',
	Forget: 'Oublier',
	'Answer everything': 'Répondre à tout',
	'Answer mentions only': 'Mentions seulement',
	'The picture is finished but could not be posted. The call stays counted.':
		'L’image est terminée mais n’a pas pu être publiée. L’appel reste compté.',
	'The picture is finished but could not be posted here: /usage offers it.':
		'L’image est terminée mais n’a pas pu être publiée ici : /usage la propose.',
	'Something in this command could not be read.': 'Quelque chose dans cette commande n’a pas pu être lu.',
	'There is no option `{option}`.': 'L’option `{option}` n’existe pas.',
	'`{option}` is missing.': '`{option}` manque.',
	'`{option}` is empty.': '`{option}` est vide.',
	'`{option}` is at least {least}; you gave {given}.': '`{option}` vaut au moins {least} ; vous avez donné {given}.',
	'`{option}` is at most {most}; you gave {given}.': '`{option}` vaut au plus {most} ; vous avez donné {given}.',
	'`{option}` has {count} characters; at most {most} are allowed.':
		'`{option}` a {count} caractères ; {most} au plus sont permis.',
	'`{option}` is one of {choices}.': '`{option}` est l’un de : {choices}.',
	'`{option}` is not {kind, select, string {a text} number {a whole number} int {a whole number} boolean {yes or no} other {what is expected here}}.':
		'`{option}` n’est pas {kind, select, string {un texte} number {un nombre entier} int {un nombre entier} boolean {oui ou non} other {ce qui est attendu ici}}.',
	'`{option}` is not a picture file.': '`{option}` n’est pas un fichier image.',
	'`{option}` can not be read.': '`{option}` ne peut pas être lu.',
	'The plan is used up: from now on pictures cost ({spent} so far).':
		'Le forfait est épuisé : désormais, les images coûtent de l’argent ({spent} jusqu’ici).',
	'{layer, select, plan {The plan} server {This server} other {A channel}} has used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}{reached, select, yes {; that was the last} other {}}.':
		'{layer, select, plan {Le forfait} server {Ce serveur} other {Un salon}} a utilisé {used, number} sur {limit, number} {what, select, chat {{limit, plural, one {tour de discussion} many {tours de discussion} other {tours de discussion}}} other {{limit, plural, one {appel} many {appels} other {appels}}}} {period, select, day {aujourd’hui} other {ce mois-ci}}{reached, select, yes { ; c’était le dernier} other {}}.',
	'The picture could not be fetched; send it once more, with at most 10 MB.':
		'L’image n’a pas pu être récupérée ; envoyez-la encore une fois, avec 10 Mo au plus.',
	'Something is being answered here; wait until it stands.':
		'Une réponse est en cours ici ; attendez qu’elle soit terminée.',
	'What was written here is no longer remembered; write `draw` and what you want to see.':
		'Ce qui était écrit ici n’est plus gardé en mémoire ; écrivez `draw` et ce que vous voulez voir.',
	'This thread is none of mine any more; mention me to call me in again.':
		'Ce fil n’est plus l’un des miens ; mentionnez-moi pour m’y rappeler.',
	'The plan is used up, and beyond it this server has spent {used} of {limit} this month. A new month starts {when}.':
		'Le forfait est épuisé, et au-delà ce serveur a dépensé {used} sur {limit} ce mois-ci. Un nouveau mois commence {when}.',
	"{layer, select, plan {This Easel's plan has} server {This server has} channel {This channel has} other {You have}} used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}. A new {period, select, day {day} other {month}} starts {when}.":
		'{layer, select, plan {Le forfait de cet Easel a} server {Ce serveur a} channel {Ce salon a} other {Vous avez}} utilisé {used, number} sur {limit, number} {what, select, chat {{limit, plural, one {tour de discussion} many {tours de discussion} other {tours de discussion}}} other {{limit, plural, one {appel} many {appels} other {appels}}}} {period, select, day {aujourd’hui} other {ce mois-ci}}. Un nouveau {period, select, day {jour} other {mois}} commence {when}.',
	'{count, plural, one {# call} other {# calls}} today':
		'{count, plural, one {# appel} many {# appels} other {# appels}} aujourd’hui',
	'{left, number} of {limit, number} left {period, select, day {today} other {this month}}{layer, select, plan { in the plan} server { for this server} channel { in this channel} other {}}':
		'il en reste {left, number} sur {limit, number} {period, select, day {aujourd’hui} other {ce mois-ci}}{layer, select, plan { dans le forfait} server { pour ce serveur} channel { dans ce salon} other {}}',
	'Spent here beyond the plan: {used} of {limit} this month':
		'Dépensé ici au-delà du forfait : {used} sur {limit} ce mois-ci',
	'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number}; anew {when}':
		'{layer, select, plan {Le forfait} server {Ce serveur} channel {Ce salon} role {Vous, par votre rôle} other {Vous}}{what, select, chat {, tours de discussion} other {}} {period, select, day {aujourd’hui} other {ce mois-ci}} : {used, number} ; à nouveau {when}',
	'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number} of {limit, number}, {left, number} left; anew {when}':
		'{layer, select, plan {Le forfait} server {Ce serveur} channel {Ce salon} role {Vous, par votre rôle} other {Vous}}{what, select, chat {, tours de discussion} other {}} {period, select, day {aujourd’hui} other {ce mois-ci}} : {used, number} sur {limit, number}, reste {left, number} ; à nouveau {when}',
	'{status} … {seconds, number} s': '{status} … {seconds, number} s',
	'{status} … waiting, {line, plural, =1 {next} other {number #}} in line':
		'{status} … en attente, {line, plural, =1 {le prochain} other {numéro #}} dans la file',
	'Easel was stopped while this ran: only {kept, number} of {asked, number} pictures could be saved.':
		'Easel a été arrêté pendant l’exécution : seulement {kept, number} sur {asked, number} images ont pu être conservées.',
	'Easel was stopped while this ran. {cost} You can ask again.':
		'Easel a été arrêté pendant l’exécution. {cost} Vous pouvez redemander.',
	"Easel's records can't be reached, so nothing was asked for. Try again in a minute.":
		'Les registres d’Easel sont injoignables, rien n’a donc été demandé. Réessayez dans une minute.',
	'Something went wrong in Easel (reference {reference}).':
		'Quelque chose s’est mal passé dans Easel (référence {reference}).',
	'Nothing was counted.': 'Rien n’a été compté.',
	'The call was counted.': 'L’appel a été compté.',
	'The call stays counted, since the service may have made it.':
		'L’appel reste compté, car le service l’a peut-être effectué.',
	': {detail}': ' : {detail}',
	"The image service does not accept this bot's key; whoever runs Easel has to look at SERVICE_API_KEY.":
		'Le service d’images n’accepte pas la clé de ce bot ; la personne qui gère Easel doit vérifier SERVICE_API_KEY.',
	'The plan at the image service is used up and its balance is empty.':
		'Le forfait auprès du service d’images est épuisé et son solde est vide.',
	'The image service refused this by its content rules{said}. {asked, select, picture {Try other words or another picture.} other {Try other words.}}':
		'Le service d’images a refusé ceci selon ses règles de contenu{said}. {asked, select, picture {Essayez d’autres mots ou une autre image.} other {Essayez d’autres mots.}}',
	'The image service did not take the request{said}.': 'Le service d’images n’a pas accepté la demande{said}.',
	'The image service is busy. Try again in a minute.': 'Le service d’images est occupé. Réessayez dans une minute.',
	'The image service is busy. Try again in {seconds, number} s.':
		'Le service d’images est occupé. Réessayez dans {seconds, number} s.',
	"The image service can't be reached right now. Try again in a minute.":
		'Le service d’images est injoignable pour le moment. Réessayez dans une minute.',
	'The image service failed (status {status}){said}.': 'Le service d’images a échoué (statut {status}){said}.',
	'The image service gave no answer.': 'Le service d’images n’a pas répondu.',
	'The image service gave no whole answer.': 'Le service d’images n’a pas donné de réponse complète.',
	'The image service gave no answer, so nobody knows whether it made the picture.':
		'Le service d’images n’a pas répondu, personne ne sait donc s’il a fait l’image.',
	'The image service answered something that is no {asked, select, picture {picture} other {text}}.':
		'Le service d’images a répondu quelque chose qui n’est pas {asked, select, picture {une image} other {un texte}}.',
	'({index, number} of {count, number})': '({index, number} sur {count, number})',
	'AI-generated for {name}': 'Généré par IA pour {name}',
	Edit: 'Modifier',
	Delete: 'Supprimer',
	Again: 'Encore',
	other: 'autres',
	forecast: 'prévision',
	'Daily cap: {count, number}': 'Limite par jour : {count, number}',
	'day ({timeZone})': 'jour ({timeZone})',
	calls: 'appels',
	'No calls in {month}': 'Aucun appel en {month}',
	'daily cap': 'limite par jour',
	'{count, number} failed': '{count, number} en échec',
	'{count, number} with an unknown outcome': '{count, number} à l’issue inconnue',
	'{amount} USD beyond the plan': '{amount} USD au-delà du forfait',
	'{count, plural, one {# call} other {# calls}}': '{count, plural, one {# appel} many {# appels} other {# appels}}',
	'{count, plural, one {# picture} other {# pictures}}':
		'{count, plural, one {# image} many {# images} other {# images}}',
	'Bar chart: calls per day in {month} ({timeZone}), stacked by command':
		'Graphique à barres : appels par jour en {month} ({timeZone}), empilés par commande',
	'No calls were counted': 'Aucun appel n’a été compté',
	'Busiest day: {day} with {count, number}': 'Jour le plus chargé : {day} avec {count, number}',
	'Calls per day, {month}': 'Appels par jour, {month}',
	'Monthly cap: {count, number}': 'Limite par mois : {count, number}',
	'At this pace {calls, plural, one {# call} other {# calls}} and {amount} USD by {day}':
		'À ce rythme, {calls, plural, one {# appel} many {# appels} other {# appels}} et {amount} USD d’ici le {day}',
	'At this pace {calls, plural, one {# call} other {# calls}} by {day}':
		'À ce rythme, {calls, plural, one {# appel} many {# appels} other {# appels}} d’ici le {day}',
	'Used up by {day}': 'Épuisé d’ici le {day}',
	'Nobody used anything in {month}.': 'Personne n’a rien utilisé en {month}.',
	Calls: 'Appels',
	Pictures: 'Images',
	Failed: 'Échecs',
	Unknown: 'Inconnus',
	Member: 'Membre',
	'and {count, number} more': 'et {count, number} de plus',
	'in all': 'en tout',
	'Only moderators may use {command}.': 'Seuls les modérateurs peuvent utiliser {command}.',
	'There is no picture in this message.': 'Il n’y a pas d’image dans ce message.',
	'Which picture of the message': 'Quelle image du message',
	'Which pictures of the message': 'Quelles images du message',
	'A further picture: then they are composed, this one first':
		'Une image de plus : elles sont alors composées, celle-ci en premier',
	'With further pictures: width x height of what they become': 'Avec d’autres images : largeur x hauteur du résultat',
	'Edit image': 'Modifier l’image',
	'Compose images': 'Composer les images',
	'`size` is for several pictures: one that is edited keeps its size. Add a picture, or leave it out.':
		'`size` est pour plusieurs images : une image modifiée garde sa taille. Ajoutez une image, ou laissez-le vide.',
	'`model` is for one picture: a composition has its own. Leave it out, or the further pictures.':
		'`model` est pour une seule image : une composition a le sien. Laissez-le vide, ou retirez les autres images.',
	'Your references were kept for an hour and are gone; choose them anew.':
		'Vos références ont été gardées une heure et ont disparu ; choisissez-les à nouveau.',
	'You have chosen {count} references already, which is the most.':
		'Vous avez déjà choisi {count} références, c’est le maximum.',
	Compose: 'Composer',
	'Start over': 'Recommencer',
	'Image {number}: your reference.': 'Image {number} : votre référence.',
	'Image {number}: from this message.': 'Image {number} : de ce message.',
	'What you choose comes next, then the files.': 'Ce que vous choisissez vient ensuite, puis les fichiers.',
	'`which` names pictures of the message, each once: 1 to {count}.':
		'`which` désigne des images du message, chacune une fois : de 1 à {count}.',
	'`which` is missing: choose the pictures of the message.': '`which` manque : choisissez les images du message.',
	'That makes {count} pictures; a composition takes two or three.':
		'Cela fait {count} images ; une composition en prend deux ou trois.',
	'This form is no longer kept; please start again.': 'Ce formulaire n’est plus gardé ; veuillez recommencer.',
	'Try again': 'Réessayer',
	'I may not open private threads here: a moderator can give me Create Private Threads.':
		'Je ne peux pas ouvrir de fils privés ici : un modérateur peut me donner la permission « Créer des fils privés ».',
	'There are no private threads in a channel of this kind.': 'Il n’y a pas de fils privés dans un salon de ce type.',
	'Only you see the thread': 'Le fil n’est visible que par vous',
	'- May be asked: everywhere': '- Demandes permises : partout',
	'- May be asked in: {channels}': '- Demandes permises dans : {channels}',
	'- May ask: members with {roles}': '- Peuvent demander : les membres ayant {roles}',
	'- Covered results: nowhere': '- Résultats masqués : nulle part',
	'- Covered results in: {channels}': '- Résultats masqués dans : {channels}',
	'- Banned words: {count, plural, =0 {none} other {#}}': '- Mots interdits : {count, plural, =0 {aucun} other {#}}',
	'- Log of pictures: nowhere': '- Journal des images : nulle part',
	'- Log of pictures: {channel}': '- Journal des images : {channel}',
	'{list} and {more, number} more': '{list} et {more, number} de plus',
	'Let pictures and chats be asked for only in some channels, or only by some roles':
		'Ne permettre images et discussions que dans certains salons ou à certains rôles',
	'A channel to ask in; with none allowed, everywhere': 'Un salon où demander ; si aucun n’est autorisé, partout',
	'A role that may ask; with none allowed, everybody':
		'Un rôle qui peut demander ; si aucun n’est autorisé, tout le monde',
	'Take a channel or a role off the list of where and by whom may be asked':
		'Retirer un salon ou un rôle de la liste des autorisés',
	'A channel that was allowed': 'Un salon qui était autorisé',
	'A role that was allowed': 'Un rôle qui était autorisé',
	'That was not on the list of what is allowed; `/limits show` has it.':
		'Ce n’était pas sur la liste de ce qui est autorisé ; `/limits show` la montre.',
	'Name a channel or a role; nothing was changed.': 'Indiquez un salon ou un rôle ; rien n’a été changé.',
	'At most {most, number} can be listed; nothing was changed.':
		'La liste en contient {most, number} au plus ; rien n’a été changé.',
	'Ban words and phrases from what is asked for': 'Interdire des mots et expressions dans les demandes',
	'Words or phrases, with commas between them; snow* is every word that begins so':
		'Mots ou expressions, séparés par des virgules ; neige* vaut pour tout mot qui commence ainsi',
	'At most {most, number} words can be banned; nothing was changed.':
		'On peut interdire {most, number} mots au plus ; rien n’a été changé.',
	'Take words and phrases off the list of banned ones': 'Retirer des mots et expressions de la liste des interdits',
	'Words or phrases as they were banned, with commas between them':
		'Mots ou expressions tels qu’interdits, séparés par des virgules',
	'None of that is banned; `/limits show` has the list.':
		'Rien de cela n’est interdit ; `/limits show` montre la liste.',
	'Name words or phrases, with commas between them; nothing was changed.':
		'Indiquez des mots ou expressions, séparés par des virgules ; rien n’a été changé.',
	'A word or phrase has at most {most, number} characters; nothing was changed.':
		'Un mot ou une expression a {most, number} caractères au plus ; rien n’a été changé.',
	'Cover the pictures that are made in a channel until somebody wants to see them':
		'Masquer les images faites dans un salon jusqu’à ce que quelqu’un veuille les voir',
	'Whether they are covered': 'Si elles sont masquées',
	'Where moderators see every picture that is made': 'Où les modérateurs voient chaque image faite',
	'What is told nowhere any more': 'Ce qui n’est plus signalé nulle part',
	'This can be asked for only in {channels}; moderators have set that here.':
		'Cela ne peut être demandé que dans {channels} ; les modérateurs l’ont réglé ainsi ici.',
	'Only members with {roles} may ask for this; moderators have set that here.':
		'Seuls les membres ayant {roles} peuvent demander cela ; les modérateurs l’ont réglé ainsi ici.',
	'This has a word in it that moderators have banned here. Nothing was counted.':
		'Cela contient un mot que les modérateurs ont interdit ici. Rien n’a été compté.',
	'A rule of this server does not allow these words: {rule}.':
		'Une règle de ce serveur n’autorise pas ces mots : {rule}.',
	'**{command}** by {member}: {prompt}': '**{command}** par {member} : {prompt}',
	'In {channel}': 'Dans {channel}',
	'In a direct message': 'En message privé',
	'Only they see the result.': 'Le résultat n’est visible que par cette personne.',
	'The pictures could not be posted, and wait for them under /usage.':
		'Les images n’ont pas pu être publiées et attendent sous /usage.',
	'The pictures are not shown here: there are too many at once.':
		'Les images ne sont pas montrées ici : il y en a trop à la fois.',
	'The pictures are not shown here: they could not be posted.':
		'Les images ne sont pas montrées ici : elles n’ont pas pu être publiées.',
	'[Go to the message]({link})': '[Aller au message]({link})',
	Remove: 'Retirer',
	Block: 'Bloquer',
	Hide: 'Masquer',
	'Removed by {moderator}.': 'Retiré par {moderator}.',
	'Covered by {moderator}.': 'Masqué par {moderator}.',
	'{member} was blocked by {moderator}.': '{moderator} a bloqué {member}.',
	'{moderator} could not remove it: it can not be reached any more.':
		'{moderator} n’a pas pu le retirer : il n’est plus accessible.',
	'{moderator} could not cover it: it can not be reached any more.':
		'{moderator} n’a pas pu le masquer : il n’est plus accessible.',
	'Only moderators can do that.': 'Seuls les modérateurs peuvent le faire.',
	'What this was about is no longer kept.': 'Ce dont il s’agissait n’est plus gardé.',
	Prompt: 'Prompt',
	'More of the same request:': 'La suite de la même demande :',
	'{number, plural, =0 {Packed} other {Picture #: packed}} tighter to fit; every pixel is as it was.':
		'{number, plural, =0 {Compressée} other {Image # : compressée}} davantage pour tenir ; chaque pixel est inchangé.',
	'{number, plural, =0 {Scaled} other {Picture #: scaled}} from {before} to {after}, since {where, select, direct {direct messages take} other {this server takes}} at most {megabytes, number} MB.':
		'{number, plural, =0 {Réduite} other {Image # : réduite}} de {before} à {after}, car {where, select, direct {les messages privés acceptent} other {ce serveur accepte}} {megabytes, number} Mo au plus.',
	'You asked for this in {where}, where it could not be posted.{why}':
		'Vous l’avez demandé dans {where}, où cela n’a pas pu être publié.{why}',
	'This could not be posted here; it went to who asked, as a direct message.':
		'Cela n’a pas pu être publié ici ; la personne qui l’a demandé l’a reçu en message privé.',
	"I remember what was said here; write `forget`, and I don't any more.":
		'Je me souviens de ce qui est dit ici ; écrivez `forget`, et je l’oublie.',
	'I remember nothing of this channel: write `forget` in the thread that it is about.':
		'Je ne garde rien de ce salon en mémoire : écrivez `forget` dans le fil concerné.',
	'I am not in this channel. Invite me with `/invite @{name}`, then ask again.':
		'Je ne suis pas dans ce canal. Invitez-moi avec `/invite @{name}`, puis redemandez.',
	'Easel lacks the permission `{scope}` in this workspace: an admin has to add it to the app and install it once more.':
		'Il manque à Easel la permission `{scope}` dans cet espace de travail : un admin doit l’ajouter à l’application et la réinstaller.',
	'This channel is archived; ask in another one.': 'Ce canal est archivé ; demandez dans un autre.',
	'The admins of this workspace let only some people post here; ask in another channel.':
		'Les admins de cet espace de travail ne laissent publier ici que certaines personnes ; demandez dans un autre canal.',
	'There are no threads in this channel; ask in another one.':
		'Il n’y a pas de fils dans ce canal ; demandez dans un autre.',
	'This thread is locked; ask outside of it.': 'Ce fil est verrouillé ; demandez en dehors.',
	'Uploads are turned off in this workspace, so no picture can be shown; a workspace admin can turn them on under Permissions.':
		'Les envois de fichiers sont désactivés dans cet espace de travail, aucune image ne peut donc être montrée ; un admin peut les activer dans les autorisations.',
	'The admins of this workspace let no file through that is as large as this picture.':
		'Les admins de cet espace de travail ne laissent passer aucun fichier aussi gros que cette image.',
	"This workspace's storage is full; an admin has to make room before pictures can be posted.":
		'Le stockage de cet espace de travail est plein ; un admin doit faire de la place avant que des images puissent être publiées.',
	'Slack lets me send you no direct messages.': 'Slack ne me laisse pas vous envoyer de messages privés.',
	'Slack lets me send you no direct messages: whoever runs Easel has to turn on the Messages Tab of its app.':
		'Slack ne me laisse pas vous envoyer de messages privés : la personne qui gère Easel doit activer l’onglet Messages de son application.',
	'Slack did not wait long enough to show the form; try once more.':
		'Slack n’a pas attendu assez longtemps pour montrer le formulaire ; réessayez.',
	'Slack no longer lets Easel in here; an admin has to install it once more.':
		'Slack ne laisse plus entrer Easel ici ; un admin doit le réinstaller.',
	'Slack does not show {count, plural, one {the picture} other {the pictures}} in here yet; see below, in the thread.':
		'Slack ne montre pas encore {count, plural, one {l’image} many {les images} other {les images}} ici ; voyez plus bas, dans le fil.',
	'Show picture': 'Montrer l’image',
	'I answer you in our direct messages.': 'Je vous réponds dans nos messages privés.',
	'I show it to you in our direct messages.': 'Je vous le montre dans nos messages privés.',
	'Let us talk over here.': 'Parlons par ici.',
	'This picture is no longer kept.': 'Cette image n’est plus gardée.',
	'Slack does not say what this file is: send it once more.':
		'Slack ne dit pas ce qu’est ce fichier : envoyez-le encore une fois.',
	'`{command}` takes {most, plural, =0 {no pictures} one {one picture} other {at most # pictures}}; you sent {count}.':
		'`{command}` prend {most, plural, =0 {aucune image} one {une image} many {# images au plus} other {# images au plus}} ; vous en avez envoyé {count}.',
	'`{option}` is chosen in the form.': '`{option}` se choisit dans le formulaire.',
	'Choose {least} to {most}.': 'Choisissez-en de {least} à {most}.',
	'This file has {megabytes} MB; at most 10 MB are allowed.':
		'Ce fichier fait {megabytes} Mo ; 10 Mo au plus sont permis.',
	'At most {most, plural, one {one picture} other {# pictures}} in all.':
		'Au plus {most, plural, one {une image} many {# images} other {# images}} en tout.',
	Choose: 'Choisir',
	Yes: 'Oui',
	Submit: 'Envoyer',
	Cancel: 'Annuler',
	'`/{command}` goes on with one of these:': '`/{command}` se poursuit avec l’un de ceux-ci :',
	'There is no `/{command} {word}`; it is one of these:': '`/{command} {word}` n’existe pas ; c’est l’un de ceux-ci :',
	'Easel is being restarted; ask again in a minute.': 'Easel redémarre ; redemandez dans une minute.',
	'Something went wrong in Easel; nothing was counted. Try once more.':
		'Quelque chose s’est mal passé dans Easel ; rien n’a été compté. Réessayez.',
	'{min} to {max}': '{min} à {max}',
	'This menu entry is from another version of Easel.': 'Cette entrée de menu vient d’une autre version d’Easel.',
	'This form is no longer open; please start again.': 'Ce formulaire n’est plus ouvert ; veuillez recommencer.',
	'Easel is not installed in this workspace any more; an admin has to install it once more.':
		'Easel n’est plus installé dans cet espace de travail ; un admin doit le réinstaller.',
	'Slack or the store does not answer right now; nothing was counted. Try again in a minute.':
		'Slack ou le stockage ne répond pas pour le moment ; rien n’a été compté. Réessayez dans une minute.',
	'is writing …': 'écrit …',
	'“This server” is the one where you have used me last: its rules hold here, too.':
		'« Ce serveur » est celui où vous m’avez utilisé en dernier : ses règles valent aussi ici.',
	'The channel is gone.': 'Le salon n’existe plus.',
	'I am no member here myself, so I can only answer for a few minutes.':
		'Je ne suis pas membre ici, je ne peux donc répondre que pendant quelques minutes.',
	'I may not see {where}: a moderator can give me *View Channel* there.':
		'Je ne peux pas voir {where} : un modérateur peut m’y donner *Voir le salon*.',
	'I may not open threads here: a moderator can give me *Create Public Threads* and *Send Messages in Threads*.':
		'Je ne peux pas ouvrir de fils ici : un modérateur peut me donner *Créer des fils publics* et *Envoyer des messages dans les fils*.',
	'I may not post in {where}: a moderator can give me {threads, select, yes {*Send Messages in Threads*} other {*Send Messages*}} and *Attach Files* there.':
		'Je ne peux pas publier dans {where} : un modérateur peut m’y donner {threads, select, yes {*Envoyer des messages dans les fils*} other {*Envoyer des messages*}} et *Joindre des fichiers*.',
	'The thread {where} is locked: a moderator can unlock it.':
		'Le fil {where} est verrouillé : un modérateur peut le déverrouiller.',
	'This server has as many open threads as it can have; close some first.':
		'Ce serveur a autant de fils ouverts que possible ; fermez-en d’abord quelques-uns.',
	'There are no threads in a channel of this kind; ask in another one.':
		'Il n’y a pas de fils dans un salon de ce type ; demandez dans un autre.',
	'You take no direct messages from me: allow them in the settings of a server that we share.':
		'Vous n’acceptez pas mes messages privés : autorisez-les dans les paramètres d’un serveur que nous partageons.',
	'I may answer here only a few times, since I am no member myself; ask once more.':
		'Je ne peux répondre ici que quelques fois, car je n’en suis pas membre ; redemandez.',
	'This is larger than what may be uploaded in {where}.': 'C’est plus gros que ce qui peut être envoyé dans {where}.',
	'There can be no threads here, since I am no member myself; write to me directly instead.':
		'Il ne peut pas y avoir de fils ici, car je n’en suis pas membre ; écrivez-moi plutôt directement.',
	'Only the requester may see this, and Discord takes no private answer any more.':
		'Seule la personne qui l’a demandé peut voir ceci, et Discord n’accepte plus de réponse privée.',
	'What you have used': 'Ce que vous avez utilisé',
	'Your last pictures': 'Vos dernières images',
};
