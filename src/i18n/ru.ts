import type { Catalogue } from './en.ts';

export const ru: Catalogue = {
	imagine: 'нарисуй',
	prompt: 'запрос',
	size: 'размер',
	n: 'количество',
	model: 'модель',
	private: 'скрыто',
	edit: 'измени',
	image: 'картинка',
	compose: 'объедини',
	image1: 'картинка1',
	image2: 'картинка2',
	image3: 'картинка3',
	chat: 'чат',
	mentions_only: 'только_упоминания',
	usage: 'расход',
	member: 'участник',
	models: 'модели',
	limits: 'лимиты',
	show: 'показать',
	set: 'задать',
	scope: 'область',
	server: 'сервер',
	channel: 'канал',
	role: 'роль',
	period: 'период',
	day: 'день',
	month: 'месяц',
	images: 'картинок',
	what: 'что',
	pictures: 'картинки',
	clear: 'убрать',
	overage: 'сверх_плана',
	usd: 'usd',
	report: 'отчёт',
	settings: 'настройки',
	time_zone: 'часовой_пояс',
	language: 'язык',
	notices: 'уведомления',
	log: 'журнал',
	off: 'выключить',
	cooldown: 'пауза',
	at_once: 'одновременно',
	block: 'заблокировать',
	unblock: 'разблокировать',
	allow: 'разрешить',
	disallow: 'отменить_разрешение',
	ban: 'запретить',
	words: 'слова',
	unban: 'отменить_запрет',
	spoiler: 'спойлер',
	on: 'включено',
	which: 'какая',
	'Open a thread to talk in': 'Открыть ветку для разговора',
	'What to begin with': 'С чего начать',
	'Which model answers; /models lists them': 'Какая модель отвечает; список в /models',
	'`{option}` is not the name of a model; /models lists them.': '`{option}` — не название модели; список в /models.',
	'Answer only what mentions me': 'Отвечать, только когда меня упоминают',
	'Chat with {name}': 'Чат: {name}',
	'Make one picture from two or three': 'Сделать одну картинку из двух или трёх',
	'Composing {prompt}': 'Объединяю: {prompt}',
	'The first picture, "image 1" in the prompt': 'Первая картинка, «image 1» в запросе',
	'The second picture, "image 2" in the prompt': 'Вторая картинка, «image 2» в запросе',
	'How to put them together; call them image 1, image 2, image 3':
		'Как их соединить; называйте их image 1, image 2, image 3',
	'The third picture, "image 3" in the prompt': 'Третья картинка, «image 3» в запросе',
	'Change a picture by an instruction': 'Изменить картинку по указанию',
	'Editing {prompt}': 'Изменяю: {prompt}',
	'The picture to change': 'Картинка, которую нужно изменить',
	'What to change': 'Что изменить',
	'Draw a picture from words': 'Нарисовать картинку по словам',
	'Drawing {prompt}': 'Рисую: {prompt}',
	'What to draw': 'Что нарисовать',
	'What the cap is for': 'К чему относится лимит',
	'How often it starts anew': 'Как часто отсчёт начинается заново',
	'What is counted; pictures if not said': 'Что считается; если не указано, картинки',
	'Which channel; without it, this one': 'Какой канал; если не указан, этот',
	'Which role; each of its members gets this cap, the best role counts':
		'Какая роль; лимит у каждого её участника, действует лучшая роль',
	'Which member; without it, every member': 'Какой участник; если не указан, каждый',
	'The rules in force and what is used': 'Действующие правила и расход',
	'**Caps**': '**Лимиты**',
	'No caps are set.': 'Лимиты не заданы.',
	'**Rules**': '**Правила**',
	'**Used**': '**Израсходовано**',
	'**Latest changes**': '**Последние изменения**',
	'Set a cap on calls, or on chat turns, a day or a month': 'Задать лимит вызовов или реплик чата на день или месяц',
	'The most calls; one call is one request, whatever its variations':
		'Больше всего вызовов; один запрос — один вызов, сколько бы ни было вариантов',
	'Set: {cap}.': 'Задано: {cap}.',
	'Take a cap away': 'Убрать лимит',
	'There is no such cap; `/limits show` lists them.': 'Такого лимита нет; список показывает `/limits show`.',
	'Taken away: {cap}.': 'Убрано: {cap}.',
	'The most that this server may spend a month beyond the plan':
		'Сколько этот сервер может тратить в месяц сверх плана',
	'An amount in USD; 0 for nothing': 'Сумма в USD; 0 — ничего',
	'`{option}` is an amount in USD such as 5 or 2.50, at most {most}.':
		'`{option}` — сумма в USD, например 5 или 2.50, не больше {most}.',
	'Beyond the plan nothing is spent here.': 'Сверх плана здесь ничего не тратится.',
	'Beyond the plan at most {amount} a month may be spent here.':
		'Сверх плана здесь можно тратить не больше {amount} в месяц.',
	'Time zone, language, notices, log, cooldown and how many requests of a member run at once':
		'Часовой пояс, язык, уведомления, журнал, пауза и число одновременных запросов участника',
	'Where days and months begin, such as Europe/Berlin': 'Где начинаются дни и месяцы, например Europe/Moscow',
	'`{option}` is not a time zone such as Europe/Berlin or America/New_York.':
		'`{option}` — не часовой пояс, такой как Europe/Berlin или America/New_York.',
	'What is said to moderators in their channels': 'Язык сообщений для модераторов в их каналах',
	'Where moderators are told at 80 % and 100 % of a cap': 'Где модераторам сообщают о 80 % и 100 % лимита',
	'Seconds between two requests of a member; 0 for none': 'Секунд между двумя запросами участника; 0 — без паузы',
	'Requests of one member that run at once; more wait': 'Сколько запросов участника идёт одновременно; остальные ждут',
	'Let a member ask for no more pictures': 'Запретить участнику просить картинки',
	Whom: 'Кого',
	'{member} is blocked.': '{member} в списке блокировок.',
	'Let a member ask for pictures again': 'Снова разрешить участнику просить картинки',
	'{member} is not blocked.': '{member} нет в списке блокировок.',
	'{member} may ask again.': '{member} снова может просить.',
	'Who used what in a month, with a chart and a CSV file':
		'Кто сколько израсходовал за месяц, с диаграммой и файлом CSV',
	'A month such as 2026-11; without it, this one': 'Месяц, например 2026-11; если не указан, текущий',
	'`{option}` is a month such as 2026-11.': '`{option}` — месяц, например 2026-11.',
	'`{option}` does not go with a cap for a {scope, select, server {server} channel {channel} role {role} other {member}}; nothing was changed.':
		'`{option}` не подходит к лимиту для {scope, select, server {сервера} channel {канала} role {роли} other {участника}}; ничего не изменено.',
	'`{option}` is missing; nothing was changed.': 'Не хватает `{option}`; ничего не изменено.',
	'{whose}: {images, number} {what, select, chat {{images, plural, one {chat turn} other {chat turns}}} other {{images, plural, one {call} other {calls}}}} a {period, select, day {day} other {month}}':
		'{whose}: {images, number} {what, select, chat {{images, plural, one {реплика чата} few {реплики чата} many {реплик чата} other {реплики чата}}} other {{images, plural, one {вызов} few {вызова} many {вызовов} other {вызова}}}} в {period, select, day {день} other {месяц}}',
	'this server': 'этот сервер',
	'every {scope, select, channel {channel} role {role} other {member}}':
		'{scope, select, channel {каждый канал} role {каждая роль} other {каждый участник}}',
	'each member with {role}': 'каждый участник с ролью {role}',
	'- Time zone: {timeZone}': '- Часовой пояс: {timeZone}',
	'- Language of what is said to moderators: {language}': '- Язык сообщений для модераторов: {language}',
	'- Beyond the plan: nothing': '- Сверх плана: ничего',
	'- Beyond the plan: at most {amount} a month': '- Сверх плана: не больше {amount} в месяц',
	'- One member at once: {atOnce, number}; cooldown: {cooldown, plural, =0 {none} other {# s}}':
		'- Одновременно у участника: {atOnce, number}; пауза: {cooldown, plural, =0 {нет} other {# с}}',
	'- Notices: nowhere': '- Уведомления: нигде',
	'- Notices: {channel}': '- Уведомления: {channel}',
	'- Blocked: {members}': '- Заблокированы: {members}',
	'What the image service offers': 'Что предлагает сервис картинок',
	'The image service offers:': 'Сервис картинок предлагает:',
	'The image service names no models.': 'Сервис картинок не называет моделей.',
	'`{option}` has a control character.': 'В `{option}` есть управляющий символ.',
	'`{option}` has a broken character (half of a surrogate pair).':
		'В `{option}` есть испорченный символ (половина суррогатной пары).',
	'Width x height, such as 1024x1024': 'Ширина x высота, например 1024x1024',
	'`{option}` is width x height, each {min} to {max}, such as 1024x1024.':
		'`{option}` — ширина x высота, каждая от {min} до {max}, например 1024x1024.',
	'How many variations, 1 to 4; they cost one call together':
		'Сколько вариантов, от 1 до 4; вместе они стоят один вызов',
	'Image model; /models lists them': 'Модель для картинок; список в /models',
	'Sharper text, subjects kept in edits': 'Чётче текст, предметы сохраняются при изменении',
	'Only you see the result': 'Результат видите только вы',
	'What is used and left, at every layer, and when it starts anew':
		'Сколько израсходовано и осталось на каждом уровне и когда отсчёт начнётся заново',
	'Somebody else; for moderators': 'Кто-то другой; для модераторов',
	'Only moderators may look at what somebody else used.':
		'Только модераторы могут смотреть, сколько израсходовали другие.',
	'Usage of {member}:': 'Расход {member}:',
	'{count, plural, =1 {One request has pictures that could not be posted.} other {# requests have pictures that could not be posted.}}':
		'{count, plural, =1 {У одного запроса есть картинки, которые не удалось опубликовать.} other {Запросов с картинками, которые не удалось опубликовать: #.}}',
	'Show them here': 'Показать здесь',
	'The file is empty.': 'Файл пуст.',
	'The file is not a picture; please send a PNG, JPEG, WebP or GIF.':
		'Этот файл не картинка; пришлите PNG, JPEG, WebP или GIF.',
	'This is {kind, select, avif {an AVIF picture} heic {a HEIC picture} jxl {a JPEG XL picture} jp2 {a JPEG 2000 picture} tiff {a TIFF picture} bmp {a BMP picture} svg {an SVG drawing} photoshop {a Photoshop file} pdf {a PDF file} other {a video}}; please send it as PNG, JPEG, WebP or GIF.':
		'Это {kind, select, avif {картинка AVIF} heic {картинка HEIC} jxl {картинка JPEG XL} jp2 {картинка JPEG 2000} tiff {картинка TIFF} bmp {картинка BMP} svg {рисунок SVG} photoshop {файл Photoshop} pdf {файл PDF} other {видео}}; пришлите в формате PNG, JPEG, WebP или GIF.',
	'The picture is {size, number} MB; at most {most, number} MB can be sent.':
		'Картинка занимает {size, number} МБ; можно прислать не больше {most, number} МБ.',
	'The picture is {width} × {height} pixels; at most {most, number} million can be sent.':
		'В картинке {width} × {height} пикселей; можно прислать не больше {most, number} миллионов.',
	'The picture is {width} × {height} pixels; at most {most} a side can be sent.':
		'В картинке {width} × {height} пикселей; можно прислать не больше {most} по стороне.',
	'The picture is damaged.': 'Картинка повреждена.',
	'The picture is damaged (it ends too early).': 'Картинка повреждена (обрывается слишком рано).',
	'A moderator has blocked you from asking for pictures here.': 'Модератор запретил вам просить здесь картинки.',
	'Wait {seconds, number} s before you ask again; moderators have set that here.':
		'Подождите {seconds, number} с перед следующим запросом; так здесь настроили модераторы.',
	'Only the last answer can be written anew, and only while this thread is remembered.':
		'Переписать можно только последний ответ, и только пока эта ветка в памяти.',
	'This answer is still being written.': 'Этот ответ ещё пишется.',
	'Only whom this answers, or a moderator, can do that.': 'Это могут только те, кому здесь отвечают, или модератор.',
	'A moderator has blocked you from asking here.': 'Модератор запретил вам просить здесь.',
	'Easel is being restarted; nothing was counted. Ask again in a minute.':
		'Easel перезапускается; ничего не засчитано. Попросите ещё раз через минуту.',
	'There is no command {command}.': 'Команды {command} нет.',
	'Here is what I can do:': 'Вот что я умею:',
	'Your references are put away.': 'Ваши образцы убраны.',
	'What was asked for here is no longer kept; use the command instead.':
		'То, что здесь просили, больше не хранится; используйте команду.',
	'The picture that was sent for this is no longer kept (30 days); send it once more.':
		'Присланная для этого картинка больше не хранится (30 дней); пришлите её ещё раз.',
	'Use as reference': 'Взять как образец',
	'There is no picture in this message any more.': 'В этом сообщении больше нет картинки.',
	'Press **{label}** under another picture, or compose now.':
		'Нажмите **{label}** под другой картинкой или объединяйте сейчас.',
	'That is the most.': 'Больше нельзя.',
	'Kept as image {count, number} of your next composition, for an hour.':
		'Сохранено на час как картинка {count, number} для вашего следующего объединения.',
	'Only who asked for this picture, or a moderator, can delete it.':
		'Удалить эту картинку может только тот, кто её просил, или модератор.',
	'Only a moderator can delete this: who asked is no longer known.':
		'Удалить это может только модератор: кто просил, уже неизвестно.',
	Picture: 'Картинка',
	'Here is what could not be posted.': 'Вот то, что не удалось опубликовать.',
	'Nothing is waiting for you.': 'Вас ничего не ждёт.',
	'This button is from another version of Easel and does nothing any more; use the command instead.':
		'Эта кнопка из другой версии Easel и больше ничего не делает; используйте команду.',
	'Whoever mentions me here gets an answer.': 'Кто упомянет меня здесь, получит ответ.',
	'Whatever you write here, I answer.': 'Я отвечаю на всё, что вы здесь пишете.',
	"I remember what was said in this thread; write `forget`, and I don't any more.":
		'Я помню, что говорилось в этой ветке; напишите `forget`, и я забуду.',
	'`draw a red fox` makes a picture; a picture with an instruction is changed by it. Both count as `/imagine` and `/edit` do.':
		'`draw a red fox` создаёт картинку; картинка с указанием изменяется по нему. То и другое засчитывается как `/imagine` и `/edit`.',
	'From now on I answer only who mentions me here.': 'Теперь я отвечаю здесь, только когда меня упоминают.',
	'From now on I answer whatever is written here.': 'Теперь я отвечаю на всё, что здесь пишут.',
	'Forgotten: what was said here before this message goes to the chat model no more.':
		'Забыто: сказанное здесь до этого сообщения больше не передаётся чат-модели.',
	'*This thread has become long: from now on its oldest messages go to the chat model no more.*':
		'*Эта ветка стала длинной: теперь её самые старые сообщения больше не передаются чат-модели.*',
	'What is to be done with the picture? Send it once more, with an instruction.':
		'Что сделать с картинкой? Пришлите её ещё раз, с указанием.',
	'*Stopped.*': '*Остановлено.*',
	'*The answer breaks off here.*': '*Здесь ответ обрывается.*',
	'*Interrupted: Easel was stopped while this was written.*': '*Прервано: Easel остановили, пока это писалось.*',
	Stop: 'Стоп',
	Retry: 'Заново',
	'Draw this': 'Нарисовать это',
	Forget: 'Забыть',
	'Answer everything': 'Отвечать на всё',
	'Answer mentions only': 'Только на упоминания',
	'The picture is finished but could not be posted. The call stays counted.':
		'Картинка готова, но её не удалось опубликовать. Вызов остаётся засчитанным.',
	'The picture is finished but could not be posted here: /usage offers it.':
		'Картинка готова, но здесь её не удалось опубликовать: её предложит /usage.',
	'Something in this command could not be read.': 'Что-то в этой команде не удалось прочитать.',
	'There is no option `{option}`.': 'Параметра `{option}` нет.',
	'`{option}` is missing.': 'Не хватает `{option}`.',
	'`{option}` is empty.': '`{option}` пуст.',
	'`{option}` is at least {least}; you gave {given}.': '`{option}` — не меньше {least}; вы указали {given}.',
	'`{option}` is at most {most}; you gave {given}.': '`{option}` — не больше {most}; вы указали {given}.',
	'`{option}` has {count} characters; at most {most} are allowed.':
		'В `{option}` символов: {count}; допускается не больше {most}.',
	'`{option}` is one of {choices}.': '`{option}` — одно из: {choices}.',
	'`{option}` is not {kind, select, string {a text} number {a whole number} int {a whole number} boolean {yes or no} other {what is expected here}}.':
		'`{option}` — не {kind, select, string {текст} number {целое число} int {целое число} boolean {«да» или «нет»} other {то, что здесь ожидается}}.',
	'`{option}` is not a picture file.': '`{option}` — не файл картинки.',
	'`{option}` can not be read.': '`{option}` не удалось прочитать.',
	'The plan is used up: from now on pictures cost ({spent} so far).':
		'План израсходован: теперь картинки стоят денег (пока {spent}).',
	'{layer, select, plan {The plan} server {This server} other {A channel}} has used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}{reached, select, yes {; that was the last} other {}}.':
		'{layer, select, plan {План} server {Этот сервер} other {Канал}}: {period, select, day {сегодня} other {в этом месяце}} израсходовано {used, number} из {limit, number} {what, select, chat {{limit, plural, one {реплики чата} few {реплик чата} many {реплик чата} other {реплики чата}}} other {{limit, plural, one {вызова} few {вызовов} many {вызовов} other {вызова}}}}{reached, select, yes {; больше не осталось} other {}}.',
	'The picture could not be fetched; send it once more, with at most 10 MB.':
		'Картинку не удалось получить; пришлите её ещё раз, не больше 10 МБ.',
	'Something is being answered here; wait until it stands.': 'Здесь сейчас пишется ответ; дождитесь его.',
	'What was written here is no longer remembered; write `draw` and what you want to see.':
		'Того, что здесь было написано, уже нет в памяти; напишите `draw` и то, что хотите увидеть.',
	'This thread is none of mine any more; mention me to call me in again.':
		'Эта ветка больше не моя; упомяните меня, чтобы снова позвать.',
	'The plan is used up, and beyond it this server has spent {used} of {limit} this month. A new month starts {when}.':
		'План израсходован, и сверх него этот сервер потратил {used} из {limit} в этом месяце. Новый месяц начнётся {when}.',
	"{layer, select, plan {This Easel's plan has} server {This server has} channel {This channel has} other {You have}} used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}. A new {period, select, day {day} other {month}} starts {when}.":
		'{layer, select, plan {План этого Easel} server {Этот сервер} channel {Этот канал} other {Вы}}: {period, select, day {сегодня} other {в этом месяце}} израсходовано {used, number} из {limit, number} {what, select, chat {{limit, plural, one {реплики чата} few {реплик чата} many {реплик чата} other {реплики чата}}} other {{limit, plural, one {вызова} few {вызовов} many {вызовов} other {вызова}}}}. Новый {period, select, day {день} other {месяц}} начнётся {when}.',
	'{count, plural, one {# call} other {# calls}} today':
		'{count, plural, one {# вызов} few {# вызова} many {# вызовов} other {# вызова}} сегодня',
	'{left, number} of {limit, number} left {period, select, day {today} other {this month}}{layer, select, plan { in the plan} server { for this server} channel { in this channel} other {}}':
		'{period, select, day {сегодня} other {в этом месяце}} осталось {left, number} из {limit, number}{layer, select, plan { в плане} server { для этого сервера} channel { в этом канале} other {}}',
	'Spent here beyond the plan: {used} of {limit} this month':
		'Потрачено здесь сверх плана: {used} из {limit} в этом месяце',
	'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number}; anew {when}':
		'{layer, select, plan {План} server {Этот сервер} channel {Этот канал} role {Вы, по вашей роли} other {Вы}}{what, select, chat {, реплики чата} other {}} {period, select, day {сегодня} other {в этом месяце}}: {used, number}; заново {when}',
	'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number} of {limit, number}, {left, number} left; anew {when}':
		'{layer, select, plan {План} server {Этот сервер} channel {Этот канал} role {Вы, по вашей роли} other {Вы}}{what, select, chat {, реплики чата} other {}} {period, select, day {сегодня} other {в этом месяце}}: {used, number} из {limit, number}, осталось {left, number}; заново {when}',
	'{status} … {seconds, number} s': '{status} … {seconds, number} с',
	'{status} … waiting, {line, plural, =1 {next} other {number #}} in line':
		'{status} … в очереди, {line, plural, =1 {следующий} other {номер #}}',
	'Easel was stopped while this ran: only {kept, number} of {asked, number} pictures could be saved.':
		'Easel остановили, пока это выполнялось: удалось сохранить только {kept, number} из {asked, number} картинок.',
	'Easel was stopped while this ran. {cost} You can ask again.':
		'Easel остановили, пока это выполнялось. {cost} Можно попросить ещё раз.',
	"Easel's records can't be reached, so nothing was asked for. Try again in a minute.":
		'Записи Easel недоступны, поэтому ничего не запрошено. Попробуйте ещё раз через минуту.',
	'Something went wrong in Easel (reference {reference}).': 'В Easel что-то пошло не так (номер {reference}).',
	'Nothing was counted.': 'Ничего не засчитано.',
	'The call was counted.': 'Вызов засчитан.',
	'The call stays counted, since the service may have made it.':
		'Вызов остаётся засчитанным: сервис мог его выполнить.',
	': {detail}': ': {detail}',
	"The image service does not accept this bot's key; whoever runs Easel has to look at SERVICE_API_KEY.":
		'Сервис картинок не принимает ключ этого бота; тому, кто управляет Easel, нужно проверить SERVICE_API_KEY.',
	'The plan at the image service is used up and its balance is empty.':
		'План в сервисе картинок израсходован, и баланс пуст.',
	'The image service refused this by its content rules{said}. {asked, select, picture {Try other words or another picture.} other {Try other words.}}':
		'Сервис картинок отказал по своим правилам содержания{said}. {asked, select, picture {Попробуйте другие слова или другую картинку.} other {Попробуйте другие слова.}}',
	'The image service did not take the request{said}.': 'Сервис картинок не принял запрос{said}.',
	'The image service is busy. Try again in a minute.': 'Сервис картинок занят. Попробуйте ещё раз через минуту.',
	'The image service is busy. Try again in {seconds, number} s.':
		'Сервис картинок занят. Попробуйте ещё раз через {seconds, number} с.',
	"The image service can't be reached right now. Try again in a minute.":
		'Сервис картинок сейчас недоступен. Попробуйте ещё раз через минуту.',
	'The image service failed (status {status}){said}.': 'Сервис картинок дал сбой (статус {status}){said}.',
	'The image service gave no answer.': 'Сервис картинок не ответил.',
	'The image service gave no whole answer.': 'Сервис картинок не дал полного ответа.',
	'The image service gave no answer, so nobody knows whether it made the picture.':
		'Сервис картинок не ответил, поэтому неизвестно, сделал ли он картинку.',
	'The image service answered something that is no {asked, select, picture {picture} other {text}}.':
		'Сервис картинок ответил чем-то, что не {asked, select, picture {картинка} other {текст}}.',
	'({index, number} of {count, number})': '({index, number} из {count, number})',
	'AI-generated for {name}': 'Создано ИИ для {name}',
	Edit: 'Изменить',
	Delete: 'Удалить',
	Again: 'Ещё раз',
	other: 'прочие',
	forecast: 'прогноз',
	'Daily cap: {count, number}': 'Дневной лимит: {count, number}',
	'day ({timeZone})': 'день ({timeZone})',
	calls: 'вызовы',
	'No calls in {month}': 'Вызовов нет: {month}',
	'daily cap': 'дневной лимит',
	'{count, number} failed': '{count, number} с ошибкой',
	'{count, number} with an unknown outcome': '{count, number} с неизвестным исходом',
	'{amount} USD beyond the plan': '{amount} USD сверх плана',
	'{count, plural, one {# call} other {# calls}}':
		'{count, plural, one {# вызов} few {# вызова} many {# вызовов} other {# вызова}}',
	'{count, plural, one {# picture} other {# pictures}}':
		'{count, plural, one {# картинка} few {# картинки} many {# картинок} other {# картинки}}',
	'Bar chart: calls per day in {month} ({timeZone}), stacked by command':
		'Столбчатая диаграмма: вызовы по дням, {month} ({timeZone}), по командам',
	'No calls were counted': 'Засчитанных вызовов нет',
	'Busiest day: {day} with {count, number}': 'Самый загруженный день: {day}, {count, number}',
	'Calls per day, {month}': 'Вызовы по дням, {month}',
	'Monthly cap: {count, number}': 'Месячный лимит: {count, number}',
	'At this pace {calls, plural, one {# call} other {# calls}} and {amount} USD by {day}':
		'При таком темпе {calls, plural, one {# вызов} few {# вызова} many {# вызовов} other {# вызова}} и {amount} USD к {day}',
	'At this pace {calls, plural, one {# call} other {# calls}} by {day}':
		'При таком темпе {calls, plural, one {# вызов} few {# вызова} many {# вызовов} other {# вызова}} к {day}',
	'Used up by {day}': 'Закончится к {day}',
	'Nobody used anything in {month}.': '{month}: никто ничего не израсходовал.',
	Calls: 'Вызовы',
	Pictures: 'Картинки',
	Failed: 'Ошибки',
	Unknown: 'Неясно',
	Member: 'Участник',
	'and {count, number} more': 'и ещё {count, number}',
	'in all': 'всего',
	'Only moderators may use {command}.': 'Использовать {command} могут только модераторы.',
	'There is no picture in this message.': 'В этом сообщении нет картинки.',
	'Which picture of the message': 'Какая картинка сообщения',
	'Which pictures of the message': 'Какие картинки сообщения',
	'A further picture: then they are composed, this one first': 'Ещё картинка: тогда они объединяются, эта первой',
	'With further pictures: width x height of what they become': 'С другими картинками: ширина x высота результата',
	'Edit image': 'Изменить картинку',
	'Compose images': 'Объединить картинки',
	'`size` is for several pictures: one that is edited keeps its size. Add a picture, or leave it out.':
		'`size` — для нескольких картинок: изменённая сохраняет свой размер. Добавьте картинку или оставьте поле пустым.',
	'`model` is for one picture: a composition has its own. Leave it out, or the further pictures.':
		'`model` — для одной картинки: у объединения своя модель. Оставьте поле пустым или уберите другие картинки.',
	'Your references were kept for an hour and are gone; choose them anew.':
		'Ваши образцы хранились час, и их больше нет; выберите заново.',
	'You have chosen {count} references already, which is the most.': 'Вы уже выбрали образцов: {count}, больше нельзя.',
	Compose: 'Объединить',
	'Start over': 'Начать заново',
	'Image {number}: your reference.': 'Картинка {number}: ваш образец.',
	'Image {number}: from this message.': 'Картинка {number}: из этого сообщения.',
	'What you choose comes next, then the files.': 'Дальше идёт то, что вы выберете, затем файлы.',
	'`which` names pictures of the message, each once: 1 to {count}.':
		'`which` называет картинки сообщения, каждую один раз: от 1 до {count}.',
	'`which` is missing: choose the pictures of the message.': 'Не хватает `which`: выберите картинки сообщения.',
	'That makes {count} pictures; a composition takes two or three.':
		'Получается картинок: {count}; для объединения нужно две или три.',
	'This form is no longer kept; please start again.': 'Эта форма больше не хранится; начните заново.',
	'Try again': 'Попробовать снова',
	'I may not open private threads here: a moderator can give me Create Private Threads.':
		'Мне нельзя открывать здесь приватные ветки: модератор может дать мне право «Создавать приватные ветки».',
	'There are no private threads in a channel of this kind.': 'В канале такого вида нет приватных веток.',
	'Only you see the thread': 'Ветку видите только вы',
	'- May be asked: everywhere': '- Просить можно: везде',
	'- May be asked in: {channels}': '- Просить можно в: {channels}',
	'- May ask: members with {roles}': '- Просить могут: участники с {roles}',
	'- Covered results: nowhere': '- Скрытые результаты: нигде',
	'- Covered results in: {channels}': '- Скрытые результаты в: {channels}',
	'- Banned words: {count, plural, =0 {none} other {#}}': '- Запрещённые слова: {count, plural, =0 {нет} other {#}}',
	'- Log of pictures: nowhere': '- Журнал картинок: нигде',
	'- Log of pictures: {channel}': '- Журнал картинок: {channel}',
	'{list} and {more, number} more': '{list} и ещё {more, number}',
	'Let pictures and chats be asked for only in some channels, or only by some roles':
		'Разрешить картинки и чаты только в некоторых каналах или только некоторым ролям',
	'A channel to ask in; with none allowed, everywhere': 'Канал, где можно просить; если не разрешён ни один, везде',
	'A role that may ask; with none allowed, everybody': 'Роль, которой можно просить; если не разрешена ни одна, всем',
	'Take a channel or a role off the list of where and by whom may be asked':
		'Убрать канал или роль из списка разрешённых',
	'A channel that was allowed': 'Канал, который был разрешён',
	'A role that was allowed': 'Роль, которая была разрешена',
	'That was not on the list of what is allowed; `/limits show` has it.':
		'Этого не было в списке разрешённого; его показывает `/limits show`.',
	'Name a channel or a role; nothing was changed.': 'Укажите канал или роль; ничего не изменено.',
	'At most {most, number} can be listed; nothing was changed.':
		'В списке может быть не больше {most, number}; ничего не изменено.',
	'Ban words and phrases from what is asked for': 'Запретить слова и фразы в запросах',
	'Words or phrases, with commas between them; snow* is every word that begins so':
		'Слова или фразы через запятую; снег* — любое слово, которое так начинается',
	'At most {most, number} words can be banned; nothing was changed.':
		'Запретить можно не больше слов, чем {most, number}; ничего не изменено.',
	'Take words and phrases off the list of banned ones': 'Убрать слова и фразы из списка запрещённых',
	'Words or phrases as they were banned, with commas between them':
		'Слова или фразы так, как их запретили, через запятую',
	'None of that is banned; `/limits show` has the list.':
		'Ничего из этого не запрещено; список показывает `/limits show`.',
	'Name words or phrases, with commas between them; nothing was changed.':
		'Укажите слова или фразы через запятую; ничего не изменено.',
	'A word or phrase has at most {most, number} characters; nothing was changed.':
		'В слове или фразе символов не больше {most, number}; ничего не изменено.',
	'Cover the pictures that are made in a channel until somebody wants to see them':
		'Скрывать картинки из канала, пока кто-то не захочет их увидеть',
	'Whether they are covered': 'Скрываются ли они',
	'Where moderators see every picture that is made': 'Где модераторы видят каждую созданную картинку',
	'What is told nowhere any more': 'О чём больше нигде не сообщается',
	'This can be asked for only in {channels}; moderators have set that here.':
		'Просить об этом можно только в {channels}; так здесь настроили модераторы.',
	'Only members with {roles} may ask for this; moderators have set that here.':
		'Просить об этом могут только участники с {roles}; так здесь настроили модераторы.',
	'This has a word in it that moderators have banned here. Nothing was counted.':
		'Здесь есть слово, которое модераторы запретили. Ничего не засчитано.',
	'A rule of this server does not allow these words: {rule}.': 'Правило этого сервера не допускает эти слова: {rule}.',
	'**{command}** by {member}: {prompt}': '**{command}** от {member}: {prompt}',
	'In {channel}': 'В {channel}',
	'In a direct message': 'В личном сообщении',
	'Only they see the result.': 'Результат виден только автору запроса.',
	'The pictures could not be posted, and wait for them under /usage.':
		'Картинки не удалось опубликовать, они ждут в /usage.',
	'The pictures are not shown here: there are too many at once.': 'Картинки здесь не показаны: их слишком много сразу.',
	'The pictures are not shown here: they could not be posted.':
		'Картинки здесь не показаны: их не удалось опубликовать.',
	'[Go to the message]({link})': '[К сообщению]({link})',
	Remove: 'Убрать',
	Block: 'Заблокировать',
	Hide: 'Скрыть',
	'Removed by {moderator}.': 'Убрал(а) {moderator}.',
	'Covered by {moderator}.': 'Скрыл(а) {moderator}.',
	'{member} was blocked by {moderator}.': '{moderator} блокирует {member}.',
	'{moderator} could not remove it: it can not be reached any more.':
		'{moderator}: убрать не удалось, это больше недоступно.',
	'{moderator} could not cover it: it can not be reached any more.':
		'{moderator}: скрыть не удалось, это больше недоступно.',
	'Only moderators can do that.': 'Это могут только модераторы.',
	'What this was about is no longer kept.': 'То, о чём шла речь, больше не хранится.',
	Prompt: 'Запрос',
	'More of the same request:': 'Ещё по тому же запросу:',
	'{number, plural, =0 {Packed} other {Picture #: packed}} tighter to fit; every pixel is as it was.':
		'{number, plural, =0 {Сжато} other {Картинка #: сжато}} плотнее, чтобы поместиться; каждый пиксель остался прежним.',
	'{number, plural, =0 {Scaled} other {Picture #: scaled}} from {before} to {after}, since {where, select, direct {direct messages take} other {this server takes}} at most {megabytes, number} MB.':
		'{number, plural, =0 {Уменьшено} other {Картинка #: уменьшено}} с {before} до {after}, потому что {where, select, direct {личные сообщения принимают} other {этот сервер принимает}} не больше {megabytes, number} МБ.',
	'You asked for this in {where}, where it could not be posted.{why}':
		'Вы просили об этом в {where}, где опубликовать не удалось.{why}',
	'This could not be posted here; it went to who asked, as a direct message.':
		'Здесь это опубликовать не удалось; тот, кто просил, получил это личным сообщением.',
	"I remember what was said here; write `forget`, and I don't any more.":
		'Я помню, что здесь говорилось; напишите `forget`, и я забуду.',
	'I remember nothing of this channel: write `forget` in the thread that it is about.':
		'Об этом канале я ничего не помню: напишите `forget` в той ветке, о которой речь.',
	'I am not in this channel. Invite me with `/invite @{name}`, then ask again.':
		'Меня нет в этом канале. Пригласите меня командой `/invite @{name}` и попросите ещё раз.',
	'Easel lacks the permission `{scope}` in this workspace: an admin has to add it to the app and install it once more.':
		'У Easel нет разрешения `{scope}` в этом рабочем пространстве: администратору нужно добавить его приложению и установить его ещё раз.',
	'This channel is archived; ask in another one.': 'Этот канал в архиве; попросите в другом.',
	'The admins of this workspace let only some people post here; ask in another channel.':
		'Администраторы этого рабочего пространства разрешают писать здесь не всем; попросите в другом канале.',
	'There are no threads in this channel; ask in another one.': 'В этом канале нет веток; попросите в другом.',
	'This thread is locked; ask outside of it.': 'Эта ветка закрыта; попросите вне её.',
	'Uploads are turned off in this workspace, so no picture can be shown; a workspace admin can turn them on under Permissions.':
		'Загрузка файлов в этом рабочем пространстве выключена, поэтому картинку не показать; администратор может включить её в разрешениях.',
	'The admins of this workspace let no file through that is as large as this picture.':
		'Администраторы этого рабочего пространства не пропускают файлы такого размера, как эта картинка.',
	"This workspace's storage is full; an admin has to make room before pictures can be posted.":
		'Хранилище этого рабочего пространства заполнено; администратору нужно освободить место, чтобы публиковать картинки.',
	'Slack lets me send you no direct messages.': 'Slack не даёт мне писать вам личные сообщения.',
	'Slack lets me send you no direct messages: whoever runs Easel has to turn on the Messages Tab of its app.':
		'Slack не даёт мне писать вам личные сообщения: тому, кто управляет Easel, нужно включить вкладку сообщений приложения.',
	'Slack did not wait long enough to show the form; try once more.':
		'Slack не дождался показа формы; попробуйте ещё раз.',
	'Slack no longer lets Easel in here; an admin has to install it once more.':
		'Slack больше не пускает сюда Easel; администратору нужно установить его ещё раз.',
	'Slack does not show {count, plural, one {the picture} other {the pictures}} in here yet; see below, in the thread.':
		'Slack пока не показывает здесь {count, plural, one {картинку} few {картинки} many {картинки} other {картинки}}; смотрите ниже, в ветке.',
	'Show picture': 'Показать картинку',
	'I answer you in our direct messages.': 'Отвечу вам в личных сообщениях.',
	'I show it to you in our direct messages.': 'Покажу вам это в личных сообщениях.',
	'Let us talk over here.': 'Поговорим здесь.',
	'This picture is no longer kept.': 'Эта картинка больше не хранится.',
	'Slack does not say what this file is: send it once more.':
		'Slack не сообщает, что это за файл: пришлите его ещё раз.',
	'`{command}` takes {most, plural, =0 {no pictures} one {one picture} other {at most # pictures}}; you sent {count}.':
		'`{command}` принимает {most, plural, =0 {запрос без картинок} one {не больше # картинки} few {не больше # картинок} many {не больше # картинок} other {не больше # картинки}}; вы прислали {count}.',
	'`{option}` is chosen in the form.': '`{option}` выбирается в форме.',
	'Choose {least} to {most}.': 'Выберите от {least} до {most}.',
	'This file has {megabytes} MB; at most 10 MB are allowed.':
		'Этот файл занимает {megabytes} МБ; допускается не больше 10 МБ.',
	'At most {most, plural, one {one picture} other {# pictures}} in all.':
		'Всего не больше {most, plural, one {# картинки} few {# картинок} many {# картинок} other {# картинки}}.',
	Choose: 'Выбрать',
	Yes: 'Да',
	Submit: 'Отправить',
	Cancel: 'Отмена',
	'`/{command}` goes on with one of these:': 'У `/{command}` есть такие продолжения:',
	'There is no `/{command} {word}`; it is one of these:': '`/{command} {word}` нет; есть такие:',
	'Easel is being restarted; ask again in a minute.': 'Easel перезапускается; попросите ещё раз через минуту.',
	'Something went wrong in Easel; nothing was counted. Try once more.':
		'В Easel что-то пошло не так; ничего не засчитано. Попробуйте ещё раз.',
	'{min} to {max}': 'от {min} до {max}',
	'This menu entry is from another version of Easel.': 'Этот пункт меню из другой версии Easel.',
	'This form is no longer open; please start again.': 'Эта форма больше не открыта; начните заново.',
	'Easel is not installed in this workspace any more; an admin has to install it once more.':
		'Easel больше не установлен в этом рабочем пространстве; администратору нужно установить его ещё раз.',
	'Slack or the store does not answer right now; nothing was counted. Try again in a minute.':
		'Slack или хранилище сейчас не отвечает; ничего не засчитано. Попробуйте ещё раз через минуту.',
	'is writing …': 'пишет …',
	'“This server” is the one where you have used me last: its rules hold here, too.':
		'«Этот сервер» — тот, где вы обращались ко мне в последний раз: его правила действуют и здесь.',
	'The channel is gone.': 'Этого канала больше нет.',
	'I am no member here myself, so I can only answer for a few minutes.':
		'Я сам здесь не участник, поэтому могу отвечать только несколько минут.',
	'I may not see {where}: a moderator can give me *View Channel* there.':
		'Мне не видно {where}: модератор может дать мне там право *Просматривать канал*.',
	'I may not open threads here: a moderator can give me *Create Public Threads* and *Send Messages in Threads*.':
		'Мне нельзя открывать здесь ветки: модератор может дать мне права *Создавать публичные ветки* и *Отправлять сообщения в ветках*.',
	'I may not post in {where}: a moderator can give me {threads, select, yes {*Send Messages in Threads*} other {*Send Messages*}} and *Attach Files* there.':
		'Мне нельзя писать в {where}: модератор может дать мне там права {threads, select, yes {*Отправлять сообщения в ветках*} other {*Отправлять сообщения*}} и *Прикреплять файлы*.',
	'The thread {where} is locked: a moderator can unlock it.': 'Ветка {where} закрыта: модератор может её открыть.',
	'This server has as many open threads as it can have; close some first.':
		'На этом сервере открыто столько веток, сколько возможно; сначала закройте некоторые.',
	'There are no threads in a channel of this kind; ask in another one.':
		'В канале такого вида нет веток; попросите в другом.',
	'You take no direct messages from me: allow them in the settings of a server that we share.':
		'Вы не принимаете от меня личные сообщения: разрешите их в настройках нашего общего сервера.',
	'I may answer here only a few times, since I am no member myself; ask once more.':
		'Здесь я могу ответить лишь несколько раз, ведь я сам не участник; попросите ещё раз.',
	'This is larger than what may be uploaded in {where}.': 'Это больше, чем можно загрузить в {where}.',
	'There can be no threads here, since I am no member myself; write to me directly instead.':
		'Здесь не может быть веток, ведь я сам не участник; лучше напишите мне лично.',
	'Only the requester may see this, and Discord takes no private answer any more.':
		'Это может видеть только тот, кто просил, а Discord больше не принимает личный ответ.',
	'What you have used': 'Сколько вы израсходовали',
	'Your last pictures': 'Ваши последние картинки',
};
