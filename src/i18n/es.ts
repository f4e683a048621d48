import type { Catalogue } from './en.ts';

export const es: Catalogue = {
	imagine: 'imaginar',
	prompt: 'prompt',
	size: 'tamaño',
	n: 'cantidad',
	model: 'modelo',
	private: 'privado',
	edit: 'editar',
	image: 'imagen',
	compose: 'componer',
	image1: 'imagen1',
	image2: 'imagen2',
	image3: 'imagen3',
	chat: 'charlar',
	mentions_only: 'solo_menciones',
	usage: 'uso',
	member: 'miembro',
	models: 'modelos',
	limits: 'límites',
	show: 'mostrar',
	set: 'fijar',
	scope: 'ámbito',
	server: 'servidor',
	channel: 'canal',
	role: 'rol',
	period: 'periodo',
	day: 'día',
	month: 'mes',
	images: 'imágenes',
	what: 'qué',
	pictures: 'imágenes',
	clear: 'quitar',
	overage: 'exceso',
	usd: 'usd',
	report: 'informe',
	settings: 'ajustes',
	time_zone: 'zona_horaria',
	language: 'idioma',
	notices: 'avisos',
	log: 'registro',
	off: 'apagar',
	cooldown: 'espera',
	at_once: 'a_la_vez',
	block: 'bloquear',
	unblock: 'desbloquear',
	allow: 'permitir',
	disallow: 'dejar_de_permitir',
	ban: 'prohibir',
	words: 'palabras',
	unban: 'dejar_de_prohibir',
	spoiler: 'ocultar',
	on: 'activado',
	which: 'cuál',
	'Open a thread to talk in': 'Abrir un hilo para hablar',
	'What to begin with': 'Con qué empezar',
	'Which model answers; /models lists them': 'Qué modelo responde; /models los muestra',
	'`{option}` is not the name of a model; /models lists them.':
		'`{option}` no es el nombre de un modelo; /models los muestra.',
	'Answer only what mentions me': 'Responder solo cuando me mencionen',
	'Chat with {name}': 'Charla con {name}',
	'Make one picture from two or three': 'Hacer una imagen a partir de dos o tres',
	'Composing {prompt}': 'Componiendo {prompt}',
	'The first picture, "image 1" in the prompt': 'La primera imagen, «image 1» en el prompt',
	'The second picture, "image 2" in the prompt': 'La segunda imagen, «image 2» en el prompt',
	'How to put them together; call them image 1, image 2, image 3': 'Cómo unirlas; llámalas image 1, image 2, image 3',
	'The third picture, "image 3" in the prompt': 'La tercera imagen, «image 3» en el prompt',
	'Change a picture by an instruction': 'Cambiar una imagen según una instrucción',
	'Editing {prompt}': 'Editando {prompt}',
	'The picture to change': 'La imagen que se cambia',
	'What to change': 'Qué cambiar',
	'Draw a picture from words': 'Dibujar una imagen a partir de palabras',
	'Drawing {prompt}': 'Dibujando {prompt}',
	'What to draw': 'Qué dibujar',
	'What the cap is for': 'Para qué es el límite',
	'How often it starts anew': 'Cada cuánto empieza de nuevo',
	'What is counted; pictures if not said': 'Qué se cuenta; si no se dice, imágenes',
	'Which channel; without it, this one': 'Qué canal; si no se dice, este',
	'Which role; each of its members gets this cap, the best role counts':
		'Qué rol; cada uno de sus miembros tiene este límite, cuenta el mejor rol',
	'Which member; without it, every member': 'Qué miembro; si no se dice, cada miembro',
	'The rules in force and what is used': 'Las reglas vigentes y lo que se ha usado',
	'**Caps**': '**Límites**',
	'No caps are set.': 'No hay límites fijados.',
	'**Rules**': '**Reglas**',
	'**Used**': '**Usado**',
	'**Latest changes**': '**Últimos cambios**',
	'Set a cap on calls, or on chat turns, a day or a month':
		'Fijar un límite de llamadas, o de turnos de charla, al día o al mes',
	'The most calls; one call is one request, whatever its variations':
		'El máximo de llamadas; una petición es una llamada, tenga las variantes que tenga',
	'Set: {cap}.': 'Fijado: {cap}.',
	'Take a cap away': 'Quitar un límite',
	'There is no such cap; `/limits show` lists them.': 'No existe ese límite; `/limits show` los muestra.',
	'Taken away: {cap}.': 'Quitado: {cap}.',
	'The most that this server may spend a month beyond the plan':
		'Lo máximo que este servidor puede gastar al mes más allá del plan',
	'An amount in USD; 0 for nothing': 'Una cantidad en USD; 0 para nada',
	'`{option}` is an amount in USD such as 5 or 2.50, at most {most}.':
		'`{option}` es una cantidad en USD como 5 o 2.50, como mucho {most}.',
	'Beyond the plan nothing is spent here.': 'Aquí no se gasta nada más allá del plan.',
	'Beyond the plan at most {amount} a month may be spent here.':
		'Más allá del plan se pueden gastar aquí como mucho {amount} al mes.',
	'Time zone, language, notices, log, cooldown and how many requests of a member run at once':
		'Zona horaria, idioma, avisos, registro, espera y peticiones simultáneas por miembro',
	'Where days and months begin, such as Europe/Berlin': 'Dónde empiezan los días y los meses, como Europe/Madrid',
	'`{option}` is not a time zone such as Europe/Berlin or America/New_York.':
		'`{option}` no es una zona horaria como Europe/Berlin o America/New_York.',
	'What is said to moderators in their channels': 'El idioma de los mensajes a los moderadores en sus canales',
	'Where moderators are told at 80 % and 100 % of a cap':
		'Dónde se avisa a los moderadores al 80 % y al 100 % de un límite',
	'Seconds between two requests of a member; 0 for none': 'Segundos entre dos peticiones de un miembro; 0 para ninguno',
	'Requests of one member that run at once; more wait':
		'Peticiones de un miembro que se hacen a la vez; las demás esperan',
	'Let a member ask for no more pictures': 'No dejar que un miembro pida más imágenes',
	Whom: 'A quién',
	'{member} is blocked.': '{member} está en la lista de bloqueos.',
	'Let a member ask for pictures again': 'Dejar que un miembro vuelva a pedir imágenes',
	'{member} is not blocked.': '{member} no está en la lista de bloqueos.',
	'{member} may ask again.': '{member} puede volver a pedir.',
	'Who used what in a month, with a chart and a CSV file': 'Quién usó qué en un mes, con un gráfico y un archivo CSV',
	'A month such as 2026-11; without it, this one': 'Un mes como 2026-11; si no se dice, el actual',
	'`{option}` is a month such as 2026-11.': '`{option}` es un mes como 2026-11.',
	'`{option}` does not go with a cap for a {scope, select, server {server} channel {channel} role {role} other {member}}; nothing was changed.':
		'`{option}` no va con un límite para {scope, select, server {un servidor} channel {un canal} role {un rol} other {un miembro}}; no se ha cambiado nada.',
	'`{option}` is missing; nothing was changed.': 'Falta `{option}`; no se ha cambiado nada.',
	'{whose}: {images, number} {what, select, chat {{images, plural, one {chat turn} other {chat turns}}} other {{images, plural, one {call} other {calls}}}} a {period, select, day {day} other {month}}':
		'{whose}: {images, number} {what, select, chat {{images, plural, one {turno de charla} many {turnos de charla} other {turnos de charla}}} other {{images, plural, one {llamada} many {llamadas} other {llamadas}}}} al {period, select, day {día} other {mes}}',
	'this server': 'este servidor',
	'every {scope, select, channel {channel} role {role} other {member}}':
		'cada {scope, select, channel {canal} role {rol} other {miembro}}',
	'each member with {role}': 'cada miembro con {role}',
	'- Time zone: {timeZone}': '- Zona horaria: {timeZone}',
	'- Language of what is said to moderators: {language}': '- Idioma de los mensajes a los moderadores: {language}',
	'- Beyond the plan: nothing': '- Más allá del plan: nada',
	'- Beyond the plan: at most {amount} a month': '- Más allá del plan: como mucho {amount} al mes',
	'- One member at once: {atOnce, number}; cooldown: {cooldown, plural, =0 {none} other {# s}}':
		'- A la vez por miembro: {atOnce, number}; espera: {cooldown, plural, =0 {ninguna} other {# s}}',
	'- Notices: nowhere': '- Avisos: en ninguna parte',
	'- Notices: {channel}': '- Avisos: {channel}',
	'- Blocked: {members}': '- Bloqueos: {members}',
	'What the image service offers': 'Lo que ofrece el servicio de imágenes',
	'The image service offers:': 'El servicio de imágenes ofrece:',
	'The image service names no models.': 'El servicio de imágenes no indica ningún modelo.',
	'`{option}` has a control character.': '`{option}` tiene un carácter de control.',
	'`{option}` has a broken character (half of a surrogate pair).':
		'`{option}` tiene un carácter roto (medio par sustituto).',
	'Width x height, such as 1024x1024': 'Ancho x alto, como 1024x1024',
	'`{option}` is width x height, each {min} to {max}, such as 1024x1024.':
		'`{option}` es ancho x alto, cada uno de {min} a {max}, como 1024x1024.',
	'How many variations, 1 to 4; they cost one call together': 'Cuántas variantes, de 1 a 4; juntas cuestan una llamada',
	'Image model; /models lists them': 'Modelo de imagen; /models los muestra',
	'Sharper text, subjects kept in edits': 'Texto más nítido, conserva los motivos al editar',
	'Only you see the result': 'Solo tú ves el resultado',
	'What is used and left, at every layer, and when it starts anew':
		'Lo usado y lo que queda, en cada nivel, y cuándo empieza de nuevo',
	'Somebody else; for moderators': 'Otra persona; para moderadores',
	'Only moderators may look at what somebody else used.': 'Solo los moderadores pueden ver lo que han usado otros.',
	'Usage of {member}:': 'Uso de {member}:',
	'{count, plural, =1 {One request has pictures that could not be posted.} other {# requests have pictures that could not be posted.}}':
		'{count, plural, =1 {Una petición tiene imágenes que no se pudieron publicar.} one {# petición tiene imágenes que no se pudieron publicar.} many {# peticiones tienen imágenes que no se pudieron publicar.} other {# peticiones tienen imágenes que no se pudieron publicar.}}',
	'Show them here': 'Mostrarlas aquí',
	'The file is empty.': 'El archivo está vacío.',
	'The file is not a picture; please send a PNG, JPEG, WebP or GIF.':
		'El archivo no es una imagen; envía un PNG, JPEG, WebP o GIF.',
	'This is {kind, select, avif {an AVIF picture} heic {a HEIC picture} jxl {a JPEG XL picture} jp2 {a JPEG 2000 picture} tiff {a TIFF picture} bmp {a BMP picture} svg {an SVG drawing} photoshop {a Photoshop file} pdf {a PDF file} other {a video}}; please send it as PNG, JPEG, WebP or GIF.':
		'Esto es {kind, select, avif {una imagen AVIF} heic {una imagen HEIC} jxl {una imagen JPEG XL} jp2 {una imagen JPEG 2000} tiff {una imagen TIFF} bmp {una imagen BMP} svg {un dibujo SVG} photoshop {un archivo de Photoshop} pdf {un archivo PDF} other {un vídeo}}; envíalo como PNG, JPEG, WebP o GIF.',
	'The picture is {size, number} MB; at most {most, number} MB can be sent.':
		'La imagen ocupa {size, number} MB; se pueden enviar como mucho {most, number} MB.',
	'The picture is {width} × {height} pixels; at most {most, number} million can be sent.':
		'La imagen tiene {width} × {height} píxeles; se pueden enviar como mucho {most, number} millones.',
	'The picture is {width} × {height} pixels; at most {most} a side can be sent.':
		'La imagen tiene {width} × {height} píxeles; se pueden enviar como mucho {most} por lado.',
	'The picture is damaged.': 'La imagen está dañada.',
	'The picture is damaged (it ends too early).': 'La imagen está dañada (termina demasiado pronto).',
	'A moderator has blocked you from asking for pictures here.':
		'Un moderador te ha bloqueado para pedir imágenes aquí.',
	'Wait {seconds, number} s before you ask again; moderators have set that here.':
		'Espera {seconds, number} s antes de volver a pedir; así lo han fijado aquí los moderadores.',
	'Only the last answer can be written anew, and only while this thread is remembered.':
		'Solo se puede reescribir la última respuesta, y solo mientras se recuerde este hilo.',
	'This answer is still being written.': 'Esta respuesta todavía se está escribiendo.',
	'Only whom this answers, or a moderator, can do that.':
		'Eso solo lo puede hacer a quien se responde, o un moderador.',
	'A moderator has blocked you from asking here.': 'Un moderador te ha bloqueado para pedir aquí.',
	'Easel is being restarted; nothing was counted. Ask again in a minute.':
		'Easel se está reiniciando; no se ha contado nada. Vuelve a pedirlo en un minuto.',
	'There is no command {command}.': 'No existe el comando {command}.',
	'Here is what I can do:': 'Esto es lo que sé hacer:',
	'Your references are put away.': 'Se han retirado tus referencias.',
	'What was asked for here is no longer kept; use the command instead.':
		'Lo que se pidió aquí ya no se conserva; usa el comando.',
	'The picture that was sent for this is no longer kept (30 days); send it once more.':
		'La imagen que se envió para esto ya no se conserva (30 días); envíala otra vez.',
	'Use as reference': 'Usar como referencia',
	'There is no picture in this message any more.': 'En este mensaje ya no hay ninguna imagen.',
	'Press **{label}** under another picture, or compose now.': 'Pulsa **{label}** bajo otra imagen, o compón ahora.',
	'That is the most.': 'Es el máximo.',
	'Kept as image {count, number} of your next composition, for an hour.':
		'Guardada durante una hora como imagen {count, number} de tu próxima composición.',
	'Only who asked for this picture, or a moderator, can delete it.':
		'Solo quien pidió esta imagen, o un moderador, puede eliminarla.',
	'Only a moderator can delete this: who asked is no longer known.':
		'Solo un moderador puede eliminar esto: ya no se sabe quién lo pidió.',
	Picture: 'Imagen',
	'Here is what could not be posted.': 'Aquí está lo que no se pudo publicar.',
	'Nothing is waiting for you.': 'No hay nada esperándote.',
	'This button is from another version of Easel and does nothing any more; use the command instead.':
		'Este botón es de otra versión de Easel y ya no hace nada; usa el comando.',
	'Whoever mentions me here gets an answer.': 'Quien me mencione aquí recibe una respuesta.',
	'Whatever you write here, I answer.': 'Respondo a todo lo que se escriba aquí.',
	"I remember what was said in this thread; write `forget`, and I don't any more.":
		'Recuerdo lo que se dice en este hilo; escribe `forget` y lo olvido.',
	'`draw a red fox` makes a picture; a picture with an instruction is changed by it. Both count as `/imagine` and `/edit` do.':
		'`draw a red fox` hace una imagen; una imagen con una instrucción se cambia según ella. Ambas cuentan como `/imagine` y `/edit`.',
	'From now on I answer only who mentions me here.': 'A partir de ahora solo respondo aquí a quien me mencione.',
	'From now on I answer whatever is written here.': 'A partir de ahora respondo a todo lo que se escriba aquí.',
	'Forgotten: what was said here before this message goes to the chat model no more.':
		'Olvidado: lo que se dijo aquí antes de este mensaje ya no llega al modelo de charla.',
	'*This thread has become long: from now on its oldest messages go to the chat model no more.*':
		'*Este hilo se ha hecho largo: a partir de ahora sus mensajes más antiguos ya no llegan al modelo de charla.*',
	'What is to be done with the picture? Send it once more, with an instruction.':
		'¿Qué hay que hacer con la imagen? Envíala otra vez, con una instrucción.',
	'*Stopped.*': '*Detenido.*',
	'*The answer breaks off here.*': '*La respuesta se corta aquí.*',
	'*Interrupted: Easel was stopped while this was written.*':
		'*Interrumpido: Easel se detuvo mientras se escribía esto.*',
	Stop: 'Detener',
	Retry: 'Reintentar',
	'Draw this': 'Dibujar esto',
	Forget: 'Olvidar',
	'Answer everything': 'Responder a todo',
	'Answer mentions only': 'Solo a menciones',
	'The picture is finished but could not be posted. The call stays counted.':
		'La imagen está terminada, pero no se pudo publicar. La llamada sigue contada.',
	'The picture is finished but could not be posted here: /usage offers it.':
		'La imagen está terminada, pero no se pudo publicar aquí: /usage la ofrece.',
	'Something in this command could not be read.': 'No se pudo leer algo de este comando.',
	'There is no option `{option}`.': 'No existe la opción `{option}`.',
	'`{option}` is missing.': 'Falta `{option}`.',
	'`{option}` is empty.': '`{option}` está vacío.',
	'`{option}` is at least {least}; you gave {given}.': '`{option}` es como mínimo {least}; has puesto {given}.',
	'`{option}` is at most {most}; you gave {given}.': '`{option}` es como máximo {most}; has puesto {given}.',
	'`{option}` has {count} characters; at most {most} are allowed.':
		'`{option}` tiene {count} caracteres; se permiten como mucho {most}.',
	'`{option}` is one of {choices}.': '`{option}` es uno de: {choices}.',
	'`{option}` is not {kind, select, string {a text} number {a whole number} int {a whole number} boolean {yes or no} other {what is expected here}}.':
		'`{option}` no es {kind, select, string {un texto} number {un número entero} int {un número entero} boolean {sí o no} other {lo que se espera aquí}}.',
	'`{option}` is not a picture file.': '`{option}` no es un archivo de imagen.',
	'`{option}` can not be read.': '`{option}` no se puede leer.',
	'The plan is used up: from now on pictures cost ({spent} so far).':
		'El plan está agotado: a partir de ahora las imágenes cuestan dinero ({spent} hasta ahora).',
	'{layer, select, plan {The plan} server {This server} other {A channel}} has used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}{reached, select, yes {; that was the last} other {}}.':
		'{layer, select, plan {El plan} server {Este servidor} other {Un canal}} ha usado {used, number} de {limit, number} {what, select, chat {{limit, plural, one {turno de charla} many {turnos de charla} other {turnos de charla}}} other {{limit, plural, one {llamada} many {llamadas} other {llamadas}}}} {period, select, day {hoy} other {este mes}}{reached, select, yes {; ya no queda nada} other {}}.',
	'The picture could not be fetched; send it once more, with at most 10 MB.':
		'No se pudo obtener la imagen; envíala otra vez, con 10 MB como mucho.',
	'Something is being answered here; wait until it stands.': 'Aquí se está respondiendo algo; espera a que termine.',
	'What was written here is no longer remembered; write `draw` and what you want to see.':
		'Lo que se escribió aquí ya no se recuerda; escribe `draw` y lo que quieres ver.',
	'This thread is none of mine any more; mention me to call me in again.':
		'Este hilo ya no es mío; mencióname para que vuelva.',
	'The plan is used up, and beyond it this server has spent {used} of {limit} this month. A new month starts {when}.':
		'El plan está agotado, y más allá de él este servidor ha gastado {used} de {limit} este mes. Un nuevo mes empieza {when}.',
	"{layer, select, plan {This Easel's plan has} server {This server has} channel {This channel has} other {You have}} used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}. A new {period, select, day {day} other {month}} starts {when}.":
		'{layer, select, plan {El plan de este Easel ha} server {Este servidor ha} channel {Este canal ha} other {Has}} usado {used, number} de {limit, number} {what, select, chat {{limit, plural, one {turno de charla} many {turnos de charla} other {turnos de charla}}} other {{limit, plural, one {llamada} many {llamadas} other {llamadas}}}} {period, select, day {hoy} other {este mes}}. Un nuevo {period, select, day {día} other {mes}} empieza {when}.',
	'{count, plural, one {# call} other {# calls}} today':
		'{count, plural, one {# llamada} many {# llamadas} other {# llamadas}} hoy',
	'{left, number} of {limit, number} left {period, select, day {today} other {this month}}{layer, select, plan { in the plan} server { for this server} channel { in this channel} other {}}':
		'{period, select, day {hoy} other {este mes}} quedan {left, number} de {limit, number}{layer, select, plan { en el plan} server { para este servidor} channel { en este canal} other {}}',
	'Spent here beyond the plan: {used} of {limit} this month':
		'Gastado aquí más allá del plan: {used} de {limit} este mes',
	'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number}; anew {when}':
		'{layer, select, plan {El plan} server {Este servidor} channel {Este canal} role {Tú, por tu rol} other {Tú}}{what, select, chat {, turnos de charla} other {}} {period, select, day {hoy} other {este mes}}: {used, number}; de nuevo {when}',
	'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number} of {limit, number}, {left, number} left; anew {when}':
		'{layer, select, plan {El plan} server {Este servidor} channel {Este canal} role {Tú, por tu rol} other {Tú}}{what, select, chat {, turnos de charla} other {}} {period, select, day {hoy} other {este mes}}: {used, number} de {limit, number}, quedan {left, number}; de nuevo {when}',
	'{status} … {seconds, number} s': '{status} … {seconds, number} s',
	'{status} … waiting, {line, plural, =1 {next} other {number #}} in line':
		'{status} … en espera, {line, plural, =1 {el siguiente} other {número #}} de la cola',
	'Easel was stopped while this ran: only {kept, number} of {asked, number} pictures could be saved.':
		'Easel se detuvo mientras esto se hacía: solo se pudieron guardar {kept, number} de {asked, number} imágenes.',
	'Easel was stopped while this ran. {cost} You can ask again.':
		'Easel se detuvo mientras esto se hacía. {cost} Puedes volver a pedirlo.',
	"Easel's records can't be reached, so nothing was asked for. Try again in a minute.":
		'No se puede acceder a los registros de Easel, así que no se ha pedido nada. Inténtalo de nuevo en un minuto.',
	'Something went wrong in Easel (reference {reference}).': 'Algo ha fallado en Easel (referencia {reference}).',
	'Nothing was counted.': 'No se ha contado nada.',
	'The call was counted.': 'La llamada se ha contado.',
	'The call stays counted, since the service may have made it.':
		'La llamada sigue contada, porque puede que el servicio la haya hecho.',
	': {detail}': ': {detail}',
	"The image service does not accept this bot's key; whoever runs Easel has to look at SERVICE_API_KEY.":
		'El servicio de imágenes no acepta la clave de este bot; quien gestiona Easel tiene que revisar SERVICE_API_KEY.',
	'The plan at the image service is used up and its balance is empty.':
		'El plan en el servicio de imágenes está agotado y su saldo está vacío.',
	'The image service refused this by its content rules{said}. {asked, select, picture {Try other words or another picture.} other {Try other words.}}':
		'El servicio de imágenes lo ha rechazado por sus reglas de contenido{said}. {asked, select, picture {Prueba con otras palabras o con otra imagen.} other {Prueba con otras palabras.}}',
	'The image service did not take the request{said}.': 'El servicio de imágenes no ha aceptado la petición{said}.',
	'The image service is busy. Try again in a minute.':
		'El servicio de imágenes está ocupado. Inténtalo de nuevo en un minuto.',
	'The image service is busy. Try again in {seconds, number} s.':
		'El servicio de imágenes está ocupado. Inténtalo de nuevo en {seconds, number} s.',
	"The image service can't be reached right now. Try again in a minute.":
		'No se puede acceder al servicio de imágenes en este momento. Inténtalo de nuevo en un minuto.',
	'The image service failed (status {status}){said}.': 'El servicio de imágenes ha fallado (estado {status}){said}.',
	'The image service gave no answer.': 'El servicio de imágenes no ha respondido.',
	'The image service gave no whole answer.': 'El servicio de imágenes no ha dado una respuesta completa.',
	'The image service gave no answer, so nobody knows whether it made the picture.':
		'El servicio de imágenes no ha respondido, así que nadie sabe si ha hecho la imagen.',
	'The image service answered something that is no {asked, select, picture {picture} other {text}}.':
		'El servicio de imágenes ha respondido algo que no es {asked, select, picture {una imagen} other {un texto}}.',
	'({index, number} of {count, number})': '({index, number} de {count, number})',
	'AI-generated for {name}': 'Generado por IA para {name}',
	Edit: 'Editar',
	Delete: 'Eliminar',
	Again: 'Otra vez',
	other: 'otros',
	forecast: 'previsión',
	'Daily cap: {count, number}': 'Límite diario: {count, number}',
	'day ({timeZone})': 'día ({timeZone})',
	calls: 'llamadas',
	'No calls in {month}': 'Ninguna llamada en {month}',
	'daily cap': 'límite diario',
	'{count, number} failed': '{count, number} con fallo',
	'{count, number} with an unknown outcome': '{count, number} con resultado desconocido',
	'{amount} USD beyond the plan': '{amount} USD más allá del plan',
	'{count, plural, one {# call} other {# calls}}':
		'{count, plural, one {# llamada} many {# llamadas} other {# llamadas}}',
	'{count, plural, one {# picture} other {# pictures}}':
		'{count, plural, one {# imagen} many {# imágenes} other {# imágenes}}',
	'Bar chart: calls per day in {month} ({timeZone}), stacked by command':
		'Gráfico de barras: llamadas por día en {month} ({timeZone}), apiladas por comando',
	'No calls were counted': 'No se contó ninguna llamada',
	'Busiest day: {day} with {count, number}': 'Día con más uso: {day} con {count, number}',
	'Calls per day, {month}': 'Llamadas por día, {month}',
	'Monthly cap: {count, number}': 'Límite mensual: {count, number}',
	'At this pace {calls, plural, one {# call} other {# calls}} and {amount} USD by {day}':
		'A este ritmo, {calls, plural, one {# llamada} many {# llamadas} other {# llamadas}} y {amount} USD hasta el {day}',
	'At this pace {calls, plural, one {# call} other {# calls}} by {day}':
		'A este ritmo, {calls, plural, one {# llamada} many {# llamadas} other {# llamadas}} hasta el {day}',
	'Used up by {day}': 'Agotado para el {day}',
	'Nobody used anything in {month}.': 'Nadie usó nada en {month}.',
	Calls: 'Llamadas',
	Pictures: 'Imágenes',
	Failed: 'Fallos',
	Unknown: 'Dudosas',
	Member: 'Miembro',
	'and {count, number} more': 'y {count, number} más',
	'in all': 'en total',
	'Only moderators may use {command}.': 'Solo los moderadores pueden usar {command}.',
	'There is no picture in this message.': 'En este mensaje no hay ninguna imagen.',
	'Which picture of the message': 'Qué imagen del mensaje',
	'Which pictures of the message': 'Qué imágenes del mensaje',
	'A further picture: then they are composed, this one first': 'Otra imagen: entonces se componen, esta primero',
	'With further pictures: width x height of what they become': 'Con más imágenes: ancho x alto del resultado',
	'Edit image': 'Editar imagen',
	'Compose images': 'Componer imágenes',
	'`size` is for several pictures: one that is edited keeps its size. Add a picture, or leave it out.':
		'`size` es para varias imágenes: una que se edita conserva su tamaño. Añade una imagen, o déjalo vacío.',
	'`model` is for one picture: a composition has its own. Leave it out, or the further pictures.':
		'`model` es para una sola imagen: una composición tiene el suyo. Déjalo vacío, o quita las demás imágenes.',
	'Your references were kept for an hour and are gone; choose them anew.':
		'Tus referencias se guardaron durante una hora y ya no están; elígelas de nuevo.',
	'You have chosen {count} references already, which is the most.':
		'Ya has elegido {count} referencias, que es el máximo.',
	Compose: 'Componer',
	'Start over': 'Empezar de nuevo',
	'Image {number}: your reference.': 'Imagen {number}: tu referencia.',
	'Image {number}: from this message.': 'Imagen {number}: de este mensaje.',
	'What you choose comes next, then the files.': 'Lo que elijas va después, y luego los archivos.',
	'`which` names pictures of the message, each once: 1 to {count}.':
		'`which` indica imágenes del mensaje, cada una una vez: de 1 a {count}.',
	'`which` is missing: choose the pictures of the message.': 'Falta `which`: elige las imágenes del mensaje.',
	'That makes {count} pictures; a composition takes two or three.':
		'Son {count} imágenes; una composición lleva dos o tres.',
	'This form is no longer kept; please start again.': 'Este formulario ya no se conserva; empieza de nuevo.',
	'Try again': 'Intentar de nuevo',
	'I may not open private threads here: a moderator can give me Create Private Threads.':
		'Aquí no puedo abrir hilos privados: un moderador puede darme el permiso «Crear hilos privados».',
	'There are no private threads in a channel of this kind.': 'En un canal de este tipo no hay hilos privados.',
	'Only you see the thread': 'Solo tú ves el hilo',
	'- May be asked: everywhere': '- Se puede pedir: en todas partes',
	'- May be asked in: {channels}': '- Se puede pedir en: {channels}',
	'- May ask: members with {roles}': '- Pueden pedir: miembros con {roles}',
	'- Covered results: nowhere': '- Resultados ocultos: en ninguna parte',
	'- Covered results in: {channels}': '- Resultados ocultos en: {channels}',
	'- Banned words: {count, plural, =0 {none} other {#}}':
		'- Palabras prohibidas: {count, plural, =0 {ninguna} other {#}}',
	'- Log of pictures: nowhere': '- Registro de imágenes: en ninguna parte',
	'- Log of pictures: {channel}': '- Registro de imágenes: {channel}',
	'{list} and {more, number} more': '{list} y {more, number} más',
	'Let pictures and chats be asked for only in some channels, or only by some roles':
		'Permitir imágenes y charlas solo en algunos canales, o solo a algunos roles',
	'A channel to ask in; with none allowed, everywhere':
		'Un canal donde pedir; si no se permite ninguno, en todas partes',
	'A role that may ask; with none allowed, everybody': 'Un rol que puede pedir; si no se permite ninguno, todos',
	'Take a channel or a role off the list of where and by whom may be asked':
		'Quitar un canal o un rol de la lista de permitidos',
	'A channel that was allowed': 'Un canal que estaba permitido',
	'A role that was allowed': 'Un rol que estaba permitido',
	'That was not on the list of what is allowed; `/limits show` has it.':
		'Eso no estaba en la lista de lo permitido; `/limits show` la muestra.',
	'Name a channel or a role; nothing was changed.': 'Indica un canal o un rol; no se ha cambiado nada.',
	'At most {most, number} can be listed; nothing was changed.':
		'La lista admite como mucho {most, number}; no se ha cambiado nada.',
	'Ban words and phrases from what is asked for': 'Prohibir palabras y frases en lo que se pide',
	'Words or phrases, with commas between them; snow* is every word that begins so':
		'Palabras o frases, separadas por comas; nieve* es cualquier palabra que empiece así',
	'At most {most, number} words can be banned; nothing was changed.':
		'Se pueden prohibir como mucho {most, number} palabras; no se ha cambiado nada.',
	'Take words and phrases off the list of banned ones': 'Quitar palabras y frases de la lista de prohibidas',
	'Words or phrases as they were banned, with commas between them':
		'Palabras o frases tal como se prohibieron, separadas por comas',
	'None of that is banned; `/limits show` has the list.':
		'Nada de eso está prohibido; `/limits show` muestra la lista.',
	'Name words or phrases, with commas between them; nothing was changed.':
		'Indica palabras o frases, separadas por comas; no se ha cambiado nada.',
	'A word or phrase has at most {most, number} characters; nothing was changed.':
		'Una palabra o frase tiene como mucho {most, number} caracteres; no se ha cambiado nada.',
	'Cover the pictures that are made in a channel until somebody wants to see them':
		'Ocultar las imágenes de un canal hasta que alguien quiera verlas',
	'Whether they are covered': 'Si se ocultan',
	'Where moderators see every picture that is made': 'Dónde ven los moderadores cada imagen que se hace',
	'What is told nowhere any more': 'Lo que ya no se comunica en ninguna parte',
	'This can be asked for only in {channels}; moderators have set that here.':
		'Esto solo se puede pedir en {channels}; así lo han fijado aquí los moderadores.',
	'Only members with {roles} may ask for this; moderators have set that here.':
		'Solo pueden pedir esto los miembros con {roles}; así lo han fijado aquí los moderadores.',
	'This has a word in it that moderators have banned here. Nothing was counted.':
		'Esto tiene una palabra que los moderadores han prohibido aquí. No se ha contado nada.',
	'A rule of this server does not allow these words: {rule}.':
		'Una regla de este servidor no permite estas palabras: {rule}.',
	'**{command}** by {member}: {prompt}': '**{command}** de {member}: {prompt}',
	'In {channel}': 'En {channel}',
	'In a direct message': 'En un mensaje directo',
	'Only they see the result.': 'Solo esa persona ve el resultado.',
	'The pictures could not be posted, and wait for them under /usage.':
		'Las imágenes no se pudieron publicar y esperan en /usage.',
	'The pictures are not shown here: there are too many at once.':
		'Las imágenes no se muestran aquí: son demasiadas a la vez.',
	'The pictures are not shown here: they could not be posted.':
		'Las imágenes no se muestran aquí: no se pudieron publicar.',
	'[Go to the message]({link})': '[Ir al mensaje]({link})',
	Remove: 'Quitar',
	Block: 'Bloquear',
	Hide: 'Ocultar',
	'Removed by {moderator}.': 'Quitado por {moderator}.',
	'Covered by {moderator}.': 'Ocultado por {moderator}.',
	'{member} was blocked by {moderator}.': '{moderator} ha bloqueado a {member}.',
	'{moderator} could not remove it: it can not be reached any more.':
		'{moderator} no pudo quitarlo: ya no es accesible.',
	'{moderator} could not cover it: it can not be reached any more.':
		'{moderator} no pudo ocultarlo: ya no es accesible.',
	'Only moderators can do that.': 'Eso solo lo pueden hacer los moderadores.',
	'What this was about is no longer kept.': 'Aquello de lo que se trataba ya no se conserva.',
	Prompt: 'Prompt',
	'More of the same request:': 'Más de la misma petición:',
	'{number, plural, =0 {Packed} other {Picture #: packed}} tighter to fit; every pixel is as it was.':
		'{number, plural, =0 {Comprimida} other {Imagen #: comprimida}} más para que quepa; cada píxel sigue igual.',
	'{number, plural, =0 {Scaled} other {Picture #: scaled}} from {before} to {after}, since {where, select, direct {direct messages take} other {this server takes}} at most {megabytes, number} MB.':
		'{number, plural, =0 {Reducida} other {Imagen #: reducida}} de {before} a {after}, porque {where, select, direct {los mensajes directos admiten} other {este servidor admite}} como mucho {megabytes, number} MB.',
	'You asked for this in {where}, where it could not be posted.{why}':
		'Lo pediste en {where}, donde no se pudo publicar.{why}',
	'This could not be posted here; it went to who asked, as a direct message.':
		'Esto no se pudo publicar aquí; se envió por mensaje directo a quien lo pidió.',
	"I remember what was said here; write `forget`, and I don't any more.":
		'Recuerdo lo que se dice aquí; escribe `forget` y lo olvido.',
	'I remember nothing of this channel: write `forget` in the thread that it is about.':
		'No recuerdo nada de este canal: escribe `forget` en el hilo del que se trata.',
	'I am not in this channel. Invite me with `/invite @{name}`, then ask again.':
		'No estoy en este canal. Invítame con `/invite @{name}` y vuelve a pedirlo.',
	'Easel lacks the permission `{scope}` in this workspace: an admin has to add it to the app and install it once more.':
		'A Easel le falta el permiso `{scope}` en este espacio de trabajo: un administrador tiene que añadirlo a la aplicación e instalarla otra vez.',
	'This channel is archived; ask in another one.': 'Este canal está archivado; pídelo en otro.',
	'The admins of this workspace let only some people post here; ask in another channel.':
		'Los administradores de este espacio de trabajo solo dejan publicar aquí a algunas personas; pídelo en otro canal.',
	'There are no threads in this channel; ask in another one.': 'En este canal no hay hilos; pídelo en otro.',
	'This thread is locked; ask outside of it.': 'Este hilo está cerrado; pídelo fuera de él.',
	'Uploads are turned off in this workspace, so no picture can be shown; a workspace admin can turn them on under Permissions.':
		'En este espacio de trabajo está desactivado subir archivos, así que no se puede mostrar ninguna imagen; un administrador puede activarlo en Permisos.',
	'The admins of this workspace let no file through that is as large as this picture.':
		'Los administradores de este espacio de trabajo no dejan pasar archivos tan grandes como esta imagen.',
	"This workspace's storage is full; an admin has to make room before pictures can be posted.":
		'El almacenamiento de este espacio de trabajo está lleno; un administrador tiene que hacer sitio antes de que se puedan publicar imágenes.',
	'Slack lets me send you no direct messages.': 'Slack no me deja enviarte mensajes directos.',
	'Slack lets me send you no direct messages: whoever runs Easel has to turn on the Messages Tab of its app.':
		'Slack no me deja enviarte mensajes directos: quien gestiona Easel tiene que activar la pestaña Mensajes de su aplicación.',
	'Slack did not wait long enough to show the form; try once more.':
		'Slack no ha esperado lo suficiente para mostrar el formulario; inténtalo otra vez.',
	'Slack no longer lets Easel in here; an admin has to install it once more.':
		'Slack ya no deja entrar a Easel aquí; un administrador tiene que instalarlo otra vez.',
	'Slack does not show {count, plural, one {the picture} other {the pictures}} in here yet; see below, in the thread.':
		'Slack todavía no muestra {count, plural, one {la imagen} many {las imágenes} other {las imágenes}} aquí; mira abajo, en el hilo.',
	'Show picture': 'Mostrar imagen',
	'I answer you in our direct messages.': 'Te respondo en nuestros mensajes directos.',
	'I show it to you in our direct messages.': 'Te lo muestro en nuestros mensajes directos.',
	'Let us talk over here.': 'Hablemos por aquí.',
	'This picture is no longer kept.': 'Esta imagen ya no se conserva.',
	'Slack does not say what this file is: send it once more.': 'Slack no dice qué es este archivo: envíalo otra vez.',
	'`{command}` takes {most, plural, =0 {no pictures} one {one picture} other {at most # pictures}}; you sent {count}.':
		'`{command}` lleva {most, plural, =0 {ninguna imagen} one {una imagen} many {# imágenes como mucho} other {# imágenes como mucho}}; has enviado {count}.',
	'`{option}` is chosen in the form.': '`{option}` se elige en el formulario.',
	'Choose {least} to {most}.': 'Elige de {least} a {most}.',
	'This file has {megabytes} MB; at most 10 MB are allowed.':
		'Este archivo ocupa {megabytes} MB; se permiten como mucho 10 MB.',
	'At most {most, plural, one {one picture} other {# pictures}} in all.':
		'Como mucho {most, plural, one {una imagen} many {# imágenes} other {# imágenes}} en total.',
	Choose: 'Elegir',
	Yes: 'Sí',
	Submit: 'Enviar',
	Cancel: 'Cancelar',
	'`/{command}` goes on with one of these:': '`/{command}` sigue con uno de estos:',
	'There is no `/{command} {word}`; it is one of these:': 'No existe `/{command} {word}`; es uno de estos:',
	'Easel is being restarted; ask again in a minute.': 'Easel se está reiniciando; vuelve a pedirlo en un minuto.',
	'Something went wrong in Easel; nothing was counted. Try once more.':
		'Algo ha fallado en Easel; no se ha contado nada. Inténtalo otra vez.',
	'{min} to {max}': '{min} a {max}',
	'This menu entry is from another version of Easel.': 'Esta entrada del menú es de otra versión de Easel.',
	'This form is no longer open; please start again.': 'Este formulario ya no está abierto; empieza de nuevo.',
	'Easel is not installed in this workspace any more; an admin has to install it once more.':
		'Easel ya no está instalado en este espacio de trabajo; un administrador tiene que instalarlo otra vez.',
	'Slack or the store does not answer right now; nothing was counted. Try again in a minute.':
		'Slack o el almacén no responde ahora; no se ha contado nada. Inténtalo de nuevo en un minuto.',
	'is writing …': 'está escribiendo …',
	'“This server” is the one where you have used me last: its rules hold here, too.':
		'«Este servidor» es aquel donde me usaste por última vez: sus reglas también valen aquí.',
	'The channel is gone.': 'El canal ya no existe.',
	'I am no member here myself, so I can only answer for a few minutes.':
		'Aquí yo no soy miembro, así que solo puedo responder durante unos minutos.',
	'I may not see {where}: a moderator can give me *View Channel* there.':
		'No puedo ver {where}: un moderador puede darme allí *Ver canal*.',
	'I may not open threads here: a moderator can give me *Create Public Threads* and *Send Messages in Threads*.':
		'Aquí no puedo abrir hilos: un moderador puede darme *Crear hilos públicos* y *Enviar mensajes en hilos*.',
	'I may not post in {where}: a moderator can give me {threads, select, yes {*Send Messages in Threads*} other {*Send Messages*}} and *Attach Files* there.':
		'No puedo publicar en {where}: un moderador puede darme allí {threads, select, yes {*Enviar mensajes en hilos*} other {*Enviar mensajes*}} y *Adjuntar archivos*.',
	'The thread {where} is locked: a moderator can unlock it.':
		'El hilo {where} está cerrado: un moderador puede abrirlo.',
	'This server has as many open threads as it can have; close some first.':
		'Este servidor tiene todos los hilos abiertos que puede tener; cierra antes algunos.',
	'There are no threads in a channel of this kind; ask in another one.':
		'En un canal de este tipo no hay hilos; pídelo en otro.',
	'You take no direct messages from me: allow them in the settings of a server that we share.':
		'No aceptas mensajes directos míos: permítelos en los ajustes de un servidor que compartamos.',
	'I may answer here only a few times, since I am no member myself; ask once more.':
		'Aquí solo puedo responder unas pocas veces, porque no soy miembro; vuelve a pedirlo.',
	'This is larger than what may be uploaded in {where}.': 'Es más grande de lo que se puede subir en {where}.',
	'There can be no threads here, since I am no member myself; write to me directly instead.':
		'Aquí no puede haber hilos, porque no soy miembro; mejor escríbeme directamente.',
	'Only the requester may see this, and Discord takes no private answer any more.':
		'Esto solo lo puede ver quien lo pidió, y Discord ya no acepta respuestas privadas.',
	'What you have used': 'Lo que has usado',
	'Your last pictures': 'Tus últimas imágenes',
};
