import type { Catalogue } from './en.ts';

export const ptBR: Catalogue = {
	imagine: 'imaginar',
	prompt: 'prompt',
	size: 'tamanho',
	n: 'quantidade',
	model: 'modelo',
	private: 'privado',
	edit: 'editar',
	image: 'imagem',
	compose: 'compor',
	image1: 'imagem1',
	image2: 'imagem2',
	image3: 'imagem3',
	chat: 'conversar',
	mentions_only: 'só_menções',
	usage: 'uso',
	member: 'membro',
	models: 'modelos',
	limits: 'limites',
	show: 'mostrar',
	set: 'definir',
	scope: 'escopo',
	server: 'servidor',
	channel: 'canal',
	role: 'cargo',
	period: 'período',
	day: 'dia',
	month: 'mês',
	images: 'imagens',
	what: 'que',
	pictures: 'imagens',
	clear: 'remover',
	overage: 'excedente',
	usd: 'usd',
	report: 'relatório',
	settings: 'configurações',
	time_zone: 'fuso_horário',
	language: 'idioma',
	notices: 'avisos',
	log: 'registro',
	off: 'desligar',
	cooldown: 'espera',
	at_once: 'simultâneos',
	block: 'bloquear',
	unblock: 'desbloquear',
	allow: 'permitir',
	disallow: 'deixar_de_permitir',
	ban: 'proibir',
	words: 'palavras',
	unban: 'deixar_de_proibir',
	spoiler: 'ocultar',
	on: 'ativado',
	which: 'qual',
	'Open a thread to talk in': 'Abrir um tópico para conversar',
	'What to begin with': 'Com o que começar',
	'Which model answers; /models lists them': 'Qual modelo responde; /models mostra a lista',
	'`{option}` is not the name of a model; /models lists them.':
		'`{option}` não é o nome de um modelo; /models mostra a lista.',
	'Answer only what mentions me': 'Responder só quando me mencionarem',
	'Chat with {name}': 'Conversa com {name}',
	'Make one picture from two or three': 'Fazer uma imagem a partir de duas ou três',
	'Composing {prompt}': 'Compondo {prompt}',
	'The first picture, "image 1" in the prompt': 'A primeira imagem, “image 1” no prompt',
	'The second picture, "image 2" in the prompt': 'A segunda imagem, “image 2” no prompt',
	'How to put them together; call them image 1, image 2, image 3':
		'Como juntá-las; chame-as de image 1, image 2, image 3',
	'The third picture, "image 3" in the prompt': 'A terceira imagem, “image 3” no prompt',
	'Change a picture by an instruction': 'Alterar uma imagem conforme uma instrução',
	'Editing {prompt}': 'Editando {prompt}',
	'The picture to change': 'A imagem a ser alterada',
	'What to change': 'O que alterar',
	'Draw a picture from words': 'Desenhar uma imagem a partir de palavras',
	'Drawing {prompt}': 'Desenhando {prompt}',
	'What to draw': 'O que desenhar',
	'What the cap is for': 'Para que é o limite',
	'How often it starts anew': 'De quanto em quanto tempo recomeça',
	'What is counted; pictures if not said': 'O que é contado; se não for dito, imagens',
	'Which channel; without it, this one': 'Qual canal; se não for dito, este',
	'Which role; each of its members gets this cap, the best role counts':
		'Qual cargo; cada um dos membros tem este limite, vale o melhor cargo',
	'Which member; without it, every member': 'Qual membro; se não for dito, cada membro',
	'The rules in force and what is used': 'As regras em vigor e o que foi usado',
	'**Caps**': '**Limites**',
	'No caps are set.': 'Nenhum limite definido.',
	'**Rules**': '**Regras**',
	'**Used**': '**Usado**',
	'**Latest changes**': '**Últimas mudanças**',
	'Set a cap on calls, or on chat turns, a day or a month':
		'Definir um limite de chamadas, ou de turnos de conversa, por dia ou por mês',
	'The most calls; one call is one request, whatever its variations':
		'O máximo de chamadas; um pedido é uma chamada, com quantas variações for',
	'Set: {cap}.': 'Definido: {cap}.',
	'Take a cap away': 'Remover um limite',
	'There is no such cap; `/limits show` lists them.': 'Esse limite não existe; `/limits show` mostra a lista.',
	'Taken away: {cap}.': 'Removido: {cap}.',
	'The most that this server may spend a month beyond the plan':
		'O máximo que este servidor pode gastar por mês além do plano',
	'An amount in USD; 0 for nothing': 'Um valor em USD; 0 para nada',
	'`{option}` is an amount in USD such as 5 or 2.50, at most {most}.':
		'`{option}` é um valor em USD como 5 ou 2.50, no máximo {most}.',
	'Beyond the plan nothing is spent here.': 'Aqui nada é gasto além do plano.',
	'Beyond the plan at most {amount} a month may be spent here.':
		'Além do plano, podem ser gastos aqui no máximo {amount} por mês.',
	'Time zone, language, notices, log, cooldown and how many requests of a member run at once':
		'Fuso horário, idioma, avisos, registro, espera e pedidos simultâneos por membro',
	'Where days and months begin, such as Europe/Berlin': 'Onde começam os dias e os meses, como America/Sao_Paulo',
	'`{option}` is not a time zone such as Europe/Berlin or America/New_York.':
		'`{option}` não é um fuso horário como Europe/Berlin ou America/New_York.',
	'What is said to moderators in their channels': 'O idioma das mensagens aos moderadores nos canais deles',
	'Where moderators are told at 80 % and 100 % of a cap':
		'Onde os moderadores são avisados em 80 % e 100 % de um limite',
	'Seconds between two requests of a member; 0 for none': 'Segundos entre dois pedidos de um membro; 0 para nenhum',
	'Requests of one member that run at once; more wait':
		'Pedidos de um membro que rodam ao mesmo tempo; os demais esperam',
	'Let a member ask for no more pictures': 'Não deixar um membro pedir mais imagens',
	Whom: 'Quem',
	'{member} is blocked.': '{member} está na lista de bloqueios.',
	'Let a member ask for pictures again': 'Deixar um membro pedir imagens de novo',
	'{member} is not blocked.': '{member} não está na lista de bloqueios.',
	'{member} may ask again.': '{member} pode pedir de novo.',
	'Who used what in a month, with a chart and a CSV file': 'Quem usou o quê em um mês, com um gráfico e um arquivo CSV',
	'A month such as 2026-11; without it, this one': 'Um mês como 2026-11; se não for dito, o atual',
	'`{option}` is a month such as 2026-11.': '`{option}` é um mês como 2026-11.',
	'`{option}` does not go with a cap for a {scope, select, server {server} channel {channel} role {role} other {member}}; nothing was changed.':
		'`{option}` não combina com um limite para {scope, select, server {um servidor} channel {um canal} role {um cargo} other {um membro}}; nada foi alterado.',
	'`{option}` is missing; nothing was changed.': 'Falta `{option}`; nada foi alterado.',
	'{whose}: {images, number} {what, select, chat {{images, plural, one {chat turn} other {chat turns}}} other {{images, plural, one {call} other {calls}}}} a {period, select, day {day} other {month}}':
		'{whose}: {images, number} {what, select, chat {{images, plural, one {turno de conversa} many {turnos de conversa} other {turnos de conversa}}} other {{images, plural, one {chamada} many {chamadas} other {chamadas}}}} por {period, select, day {dia} other {mês}}',
	'this server': 'este servidor',
	'every {scope, select, channel {channel} role {role} other {member}}':
		'cada {scope, select, channel {canal} role {cargo} other {membro}}',
	'each member with {role}': 'cada membro com {role}',
	'- Time zone: {timeZone}': '- Fuso horário: {timeZone}',
	'- Language of what is said to moderators: {language}': '- Idioma das mensagens aos moderadores: {language}',
	'- Beyond the plan: nothing': '- Além do plano: nada',
	'- Beyond the plan: at most {amount} a month': '- Além do plano: no máximo {amount} por mês',
	'- One member at once: {atOnce, number}; cooldown: {cooldown, plural, =0 {none} other {# s}}':
		'- Simultâneos por membro: {atOnce, number}; espera: {cooldown, plural, =0 {nenhuma} other {# s}}',
	'- Notices: nowhere': '- Avisos: em lugar nenhum',
	'- Notices: {channel}': '- Avisos: {channel}',
	'- Blocked: {members}': '- Bloqueados: {members}',
	'What the image service offers': 'O que o serviço de imagens oferece',
	'The image service offers:': 'O serviço de imagens oferece:',
	'The image service names no models.': 'O serviço de imagens não informa nenhum modelo.',
	'`{option}` has a control character.': '`{option}` tem um caractere de controle.',
	'`{option}` has a broken character (half of a surrogate pair).':
		'`{option}` tem um caractere quebrado (metade de um par substituto).',
	'Width x height, such as 1024x1024': 'Largura x altura, como 1024x1024',
	'`{option}` is width x height, each {min} to {max}, such as 1024x1024.':
		'`{option}` é largura x altura, cada uma de {min} a {max}, como 1024x1024.',
	'How many variations, 1 to 4; they cost one call together': 'Quantas variações, de 1 a 4; juntas custam uma chamada',
	'Image model; /models lists them': 'Modelo de imagem; /models mostra a lista',
	'Sharper text, subjects kept in edits': 'Texto mais nítido, preserva os motivos ao editar',
	'Only you see the result': 'Só você vê o resultado',
	'What is used and left, at every layer, and when it starts anew':
		'O que foi usado e o que resta, em cada nível, e quando recomeça',
	'Somebody else; for moderators': 'Outra pessoa; para moderadores',
	'Only moderators may look at what somebody else used.': 'Só moderadores podem ver o que outros usaram.',
	'Usage of {member}:': 'Uso de {member}:',
	'{count, plural, =1 {One request has pictures that could not be posted.} other {# requests have pictures that could not be posted.}}':
		'{count, plural, =1 {Um pedido tem imagens que não puderam ser publicadas.} other {# pedidos têm imagens que não puderam ser publicadas.}}',
	'Show them here': 'Mostrar aqui',
	'The file is empty.': 'O arquivo está vazio.',
	'The file is not a picture; please send a PNG, JPEG, WebP or GIF.':
		'O arquivo não é uma imagem; envie um PNG, JPEG, WebP ou GIF.',
	'This is {kind, select, avif {an AVIF picture} heic {a HEIC picture} jxl {a JPEG XL picture} jp2 {a JPEG 2000 picture} tiff {a TIFF picture} bmp {a BMP picture} svg {an SVG drawing} photoshop {a Photoshop file} pdf {a PDF file} other {a video}}; please send it as PNG, JPEG, WebP or GIF.':
		'Isto é {kind, select, avif {uma imagem AVIF} heic {uma imagem HEIC} jxl {uma imagem JPEG XL} jp2 {uma imagem JPEG 2000} tiff {uma imagem TIFF} bmp {uma imagem BMP} svg {um desenho SVG} photoshop {um arquivo do Photoshop} pdf {um arquivo PDF} other {um vídeo}}; envie como PNG, JPEG, WebP ou GIF.',
	'The picture is {size, number} MB; at most {most, number} MB can be sent.':
		'A imagem tem {size, number} MB; podem ser enviados no máximo {most, number} MB.',
	'The picture is {width} × {height} pixels; at most {most, number} million can be sent.':
		'A imagem tem {width} × {height} pixels; podem ser enviados no máximo {most, number} milhões.',
	'The picture is {width} × {height} pixels; at most {most} a side can be sent.':
		'A imagem tem {width} × {height} pixels; podem ser enviados no máximo {most} por lado.',
	'The picture is damaged.': 'A imagem está danificada.',
	'The picture is damaged (it ends too early).': 'A imagem está danificada (termina cedo demais).',
	'A moderator has blocked you from asking for pictures here.':
		'Um moderador bloqueou você para pedidos de imagens aqui.',
	'Wait {seconds, number} s before you ask again; moderators have set that here.':
		'Espere {seconds, number} s antes de pedir de novo; os moderadores definiram assim aqui.',
	'Only the last answer can be written anew, and only while this thread is remembered.':
		'Só a última resposta pode ser reescrita, e só enquanto este tópico for lembrado.',
	'This answer is still being written.': 'Esta resposta ainda está sendo escrita.',
	'Only whom this answers, or a moderator, can do that.':
		'Só quem recebe esta resposta, ou um moderador, pode fazer isso.',
	'A moderator has blocked you from asking here.': 'Um moderador bloqueou você para pedidos aqui.',
	'Easel is being restarted; nothing was counted. Ask again in a minute.':
		'O Easel está reiniciando; nada foi contado. Peça de novo em um minuto.',
	'There is no command {command}.': 'O comando {command} não existe.',
	'Here is what I can do:': 'Isto é o que eu sei fazer:',
	'Your references are put away.': 'Suas referências foram removidas.',
	'What was asked for here is no longer kept; use the command instead.':
		'O que foi pedido aqui não está mais guardado; use o comando.',
	'The picture that was sent for this is no longer kept (30 days); send it once more.':
		'A imagem enviada para isto não está mais guardada (30 dias); envie de novo.',
	'Use as reference': 'Usar como referência',
	'There is no picture in this message any more.': 'Não há mais nenhuma imagem nesta mensagem.',
	'Press **{label}** under another picture, or compose now.': 'Aperte **{label}** sob outra imagem, ou componha agora.',
	'That is the most.': 'É o máximo.',
	'Kept as image {count, number} of your next composition, for an hour.':
		'Guardada por uma hora como imagem {count, number} da sua próxima composição.',
	'Only who asked for this picture, or a moderator, can delete it.':
		'Só quem pediu esta imagem, ou um moderador, pode excluí-la.',
	'Only a moderator can delete this: who asked is no longer known.':
		'Só um moderador pode excluir isto: não se sabe mais quem pediu.',
	Picture: 'Imagem',
	'Here is what could not be posted.': 'Aqui está o que não pôde ser publicado.',
	'Nothing is waiting for you.': 'Não há nada esperando por você.',
	'This button is from another version of Easel and does nothing any more; use the command instead.':
		'Este botão é de outra versão do Easel e não faz mais nada; use o comando.',
	'Whoever mentions me here gets an answer.': 'Quem me mencionar aqui recebe uma resposta.',
	'Whatever you write here, I answer.': 'Respondo a tudo o que vocês escreverem aqui.',
	"I remember what was said in this thread; write `forget`, and I don't any more.":
		'Eu me lembro do que foi dito neste tópico; escreva `forget`, e eu esqueço.',
	'`draw a red fox` makes a picture; a picture with an instruction is changed by it. Both count as `/imagine` and `/edit` do.':
		'`draw a red fox` faz uma imagem; uma imagem com uma instrução é alterada por ela. Ambos contam como `/imagine` e `/edit`.',
	'From now on I answer only who mentions me here.': 'A partir de agora só respondo aqui a quem me mencionar.',
	'From now on I answer whatever is written here.': 'A partir de agora respondo a tudo o que for escrito aqui.',
	'Forgotten: what was said here before this message goes to the chat model no more.':
		'Esquecido: o que foi dito aqui antes desta mensagem não vai mais para o modelo de conversa.',
	'*This thread has become long: from now on its oldest messages go to the chat model no more.*':
		'*Este tópico ficou longo: a partir de agora, as mensagens mais antigas não vão mais para o modelo de conversa.*',
	'What is to be done with the picture? Send it once more, with an instruction.':
		'O que deve ser feito com a imagem? Envie de novo, com uma instrução.',
	'*Stopped.*': '*Parado.*',
	'*The answer breaks off here.*': '*A resposta se interrompe aqui.*',
	'*Interrupted: Easel was stopped while this was written.*':
		'*Interrompido: o Easel foi parado enquanto isto era escrito.*',
	Stop: 'Parar',
	Retry: 'Tentar de novo',
	'Draw this': 'Desenhar isto',
	Forget: 'Esquecer',
	'Answer everything': 'Responder a tudo',
	'Answer mentions only': 'Só a menções',
	'The picture is finished but could not be posted. The call stays counted.':
		'A imagem está pronta, mas não pôde ser publicada. A chamada continua contada.',
	'The picture is finished but could not be posted here: /usage offers it.':
		'A imagem está pronta, mas não pôde ser publicada aqui: /usage a oferece.',
	'Something in this command could not be read.': 'Algo neste comando não pôde ser lido.',
	'There is no option `{option}`.': 'A opção `{option}` não existe.',
	'`{option}` is missing.': 'Falta `{option}`.',
	'`{option}` is empty.': '`{option}` está vazio.',
	'`{option}` is at least {least}; you gave {given}.': '`{option}` é no mínimo {least}; você informou {given}.',
	'`{option}` is at most {most}; you gave {given}.': '`{option}` é no máximo {most}; você informou {given}.',
	'`{option}` has {count} characters; at most {most} are allowed.':
		'`{option}` tem {count} caracteres; são permitidos no máximo {most}.',
	'`{option}` is one of {choices}.': '`{option}` é um destes: {choices}.',
	'`{option}` is not {kind, select, string {a text} number {a whole number} int {a whole number} boolean {yes or no} other {what is expected here}}.':
		'`{option}` não é {kind, select, string {um texto} number {um número inteiro} int {um número inteiro} boolean {sim ou não} other {o que se espera aqui}}.',
	'`{option}` is not a picture file.': '`{option}` não é um arquivo de imagem.',
	'`{option}` can not be read.': '`{option}` não pode ser lido.',
	'The plan is used up: from now on pictures cost ({spent} so far).':
		'O plano se esgotou: a partir de agora as imagens custam dinheiro ({spent} até agora).',
	'{layer, select, plan {The plan} server {This server} other {A channel}} has used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}{reached, select, yes {; that was the last} other {}}.':
		'{layer, select, plan {O plano} server {Este servidor} other {Um canal}} usou {used, number} de {limit, number} {what, select, chat {{limit, plural, one {turno de conversa} many {turnos de conversa} other {turnos de conversa}}} other {{limit, plural, one {chamada} many {chamadas} other {chamadas}}}} {period, select, day {hoje} other {este mês}}{reached, select, yes {; não resta nada} other {}}.',
	'The picture could not be fetched; send it once more, with at most 10 MB.':
		'A imagem não pôde ser obtida; envie de novo, com no máximo 10 MB.',
	'Something is being answered here; wait until it stands.': 'Algo está sendo respondido aqui; espere até terminar.',
	'What was written here is no longer remembered; write `draw` and what you want to see.':
		'O que foi escrito aqui não é mais lembrado; escreva `draw` e o que você quer ver.',
	'This thread is none of mine any more; mention me to call me in again.':
		'Este tópico não é mais meu; mencione-me para me chamar de volta.',
	'The plan is used up, and beyond it this server has spent {used} of {limit} this month. A new month starts {when}.':
		'O plano se esgotou, e além dele este servidor gastou {used} de {limit} este mês. Um novo mês começa {when}.',
	"{layer, select, plan {This Easel's plan has} server {This server has} channel {This channel has} other {You have}} used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}. A new {period, select, day {day} other {month}} starts {when}.":
		'{layer, select, plan {O plano deste Easel usou} server {Este servidor usou} channel {Este canal usou} other {Você usou}} {used, number} de {limit, number} {what, select, chat {{limit, plural, one {turno de conversa} many {turnos de conversa} other {turnos de conversa}}} other {{limit, plural, one {chamada} many {chamadas} other {chamadas}}}} {period, select, day {hoje} other {este mês}}. Um novo {period, select, day {dia} other {mês}} começa {when}.',
	'{count, plural, one {# call} other {# calls}} today':
		'{count, plural, one {# chamada} many {# chamadas} other {# chamadas}} hoje',
	'{left, number} of {limit, number} left {period, select, day {today} other {this month}}{layer, select, plan { in the plan} server { for this server} channel { in this channel} other {}}':
		'{period, select, day {hoje} other {este mês}} restam {left, number} de {limit, number}{layer, select, plan { no plano} server { para este servidor} channel { neste canal} other {}}',
	'Spent here beyond the plan: {used} of {limit} this month': 'Gasto aqui além do plano: {used} de {limit} este mês',
	'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number}; anew {when}':
		'{layer, select, plan {O plano} server {Este servidor} channel {Este canal} role {Você, pelo seu cargo} other {Você}}{what, select, chat {, turnos de conversa} other {}} {period, select, day {hoje} other {este mês}}: {used, number}; de novo {when}',
	'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number} of {limit, number}, {left, number} left; anew {when}':
		'{layer, select, plan {O plano} server {Este servidor} channel {Este canal} role {Você, pelo seu cargo} other {Você}}{what, select, chat {, turnos de conversa} other {}} {period, select, day {hoje} other {este mês}}: {used, number} de {limit, number}, restam {left, number}; de novo {when}',
	'{status} … {seconds, number} s': '{status} … {seconds, number} s',
	'{status} … waiting, {line, plural, =1 {next} other {number #}} in line':
		'{status} … esperando, {line, plural, =1 {o próximo} other {número #}} da fila',
	'Easel was stopped while this ran: only {kept, number} of {asked, number} pictures could be saved.':
		'O Easel foi parado enquanto isto rodava: só foi possível salvar {kept, number} de {asked, number} imagens.',
	'Easel was stopped while this ran. {cost} You can ask again.':
		'O Easel foi parado enquanto isto rodava. {cost} Você pode pedir de novo.',
	"Easel's records can't be reached, so nothing was asked for. Try again in a minute.":
		'Os registros do Easel estão inacessíveis, por isso nada foi pedido. Tente de novo em um minuto.',
	'Something went wrong in Easel (reference {reference}).': 'Algo deu errado no Easel (referência {reference}).',
	'Nothing was counted.': 'Nada foi contado.',
	'The call was counted.': 'A chamada foi contada.',
	'The call stays counted, since the service may have made it.':
		'A chamada continua contada, pois o serviço pode tê-la feito.',
	': {detail}': ': {detail}',
	"The image service does not accept this bot's key; whoever runs Easel has to look at SERVICE_API_KEY.":
		'O serviço de imagens não aceita a chave deste bot; quem cuida do Easel precisa verificar SERVICE_API_KEY.',
	'The plan at the image service is used up and its balance is empty.':
		'O plano no serviço de imagens se esgotou e o saldo está vazio.',
	'The image service refused this by its content rules{said}. {asked, select, picture {Try other words or another picture.} other {Try other words.}}':
		'O serviço de imagens recusou isto pelas regras de conteúdo{said}. {asked, select, picture {Tente outras palavras ou outra imagem.} other {Tente outras palavras.}}',
	'The image service did not take the request{said}.': 'O serviço de imagens não aceitou o pedido{said}.',
	'The image service is busy. Try again in a minute.': 'O serviço de imagens está ocupado. Tente de novo em um minuto.',
	'The image service is busy. Try again in {seconds, number} s.':
		'O serviço de imagens está ocupado. Tente de novo em {seconds, number} s.',
	"The image service can't be reached right now. Try again in a minute.":
		'O serviço de imagens está inacessível no momento. Tente de novo em um minuto.',
	'The image service failed (status {status}){said}.': 'O serviço de imagens falhou (status {status}){said}.',
	'The image service gave no answer.': 'O serviço de imagens não respondeu.',
	'The image service gave no whole answer.': 'O serviço de imagens não deu uma resposta completa.',
	'The image service gave no answer, so nobody knows whether it made the picture.':
		'O serviço de imagens não respondeu, por isso ninguém sabe se ele fez a imagem.',
	'The image service answered something that is no {asked, select, picture {picture} other {text}}.':
		'O serviço de imagens respondeu algo que não é {asked, select, picture {uma imagem} other {um texto}}.',
	'({index, number} of {count, number})': '({index, number} de {count, number})',
	'AI-generated for {name}': 'Gerado por IA para {name}',
	Edit: 'Editar',
	Delete: 'Excluir',
	Again: 'De novo',
	other: 'outros',
	forecast: 'previsão',
	'Daily cap: {count, number}': 'Limite diário: {count, number}',
	'day ({timeZone})': 'dia ({timeZone})',
	calls: 'chamadas',
	'No calls in {month}': 'Nenhuma chamada em {month}',
	'daily cap': 'limite diário',
	'{count, number} failed': '{count, number} com falha',
	'{count, number} with an unknown outcome': '{count, number} com resultado desconhecido',
	'{amount} USD beyond the plan': '{amount} USD além do plano',
	'{count, plural, one {# call} other {# calls}}':
		'{count, plural, one {# chamada} many {# chamadas} other {# chamadas}}',
	'{count, plural, one {# picture} other {# pictures}}':
		'{count, plural, one {# imagem} many {# imagens} other {# imagens}}',
	'Bar chart: calls per day in {month} ({timeZone}), stacked by command':
		'Gráfico de barras: chamadas por dia em {month} ({timeZone}), empilhadas por comando',
	'No calls were counted': 'Nenhuma chamada foi contada',
	'Busiest day: {day} with {count, number}': 'Dia mais movimentado: {day} com {count, number}',
	'Calls per day, {month}': 'Chamadas por dia, {month}',
	'Monthly cap: {count, number}': 'Limite mensal: {count, number}',
	'At this pace {calls, plural, one {# call} other {# calls}} and {amount} USD by {day}':
		'Nesse ritmo, {calls, plural, one {# chamada} many {# chamadas} other {# chamadas}} e {amount} USD até {day}',
	'At this pace {calls, plural, one {# call} other {# calls}} by {day}':
		'Nesse ritmo, {calls, plural, one {# chamada} many {# chamadas} other {# chamadas}} até {day}',
	'Used up by {day}': 'Esgotado até {day}',
	'Nobody used anything in {month}.': 'Ninguém usou nada em {month}.',
	Calls: 'Chamadas',
	Pictures: 'Imagens',
	Failed: 'Falhas',
	Unknown: 'Incertas',
	Member: 'Membro',
	'and {count, number} more': 'e mais {count, number}',
	'in all': 'ao todo',
	'Only moderators may use {command}.': 'Só moderadores podem usar {command}.',
	'There is no picture in this message.': 'Não há nenhuma imagem nesta mensagem.',
	'Which picture of the message': 'Qual imagem da mensagem',
	'Which pictures of the message': 'Quais imagens da mensagem',
	'A further picture: then they are composed, this one first':
		'Mais uma imagem: então elas são compostas, esta primeiro',
	'With further pictures: width x height of what they become': 'Com mais imagens: largura x altura do resultado',
	'Edit image': 'Editar imagem',
	'Compose images': 'Compor imagens',
	'`size` is for several pictures: one that is edited keeps its size. Add a picture, or leave it out.':
		'`size` é para várias imagens: uma que é editada mantém o tamanho. Adicione uma imagem, ou deixe em branco.',
	'`model` is for one picture: a composition has its own. Leave it out, or the further pictures.':
		'`model` é para uma só imagem: uma composição tem o seu. Deixe em branco, ou tire as outras imagens.',
	'Your references were kept for an hour and are gone; choose them anew.':
		'Suas referências foram guardadas por uma hora e se foram; escolha-as de novo.',
	'You have chosen {count} references already, which is the most.':
		'Você já escolheu {count} referências, que é o máximo.',
	Compose: 'Compor',
	'Start over': 'Recomeçar',
	'Image {number}: your reference.': 'Imagem {number}: sua referência.',
	'Image {number}: from this message.': 'Imagem {number}: desta mensagem.',
	'What you choose comes next, then the files.': 'O que você escolher vem a seguir, depois os arquivos.',
	'`which` names pictures of the message, each once: 1 to {count}.':
		'`which` indica imagens da mensagem, cada uma só uma vez: de 1 a {count}.',
	'`which` is missing: choose the pictures of the message.': 'Falta `which`: escolha as imagens da mensagem.',
	'That makes {count} pictures; a composition takes two or three.':
		'São {count} imagens; uma composição leva duas ou três.',
	'This form is no longer kept; please start again.': 'Este formulário não está mais guardado; comece de novo.',
	'Try again': 'Tentar outra vez',
	'I may not open private threads here: a moderator can give me Create Private Threads.':
		'Não posso abrir tópicos privados aqui: um moderador pode me dar a permissão “Criar tópicos privados”.',
	'There are no private threads in a channel of this kind.': 'Não há tópicos privados em um canal deste tipo.',
	'Only you see the thread': 'Só você vê o tópico',
	'- May be asked: everywhere': '- Pode-se pedir: em qualquer lugar',
	'- May be asked in: {channels}': '- Pode-se pedir em: {channels}',
	'- May ask: members with {roles}': '- Podem pedir: membros com {roles}',
	'- Covered results: nowhere': '- Resultados ocultos: em lugar nenhum',
	'- Covered results in: {channels}': '- Resultados ocultos em: {channels}',
	'- Banned words: {count, plural, =0 {none} other {#}}':
		'- Palavras proibidas: {count, plural, =0 {nenhuma} other {#}}',
	'- Log of pictures: nowhere': '- Registro de imagens: em lugar nenhum',
	'- Log of pictures: {channel}': '- Registro de imagens: {channel}',
	'{list} and {more, number} more': '{list} e mais {more, number}',
	'Let pictures and chats be asked for only in some channels, or only by some roles':
		'Permitir imagens e conversas só em alguns canais, ou só a alguns cargos',
	'A channel to ask in; with none allowed, everywhere':
		'Um canal onde pedir; se nenhum for permitido, em qualquer lugar',
	'A role that may ask; with none allowed, everybody': 'Um cargo que pode pedir; se nenhum for permitido, todos',
	'Take a channel or a role off the list of where and by whom may be asked':
		'Tirar um canal ou um cargo da lista de permitidos',
	'A channel that was allowed': 'Um canal que era permitido',
	'A role that was allowed': 'Um cargo que era permitido',
	'That was not on the list of what is allowed; `/limits show` has it.':
		'Isso não estava na lista do que é permitido; `/limits show` a mostra.',
	'Name a channel or a role; nothing was changed.': 'Indique um canal ou um cargo; nada foi alterado.',
	'At most {most, number} can be listed; nothing was changed.':
		'A lista aceita no máximo {most, number}; nada foi alterado.',
	'Ban words and phrases from what is asked for': 'Proibir palavras e frases nos pedidos',
	'Words or phrases, with commas between them; snow* is every word that begins so':
		'Palavras ou frases, separadas por vírgulas; neve* é toda palavra que começa assim',
	'At most {most, number} words can be banned; nothing was changed.':
		'Podem ser proibidas no máximo {most, number} palavras; nada foi alterado.',
	'Take words and phrases off the list of banned ones': 'Tirar palavras e frases da lista de proibidas',
	'Words or phrases as they were banned, with commas between them':
		'Palavras ou frases como foram proibidas, separadas por vírgulas',
	'None of that is banned; `/limits show` has the list.': 'Nada disso é proibido; `/limits show` mostra a lista.',
	'Name words or phrases, with commas between them; nothing was changed.':
		'Indique palavras ou frases, separadas por vírgulas; nada foi alterado.',
	'A word or phrase has at most {most, number} characters; nothing was changed.':
		'Uma palavra ou frase tem no máximo {most, number} caracteres; nada foi alterado.',
	'Cover the pictures that are made in a channel until somebody wants to see them':
		'Ocultar as imagens feitas em um canal até que alguém queira vê-las',
	'Whether they are covered': 'Se elas são ocultadas',
	'Where moderators see every picture that is made': 'Onde os moderadores veem cada imagem feita',
	'What is told nowhere any more': 'O que não é mais informado em lugar nenhum',
	'This can be asked for only in {channels}; moderators have set that here.':
		'Isto só pode ser pedido em {channels}; os moderadores definiram assim aqui.',
	'Only members with {roles} may ask for this; moderators have set that here.':
		'Só membros com {roles} podem pedir isto; os moderadores definiram assim aqui.',
	'This has a word in it that moderators have banned here. Nothing was counted.':
		'Isto tem uma palavra que os moderadores proibiram aqui. Nada foi contado.',
	'A rule of this server does not allow these words: {rule}.':
		'Uma regra deste servidor não permite estas palavras: {rule}.',
	'**{command}** by {member}: {prompt}': '**{command}** de {member}: {prompt}',
	'In {channel}': 'Em {channel}',
	'In a direct message': 'Em uma mensagem direta',
	'Only they see the result.': 'Só essa pessoa vê o resultado.',
	'The pictures could not be posted, and wait for them under /usage.':
		'As imagens não puderam ser publicadas e esperam em /usage.',
	'The pictures are not shown here: there are too many at once.':
		'As imagens não são mostradas aqui: são muitas de uma vez.',
	'The pictures are not shown here: they could not be posted.':
		'As imagens não são mostradas aqui: não puderam ser publicadas.',
	'[Go to the message]({link})': '[Ir para a mensagem]({link})',
	Remove: 'Remover',
	Block: 'Bloquear',
	Hide: 'Ocultar',
	'Removed by {moderator}.': 'Removido por {moderator}.',
	'Covered by {moderator}.': 'Ocultado por {moderator}.',
	'{member} was blocked by {moderator}.': '{moderator} bloqueou {member}.',
	'{moderator} could not remove it: it can not be reached any more.':
		'{moderator} não conseguiu remover: não está mais acessível.',
	'{moderator} could not cover it: it can not be reached any more.':
		'{moderator} não conseguiu ocultar: não está mais acessível.',
	'Only moderators can do that.': 'Só moderadores podem fazer isso.',
	'What this was about is no longer kept.': 'Aquilo de que se tratava não está mais guardado.',
	Prompt: 'Prompt',
	'More of the same request:': 'Mais do mesmo pedido:',
	'{number, plural, =0 {Packed} other {Picture #: packed}} tighter to fit; every pixel is as it was.':
		'{number, plural, =0 {Compactada} other {Imagem #: compactada}} mais para caber; cada pixel continua igual.',
	'{number, plural, =0 {Scaled} other {Picture #: scaled}} from {before} to {after}, since {where, select, direct {direct messages take} other {this server takes}} at most {megabytes, number} MB.':
		'{number, plural, =0 {Reduzida} other {Imagem #: reduzida}} de {before} para {after}, pois {where, select, direct {mensagens diretas aceitam} other {este servidor aceita}} no máximo {megabytes, number} MB.',
	'You asked for this in {where}, where it could not be posted.{why}':
		'Você pediu isto em {where}, onde não pôde ser publicado.{why}',
	'This could not be posted here; it went to who asked, as a direct message.':
		'Isto não pôde ser publicado aqui; foi enviado por mensagem direta a quem pediu.',
	"I remember what was said here; write `forget`, and I don't any more.":
		'Eu me lembro do que foi dito aqui; escreva `forget`, e eu esqueço.',
	'I remember nothing of this channel: write `forget` in the thread that it is about.':
		'Não me lembro de nada deste canal: escreva `forget` no tópico de que se trata.',
	'I am not in this channel. Invite me with `/invite @{name}`, then ask again.':
		'Não estou neste canal. Convide-me com `/invite @{name}` e peça de novo.',
	'Easel lacks the permission `{scope}` in this workspace: an admin has to add it to the app and install it once more.':
		'Falta ao Easel a permissão `{scope}` neste workspace: um administrador precisa adicioná-la ao app e instalá-lo de novo.',
	'This channel is archived; ask in another one.': 'Este canal está arquivado; peça em outro.',
	'The admins of this workspace let only some people post here; ask in another channel.':
		'Os administradores deste workspace só deixam algumas pessoas publicarem aqui; peça em outro canal.',
	'There are no threads in this channel; ask in another one.': 'Não há tópicos neste canal; peça em outro.',
	'This thread is locked; ask outside of it.': 'Este tópico está trancado; peça fora dele.',
	'Uploads are turned off in this workspace, so no picture can be shown; a workspace admin can turn them on under Permissions.':
		'O envio de arquivos está desativado neste workspace, por isso nenhuma imagem pode ser mostrada; um administrador pode ativá-lo em Permissões.',
	'The admins of this workspace let no file through that is as large as this picture.':
		'Os administradores deste workspace não deixam passar arquivos tão grandes quanto esta imagem.',
	"This workspace's storage is full; an admin has to make room before pictures can be posted.":
		'O armazenamento deste workspace está cheio; um administrador precisa abrir espaço antes que imagens possam ser publicadas.',
	'Slack lets me send you no direct messages.': 'O Slack não me deixa enviar mensagens diretas a você.',
	'Slack lets me send you no direct messages: whoever runs Easel has to turn on the Messages Tab of its app.':
		'O Slack não me deixa enviar mensagens diretas a você: quem cuida do Easel precisa ativar a aba Mensagens do app.',
	'Slack did not wait long enough to show the form; try once more.':
		'O Slack não esperou o suficiente para mostrar o formulário; tente de novo.',
	'Slack no longer lets Easel in here; an admin has to install it once more.':
		'O Slack não deixa mais o Easel entrar aqui; um administrador precisa instalá-lo de novo.',
	'Slack does not show {count, plural, one {the picture} other {the pictures}} in here yet; see below, in the thread.':
		'O Slack ainda não mostra {count, plural, one {a imagem} many {as imagens} other {as imagens}} aqui; veja abaixo, no tópico.',
	'Show picture': 'Mostrar imagem',
	'I answer you in our direct messages.': 'Eu respondo nas nossas mensagens diretas.',
	'I show it to you in our direct messages.': 'Eu mostro nas nossas mensagens diretas.',
	'Let us talk over here.': 'Vamos conversar por aqui.',
	'This picture is no longer kept.': 'Esta imagem não está mais guardada.',
	'Slack does not say what this file is: send it once more.': 'O Slack não diz o que é este arquivo: envie de novo.',
	'`{command}` takes {most, plural, =0 {no pictures} one {one picture} other {at most # pictures}}; you sent {count}.':
		'`{command}` leva {most, plural, =0 {nenhuma imagem} one {uma imagem} many {no máximo # imagens} other {no máximo # imagens}}; você enviou {count}.',
	'`{option}` is chosen in the form.': '`{option}` é escolhido no formulário.',
	'Choose {least} to {most}.': 'Escolha de {least} a {most}.',
	'This file has {megabytes} MB; at most 10 MB are allowed.':
		'Este arquivo tem {megabytes} MB; são permitidos no máximo 10 MB.',
	'At most {most, plural, one {one picture} other {# pictures}} in all.':
		'No máximo {most, plural, one {uma imagem} many {# imagens} other {# imagens}} ao todo.',
	Choose: 'Escolher',
	Yes: 'Sim',
	Submit: 'Enviar',
	Cancel: 'Cancelar',
	'`/{command}` goes on with one of these:': '`/{command}` continua com um destes:',
	'There is no `/{command} {word}`; it is one of these:': '`/{command} {word}` não existe; é um destes:',
	'Easel is being restarted; ask again in a minute.': 'O Easel está reiniciando; peça de novo em um minuto.',
	'Something went wrong in Easel; nothing was counted. Try once more.':
		'Algo deu errado no Easel; nada foi contado. Tente de novo.',
	'{min} to {max}': '{min} a {max}',
	'This menu entry is from another version of Easel.': 'Este item de menu é de outra versão do Easel.',
	'This form is no longer open; please start again.': 'Este formulário não está mais aberto; comece de novo.',
	'Easel is not installed in this workspace any more; an admin has to install it once more.':
		'O Easel não está mais instalado neste workspace; um administrador precisa instalá-lo de novo.',
	'Slack or the store does not answer right now; nothing was counted. Try again in a minute.':
		'O Slack ou o armazenamento não responde agora; nada foi contado. Tente de novo em um minuto.',
	'is writing …': 'está escrevendo …',
	'“This server” is the one where you have used me last: its rules hold here, too.':
		'“Este servidor” é aquele onde você me usou por último: as regras dele também valem aqui.',
	'The channel is gone.': 'O canal não existe mais.',
	'I am no member here myself, so I can only answer for a few minutes.':
		'Não sou membro aqui, por isso só posso responder por alguns minutos.',
	'I may not see {where}: a moderator can give me *View Channel* there.':
		'Não posso ver {where}: um moderador pode me dar *Ver canal* lá.',
	'I may not open threads here: a moderator can give me *Create Public Threads* and *Send Messages in Threads*.':
		'Não posso abrir tópicos aqui: um moderador pode me dar *Criar tópicos públicos* e *Enviar mensagens em tópicos*.',
	'I may not post in {where}: a moderator can give me {threads, select, yes {*Send Messages in Threads*} other {*Send Messages*}} and *Attach Files* there.':
		'Não posso publicar em {where}: um moderador pode me dar {threads, select, yes {*Enviar mensagens em tópicos*} other {*Enviar mensagens*}} e *Anexar arquivos* lá.',
	'The thread {where} is locked: a moderator can unlock it.':
		'O tópico {where} está trancado: um moderador pode destrancá-lo.',
	'This server has as many open threads as it can have; close some first.':
		'Este servidor tem todos os tópicos abertos que pode ter; feche alguns primeiro.',
	'There are no threads in a channel of this kind; ask in another one.':
		'Não há tópicos em um canal deste tipo; peça em outro.',
	'You take no direct messages from me: allow them in the settings of a server that we share.':
		'Você não aceita minhas mensagens diretas: permita-as nas configurações de um servidor em comum.',
	'I may answer here only a few times, since I am no member myself; ask once more.':
		'Só posso responder aqui algumas vezes, pois não sou membro; peça de novo.',
	'This is larger than what may be uploaded in {where}.': 'Isto é maior do que se pode enviar em {where}.',
	'There can be no threads here, since I am no member myself; write to me directly instead.':
		'Não pode haver tópicos aqui, pois não sou membro; escreva diretamente para mim.',
	'Only the requester may see this, and Discord takes no private answer any more.':
		'Só quem pediu pode ver isto, e o Discord não aceita mais respostas privadas.',
	'What you have used': 'O que você usou',
	'Your last pictures': 'Suas últimas imagens',
};
