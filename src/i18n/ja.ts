import type { Catalogue } from './en.ts';

export const ja: Catalogue = {
	imagine: '描く',
	prompt: 'プロンプト',
	size: 'サイズ',
	n: '枚数',
	model: 'モデル',
	private: '非公開',
	edit: '編集',
	image: '画像',
	compose: '合成',
	image1: '画像1',
	image2: '画像2',
	image3: '画像3',
	chat: 'チャット',
	mentions_only: 'メンションのみ',
	usage: '使用状況',
	member: 'メンバー',
	models: 'モデル一覧',
	limits: '上限',
	show: '表示',
	set: '設定',
	scope: '対象',
	server: 'サーバー',
	channel: 'チャンネル',
	role: 'ロール',
	period: '期間',
	day: '日',
	month: '月',
	images: '回数',
	what: '種類',
	pictures: '画像',
	clear: '解除',
	overage: '超過',
	usd: 'usd',
	report: 'レポート',
	settings: '各種設定',
	time_zone: 'タイムゾーン',
	language: '言語',
	notices: '通知',
	log: 'ログ',
	off: 'オフ',
	cooldown: '待ち時間',
	at_once: '同時',
	block: 'ブロック',
	unblock: 'ブロック解除',
	allow: '許可',
	disallow: '許可取消',
	ban: '禁止',
	words: '言葉',
	unban: '禁止解除',
	spoiler: 'ネタバレ',
	on: 'オン',
	which: 'どれ',
	'Open a thread to talk in': '話すためのスレッドを開きます',
	'What to begin with': '最初の話題',
	'Which model answers; /models lists them': '回答するモデル。/models で一覧を表示',
	'`{option}` is not the name of a model; /models lists them.':
		'`{option}` はモデル名ではありません。/models で一覧を確認できます。',
	'Answer only what mentions me': 'メンションされたときだけ答える',
	'Chat with {name}': '{name}さんとのチャット',
	'Make one picture from two or three': '2枚か3枚の画像から1枚を作ります',
	'Composing {prompt}': '{prompt} を合成しています',
	'The first picture, "image 1" in the prompt': '1枚目の画像。プロンプトでは「image 1」',
	'The second picture, "image 2" in the prompt': '2枚目の画像。プロンプトでは「image 2」',
	'How to put them together; call them image 1, image 2, image 3':
		'組み合わせ方。画像は image 1、image 2、image 3 と呼んでください',
	'The third picture, "image 3" in the prompt': '3枚目の画像。プロンプトでは「image 3」',
	'Change a picture by an instruction': '指示に従って画像を変更します',
	'Editing {prompt}': '{prompt} を編集しています',
	'The picture to change': '変更する画像',
	'What to change': '変更する内容',
	'Draw a picture from words': '言葉から画像を描きます',
	'Drawing {prompt}': '{prompt} を描いています',
	'What to draw': '描くもの',
	'What the cap is for': '上限の対象',
	'How often it starts anew': 'リセットの間隔',
	'What is counted; pictures if not said': '数えるもの。指定がなければ画像',
	'Which channel; without it, this one': '対象のチャンネル。指定がなければこのチャンネル',
	'Which role; each of its members gets this cap, the best role counts':
		'対象のロール。メンバーごとに適用され、最も多いロールが有効です',
	'Which member; without it, every member': '対象のメンバー。指定がなければ全員',
	'The rules in force and what is used': '現在のルールと使用量',
	'**Caps**': '**上限**',
	'No caps are set.': '上限は設定されていません。',
	'**Rules**': '**ルール**',
	'**Used**': '**使用量**',
	'**Latest changes**': '**最近の変更**',
	'Set a cap on calls, or on chat turns, a day or a month':
		'1日または1か月の呼び出し数やチャット回数に上限を設定します',
	'The most calls; one call is one request, whatever its variations':
		'呼び出しの最大数。枚数にかかわらず1回の依頼が1回です',
	'Set: {cap}.': '設定しました：{cap}。',
	'Take a cap away': '上限を解除します',
	'There is no such cap; `/limits show` lists them.':
		'そのような上限はありません。`/limits show` で一覧を確認できます。',
	'Taken away: {cap}.': '解除しました：{cap}。',
	'The most that this server may spend a month beyond the plan': 'プランを超えてこのサーバーが1か月に使える最大額',
	'An amount in USD; 0 for nothing': 'USDでの金額。0なら使いません',
	'`{option}` is an amount in USD such as 5 or 2.50, at most {most}.':
		'`{option}` は 5 や 2.50 のようなUSDの金額で、最大 {most} です。',
	'Beyond the plan nothing is spent here.': 'ここではプランを超えて支出しません。',
	'Beyond the plan at most {amount} a month may be spent here.':
		'ここではプランを超えて月に最大 {amount} まで使えます。',
	'Time zone, language, notices, log, cooldown and how many requests of a member run at once':
		'タイムゾーン、言語、通知、ログ、待ち時間、メンバーの同時依頼数',
	'Where days and months begin, such as Europe/Berlin': '日と月の始まりの基準。例：Asia/Tokyo',
	'`{option}` is not a time zone such as Europe/Berlin or America/New_York.':
		'`{option}` は Europe/Berlin や America/New_York のようなタイムゾーンではありません。',
	'What is said to moderators in their channels': 'チャンネルでモデレーターに伝える言語',
	'Where moderators are told at 80 % and 100 % of a cap': '上限の80 %と100 %に達したときにモデレーターへ知らせる場所',
	'Seconds between two requests of a member; 0 for none': '同じメンバーの依頼の間隔（秒）。0ならなし',
	'Requests of one member that run at once; more wait': '1人のメンバーが同時に実行できる依頼数。残りは待ちます',
	'Let a member ask for no more pictures': 'メンバーが画像を頼めないようにします',
	Whom: '対象の人',
	'{member} is blocked.': '{member} をブロックしました。',
	'Let a member ask for pictures again': 'メンバーが再び画像を頼めるようにします',
	'{member} is not blocked.': '{member} はブロックされていません。',
	'{member} may ask again.': '{member} は再び依頼できます。',
	'Who used what in a month, with a chart and a CSV file': '1か月の使用状況を、グラフとCSVファイル付きで表示します',
	'A month such as 2026-11; without it, this one': '2026-11 のような月。指定がなければ今月',
	'`{option}` is a month such as 2026-11.': '`{option}` は 2026-11 のような月です。',
	'`{option}` does not go with a cap for a {scope, select, server {server} channel {channel} role {role} other {member}}; nothing was changed.':
		'`{option}` は{scope, select, server {サーバー} channel {チャンネル} role {ロール} other {メンバー}}の上限には使えません。何も変更していません。',
	'`{option}` is missing; nothing was changed.': '`{option}` がありません。何も変更していません。',
	'{whose}: {images, number} {what, select, chat {{images, plural, one {chat turn} other {chat turns}}} other {{images, plural, one {call} other {calls}}}} a {period, select, day {day} other {month}}':
		'{whose}：{period, select, day {1日} other {1か月}}に{what, select, chat {チャット{images, plural, other {{images, number}回}}} other {呼び出し{images, plural, other {{images, number}回}}}}',
	'this server': 'このサーバー',
	'every {scope, select, channel {channel} role {role} other {member}}':
		'{scope, select, channel {各チャンネル} role {各ロール} other {各メンバー}}',
	'each member with {role}': '{role} の各メンバー',
	'- Time zone: {timeZone}': '- タイムゾーン：{timeZone}',
	'- Language of what is said to moderators: {language}': '- モデレーターへの言語：{language}',
	'- Beyond the plan: nothing': '- プラン超過：なし',
	'- Beyond the plan: at most {amount} a month': '- プラン超過：月に最大 {amount}',
	'- One member at once: {atOnce, number}; cooldown: {cooldown, plural, =0 {none} other {# s}}':
		'- メンバーの同時実行：{atOnce, number}、待ち時間：{cooldown, plural, =0 {なし} other {# 秒}}',
	'- Notices: nowhere': '- 通知：なし',
	'- Notices: {channel}': '- 通知：{channel}',
	'- Blocked: {members}': '- ブロック中：{members}',
	'What the image service offers': '画像サービスで使えるもの',
	'The image service offers:': '画像サービスで使えるモデル：',
	'The image service names no models.': '画像サービスはモデルを挙げていません。',
	'`{option}` has a control character.': '`{option}` に制御文字が含まれています。',
	'`{option}` has a broken character (half of a surrogate pair).':
		'`{option}` に壊れた文字（サロゲートペアの片方）が含まれています。',
	'Width x height, such as 1024x1024': '幅x高さ。例：1024x1024',
	'`{option}` is width x height, each {min} to {max}, such as 1024x1024.':
		'`{option}` は幅x高さで、それぞれ {min} から {max} です。例：1024x1024。',
	'How many variations, 1 to 4; they cost one call together': '枚数、1〜4。まとめて1回分の呼び出しです',
	'Image model; /models lists them': '画像モデル。/models で一覧を表示',
	'Sharper text, subjects kept in edits': '文字が鮮明で、編集時に被写体を保つ',
	'Only you see the result': '結果はあなただけに表示されます',
	'What is used and left, at every layer, and when it starts anew': '各段階の使用量と残り、リセットの時期を表示します',
	'Somebody else; for moderators': 'ほかの人（モデレーター用）',
	'Only moderators may look at what somebody else used.': 'ほかの人の使用状況を見られるのはモデレーターだけです。',
	'Usage of {member}:': '{member} の使用状況：',
	'{count, plural, =1 {One request has pictures that could not be posted.} other {# requests have pictures that could not be posted.}}':
		'{count, plural, =1 {投稿できなかった画像のある依頼が1件あります。} other {投稿できなかった画像のある依頼が#件あります。}}',
	'Show them here': 'ここに表示',
	'The file is empty.': 'ファイルが空です。',
	'The file is not a picture; please send a PNG, JPEG, WebP or GIF.':
		'このファイルは画像ではありません。PNG、JPEG、WebP、GIFのいずれかを送ってください。',
	'This is {kind, select, avif {an AVIF picture} heic {a HEIC picture} jxl {a JPEG XL picture} jp2 {a JPEG 2000 picture} tiff {a TIFF picture} bmp {a BMP picture} svg {an SVG drawing} photoshop {a Photoshop file} pdf {a PDF file} other {a video}}; please send it as PNG, JPEG, WebP or GIF.':
		'これは{kind, select, avif {AVIF画像} heic {HEIC画像} jxl {JPEG XL画像} jp2 {JPEG 2000画像} tiff {TIFF画像} bmp {BMP画像} svg {SVG図形} photoshop {Photoshopファイル} pdf {PDFファイル} other {動画}}です。PNG、JPEG、WebP、GIFのいずれかで送ってください。',
	'The picture is {size, number} MB; at most {most, number} MB can be sent.':
		'画像は {size, number} MBです。送れるのは最大 {most, number} MBです。',
	'The picture is {width} × {height} pixels; at most {most, number} million can be sent.':
		'画像は {width} × {height} ピクセルです。送れるのは最大 {most, number}00万ピクセルです。',
	'The picture is {width} × {height} pixels; at most {most} a side can be sent.':
		'画像は {width} × {height} ピクセルです。送れるのは一辺が最大 {most} ピクセルです。',
	'The picture is damaged.': '画像が壊れています。',
	'The picture is damaged (it ends too early).': '画像が壊れています（途中で終わっています）。',
	'A moderator has blocked you from asking for pictures here.':
		'モデレーターにより、ここで画像を頼むことがブロックされています。',
	'Wait {seconds, number} s before you ask again; moderators have set that here.':
		'次の依頼まで {seconds, number} 秒お待ちください。ここではモデレーターがそう設定しています。',
	'Only the last answer can be written anew, and only while this thread is remembered.':
		'書き直せるのは最後の回答だけで、このスレッドが記憶されている間だけです。',
	'This answer is still being written.': 'この回答はまだ書いている途中です。',
	'Only whom this answers, or a moderator, can do that.': 'これができるのは、回答の相手かモデレーターだけです。',
	'A moderator has blocked you from asking here.': 'モデレーターにより、ここで頼むことがブロックされています。',
	'Easel is being restarted; nothing was counted. Ask again in a minute.':
		'Easelを再起動しています。何も数えていません。1分後にもう一度お試しください。',
	'There is no command {command}.': '{command} というコマンドはありません。',
	'Here is what I can do:': 'できることは次のとおりです：',
	'Your references are put away.': '参照画像を片付けました。',
	'What was asked for here is no longer kept; use the command instead.':
		'ここで頼まれた内容はもう保存されていません。コマンドを使ってください。',
	'The picture that was sent for this is no longer kept (30 days); send it once more.':
		'送られた画像はもう保存されていません（30日）。もう一度送ってください。',
	'Use as reference': '参照に使う',
	'There is no picture in this message any more.': 'このメッセージにはもう画像がありません。',
	'Press **{label}** under another picture, or compose now.':
		'別の画像の下の **{label}** を押すか、今すぐ合成してください。',
	'That is the most.': 'これで最大です。',
	'Kept as image {count, number} of your next composition, for an hour.':
		'次の合成の画像{count, number}として1時間保存しました。',
	'Only who asked for this picture, or a moderator, can delete it.':
		'削除できるのは、この画像を頼んだ人かモデレーターだけです。',
	'Only a moderator can delete this: who asked is no longer known.':
		'誰が頼んだか分からないため、削除できるのはモデレーターだけです。',
	Picture: '画像',
	'Here is what could not be posted.': '投稿できなかったものはこちらです。',
	'Nothing is waiting for you.': 'お待ちのものはありません。',
	'This button is from another version of Easel and does nothing any more; use the command instead.':
		'このボタンは別のバージョンのEaselのもので、もう動きません。コマンドを使ってください。',
	'Whoever mentions me here gets an answer.': 'ここでは、メンションしてくれた人に答えます。',
	'Whatever you write here, I answer.': 'ここに書かれたことには、すべて答えます。',
	"I remember what was said in this thread; write `forget`, and I don't any more.":
		'このスレッドで話したことを覚えています。`forget` と書けば忘れます。',
	'`draw a red fox` makes a picture; a picture with an instruction is changed by it. Both count as `/imagine` and `/edit` do.':
		'`draw a red fox` で画像を作ります。画像に指示を添えると、その画像を変更します。どちらも `/imagine` や `/edit` と同じように数えます。',
	'From now on I answer only who mentions me here.': 'これからは、ここではメンションされたときだけ答えます。',
	'From now on I answer whatever is written here.': 'これからは、ここに書かれたことすべてに答えます。',
	'Forgotten: what was said here before this message goes to the chat model no more.':
		'忘れました。このメッセージより前の会話は、もうチャットモデルに送りません。',
	'*This thread has become long: from now on its oldest messages go to the chat model no more.*':
		'*このスレッドは長くなったため、これからは最も古いメッセージをチャットモデルに送りません。*',
	'What is to be done with the picture? Send it once more, with an instruction.':
		'この画像をどうしますか。指示を添えて、もう一度送ってください。',
	'*Stopped.*': '*停止しました。*',
	'*The answer breaks off here.*': '*回答はここで途切れています。*',
	'*Interrupted: Easel was stopped while this was written.*': '*中断：書いている間にEaselが停止しました。*',
	Stop: '停止',
	Retry: 'やり直す',
	'Draw this': 'これを描く',
	Forget: '忘れる',
	'Answer everything': 'すべてに答える',
	'Answer mentions only': 'メンションだけに答える',
	'The picture is finished but could not be posted. The call stays counted.':
		'画像は完成しましたが、投稿できませんでした。呼び出しは数えられたままです。',
	'The picture is finished but could not be posted here: /usage offers it.':
		'画像は完成しましたが、ここには投稿できませんでした。/usage から受け取れます。',
	'Something in this command could not be read.': 'このコマンドに読み取れないところがありました。',
	'There is no option `{option}`.': '`{option}` というオプションはありません。',
	'`{option}` is missing.': '`{option}` がありません。',
	'`{option}` is empty.': '`{option}` が空です。',
	'`{option}` is at least {least}; you gave {given}.': '`{option}` は {least} 以上です。指定は {given} でした。',
	'`{option}` is at most {most}; you gave {given}.': '`{option}` は {most} 以下です。指定は {given} でした。',
	'`{option}` has {count} characters; at most {most} are allowed.':
		'`{option}` は {count} 文字あります。最大 {most} 文字です。',
	'`{option}` is one of {choices}.': '`{option}` は次のいずれかです：{choices}。',
	'`{option}` is not {kind, select, string {a text} number {a whole number} int {a whole number} boolean {yes or no} other {what is expected here}}.':
		'`{option}` は{kind, select, string {文字列ではありません} number {整数ではありません} int {整数ではありません} boolean {「はい」か「いいえ」ではありません} other {ここで求められるものではありません}}。',
	'`{option}` is not a picture file.': '`{option}` は画像ファイルではありません。',
	'`{option}` can not be read.': '`{option}` を読み取れません。',
	'The plan is used up: from now on pictures cost ({spent} so far).':
		'プランを使い切りました。これからの画像には料金がかかります（これまでに {spent}）。',
	'{layer, select, plan {The plan} server {This server} other {A channel}} has used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}{reached, select, yes {; that was the last} other {}}.':
		'{layer, select, plan {プラン} server {このサーバー} other {あるチャンネル}}は{period, select, day {今日} other {今月}}、{what, select, chat {チャット{limit, plural, other {{limit, number}回}}} other {呼び出し{limit, plural, other {{limit, number}回}}}}のうち{used, number}回を使いました{reached, select, yes {。これで最後です} other {}}。',
	'The picture could not be fetched; send it once more, with at most 10 MB.':
		'画像を取得できませんでした。10 MB以内でもう一度送ってください。',
	'Something is being answered here; wait until it stands.': 'ここでは回答中です。終わるまでお待ちください。',
	'What was written here is no longer remembered; write `draw` and what you want to see.':
		'ここに書かれた内容はもう記憶されていません。`draw` に続けて見たいものを書いてください。',
	'This thread is none of mine any more; mention me to call me in again.':
		'このスレッドにはもう参加していません。メンションして呼び戻してください。',
	'The plan is used up, and beyond it this server has spent {used} of {limit} this month. A new month starts {when}.':
		'プランを使い切り、超過分としてこのサーバーは今月 {limit} のうち {used} を使いました。新しい月は {when} に始まります。',
	"{layer, select, plan {This Easel's plan has} server {This server has} channel {This channel has} other {You have}} used {used, number} of {limit, number} {what, select, chat {{limit, plural, one {chat turn} other {chat turns}}} other {{limit, plural, one {call} other {calls}}}} {period, select, day {today} other {this month}}. A new {period, select, day {day} other {month}} starts {when}.":
		'{layer, select, plan {このEaselのプランは} server {このサーバーは} channel {このチャンネルは} other {あなたは}}{period, select, day {今日} other {今月}}、{what, select, chat {チャット{limit, plural, other {{limit, number}回}}} other {呼び出し{limit, plural, other {{limit, number}回}}}}のうち{used, number}回を使いました。新しい{period, select, day {日} other {月}}は {when} に始まります。',
	'{count, plural, one {# call} other {# calls}} today': '今日 {count, plural, other {#回}}',
	'{left, number} of {limit, number} left {period, select, day {today} other {this month}}{layer, select, plan { in the plan} server { for this server} channel { in this channel} other {}}':
		'{layer, select, plan {プランの} server {このサーバーの} channel {このチャンネルの} other {}}残りは{period, select, day {今日} other {今月}} {limit, number}回中{left, number}回',
	'Spent here beyond the plan: {used} of {limit} this month': 'ここでのプラン超過分の支出：今月 {limit} のうち {used}',
	'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number}; anew {when}':
		'{layer, select, plan {プラン} server {このサーバー} channel {このチャンネル} role {あなた（ロールによる）} other {あなた}}{what, select, chat {、チャット} other {}} {period, select, day {今日} other {今月}}：{used, number}回、リセットは {when}',
	'{layer, select, plan {The plan} server {This server} channel {This channel} role {You, by your role} other {You}}{what, select, chat {, chat turns} other {}} {period, select, day {today} other {this month}}: {used, number} of {limit, number}, {left, number} left; anew {when}':
		'{layer, select, plan {プラン} server {このサーバー} channel {このチャンネル} role {あなた（ロールによる）} other {あなた}}{what, select, chat {、チャット} other {}} {period, select, day {今日} other {今月}}：{limit, number}回中{used, number}回、残り{left, number}回、リセットは {when}',
	'{status} … {seconds, number} s': '{status} … {seconds, number} 秒',
	'{status} … waiting, {line, plural, =1 {next} other {number #}} in line':
		'{status} … 待機中、{line, plural, =1 {次の番です} other {#番目です}}',
	'Easel was stopped while this ran: only {kept, number} of {asked, number} pictures could be saved.':
		'実行中にEaselが停止しました。画像 {asked, number} 枚のうち {kept, number} 枚だけ保存できました。',
	'Easel was stopped while this ran. {cost} You can ask again.':
		'実行中にEaselが停止しました。{cost} もう一度頼めます。',
	"Easel's records can't be reached, so nothing was asked for. Try again in a minute.":
		'Easelの記録にアクセスできないため、何も依頼しませんでした。1分後にもう一度お試しください。',
	'Something went wrong in Easel (reference {reference}).': 'Easelで問題が発生しました（参照番号 {reference}）。',
	'Nothing was counted.': '何も数えていません。',
	'The call was counted.': '呼び出しは数えられました。',
	'The call stays counted, since the service may have made it.':
		'サービスが実行した可能性があるため、呼び出しは数えられたままです。',
	': {detail}': '：{detail}',
	"The image service does not accept this bot's key; whoever runs Easel has to look at SERVICE_API_KEY.":
		'画像サービスがこのボットのキーを受け付けません。Easelの運営者は SERVICE_API_KEY を確認してください。',
	'The plan at the image service is used up and its balance is empty.':
		'画像サービスのプランを使い切り、残高もありません。',
	'The image service refused this by its content rules{said}. {asked, select, picture {Try other words or another picture.} other {Try other words.}}':
		'画像サービスが内容の規則により拒否しました{said}。{asked, select, picture {別の言葉か別の画像をお試しください。} other {別の言葉をお試しください。}}',
	'The image service did not take the request{said}.': '画像サービスが依頼を受け付けませんでした{said}。',
	'The image service is busy. Try again in a minute.':
		'画像サービスが混み合っています。1分後にもう一度お試しください。',
	'The image service is busy. Try again in {seconds, number} s.':
		'画像サービスが混み合っています。{seconds, number} 秒後にもう一度お試しください。',
	"The image service can't be reached right now. Try again in a minute.":
		'現在、画像サービスに接続できません。1分後にもう一度お試しください。',
	'The image service failed (status {status}){said}.':
		'画像サービスでエラーが起きました（ステータス {status}）{said}。',
	'The image service gave no answer.': '画像サービスから応答がありませんでした。',
	'The image service gave no whole answer.': '画像サービスから完全な回答が得られませんでした。',
	'The image service gave no answer, so nobody knows whether it made the picture.':
		'画像サービスから応答がないため、画像が作られたかどうか分かりません。',
	'The image service answered something that is no {asked, select, picture {picture} other {text}}.':
		'画像サービスの応答は{asked, select, picture {画像} other {文章}}ではありませんでした。',
	'({index, number} of {count, number})': '（{count, number}枚中{index, number}枚目）',
	'AI-generated for {name}': '{name}さんのためのAI生成画像',
	Edit: '編集',
	Delete: '削除',
	Again: 'もう一度',
	other: 'その他',
	forecast: '予測',
	'Daily cap: {count, number}': '1日の上限：{count, number}',
	'day ({timeZone})': '日（{timeZone}）',
	calls: '呼び出し',
	'No calls in {month}': '{month}の呼び出しはありません',
	'daily cap': '1日の上限',
	'{count, number} failed': '失敗 {count, number}',
	'{count, number} with an unknown outcome': '結果不明 {count, number}',
	'{amount} USD beyond the plan': 'プラン超過 {amount} USD',
	'{count, plural, one {# call} other {# calls}}': '{count, plural, other {呼び出し #回}}',
	'{count, plural, one {# picture} other {# pictures}}': '{count, plural, other {画像 #枚}}',
	'Bar chart: calls per day in {month} ({timeZone}), stacked by command':
		'棒グラフ：{month}の1日あたりの呼び出し（{timeZone}）、コマンド別の積み上げ',
	'No calls were counted': '数えられた呼び出しはありません',
	'Busiest day: {day} with {count, number}': '最も多い日：{day}、{count, number}回',
	'Calls per day, {month}': '1日あたりの呼び出し、{month}',
	'Monthly cap: {count, number}': '1か月の上限：{count, number}',
	'At this pace {calls, plural, one {# call} other {# calls}} and {amount} USD by {day}':
		'このペースでは{day}までに{calls, plural, other {呼び出し #回}}、{amount} USD',
	'At this pace {calls, plural, one {# call} other {# calls}} by {day}':
		'このペースでは{day}までに{calls, plural, other {呼び出し #回}}',
	'Used up by {day}': '{day}までに使い切ります',
	'Nobody used anything in {month}.': '{month}には誰も使いませんでした。',
	Calls: '呼び出し',
	Pictures: '画像',
	Failed: '失敗',
	Unknown: '不明',
	Member: 'メンバー',
	'and {count, number} more': 'ほか{count, number}人',
	'in all': '合計',
	'Only moderators may use {command}.': '{command} を使えるのはモデレーターだけです。',
	'There is no picture in this message.': 'このメッセージに画像はありません。',
	'Which picture of the message': 'メッセージのどの画像か',
	'Which pictures of the message': 'メッセージのどの画像か（複数可）',
	'A further picture: then they are composed, this one first': '追加の画像。この画像を先頭に合成します',
	'With further pictures: width x height of what they become': '画像を追加した場合：結果の幅x高さ',
	'Edit image': '画像を編集',
	'Compose images': '画像を合成',
	'`size` is for several pictures: one that is edited keeps its size. Add a picture, or leave it out.':
		'`size` は複数の画像用です。編集した画像の大きさは変わりません。画像を追加するか、空にしてください。',
	'`model` is for one picture: a composition has its own. Leave it out, or the further pictures.':
		'`model` は1枚の画像用です。合成には専用のモデルがあります。空にするか、追加の画像を外してください。',
	'Your references were kept for an hour and are gone; choose them anew.':
		'参照画像は1時間保存され、もうありません。選び直してください。',
	'You have chosen {count} references already, which is the most.':
		'参照画像はすでに{count}枚選ばれていて、これが最大です。',
	Compose: '合成',
	'Start over': '最初から',
	'Image {number}: your reference.': '画像{number}：あなたの参照画像。',
	'Image {number}: from this message.': '画像{number}：このメッセージから。',
	'What you choose comes next, then the files.': '次に選んだ画像、その後にファイルが続きます。',
	'`which` names pictures of the message, each once: 1 to {count}.':
		'`which` はメッセージの画像を1回ずつ指します：1〜{count}。',
	'`which` is missing: choose the pictures of the message.': '`which` がありません。メッセージの画像を選んでください。',
	'That makes {count} pictures; a composition takes two or three.': '画像が{count}枚になります。合成は2枚か3枚です。',
	'This form is no longer kept; please start again.':
		'このフォームはもう保存されていません。最初からやり直してください。',
	'Try again': 'もう一度試す',
	'I may not open private threads here: a moderator can give me Create Private Threads.':
		'ここでは非公開スレッドを開けません。モデレーターが「プライベートスレッドの作成」権限を付与できます。',
	'There are no private threads in a channel of this kind.': 'この種類のチャンネルに非公開スレッドはありません。',
	'Only you see the thread': 'スレッドはあなただけに表示されます',
	'- May be asked: everywhere': '- 依頼できる場所：どこでも',
	'- May be asked in: {channels}': '- 依頼できる場所：{channels}',
	'- May ask: members with {roles}': '- 依頼できる人：{roles} のメンバー',
	'- Covered results: nowhere': '- 結果を隠す場所：なし',
	'- Covered results in: {channels}': '- 結果を隠す場所：{channels}',
	'- Banned words: {count, plural, =0 {none} other {#}}': '- 禁止された言葉：{count, plural, =0 {なし} other {#}}',
	'- Log of pictures: nowhere': '- 画像のログ：なし',
	'- Log of pictures: {channel}': '- 画像のログ：{channel}',
	'{list} and {more, number} more': '{list} ほか{more, number}件',
	'Let pictures and chats be asked for only in some channels, or only by some roles':
		'画像とチャットを一部のチャンネルやロールだけに許可します',
	'A channel to ask in; with none allowed, everywhere': '依頼できるチャンネル。許可がなければどこでも',
	'A role that may ask; with none allowed, everybody': '依頼できるロール。許可がなければ全員',
	'Take a channel or a role off the list of where and by whom may be asked':
		'許可の一覧からチャンネルかロールを外します',
	'A channel that was allowed': '許可されていたチャンネル',
	'A role that was allowed': '許可されていたロール',
	'That was not on the list of what is allowed; `/limits show` has it.':
		'それは許可の一覧にありませんでした。`/limits show` で確認できます。',
	'Name a channel or a role; nothing was changed.': 'チャンネルかロールを指定してください。何も変更していません。',
	'At most {most, number} can be listed; nothing was changed.':
		'一覧に入るのは最大{most, number}件です。何も変更していません。',
	'Ban words and phrases from what is asked for': '依頼で使う言葉や語句を禁止します',
	'Words or phrases, with commas between them; snow* is every word that begins so':
		'言葉や語句をコンマ区切りで。snow* はそれで始まる言葉すべて',
	'At most {most, number} words can be banned; nothing was changed.':
		'禁止できるのは最大{most, number}語です。何も変更していません。',
	'Take words and phrases off the list of banned ones': '禁止の一覧から言葉や語句を外します',
	'Words or phrases as they were banned, with commas between them': '禁止したときのままの言葉や語句をコンマ区切りで',
	'None of that is banned; `/limits show` has the list.':
		'どれも禁止されていません。`/limits show` で一覧を確認できます。',
	'Name words or phrases, with commas between them; nothing was changed.':
		'言葉や語句をコンマ区切りで指定してください。何も変更していません。',
	'A word or phrase has at most {most, number} characters; nothing was changed.':
		'言葉や語句は最大{most, number}文字です。何も変更していません。',
	'Cover the pictures that are made in a channel until somebody wants to see them':
		'チャンネルで作られた画像を、見たい人が開くまで隠します',
	'Whether they are covered': '隠すかどうか',
	'Where moderators see every picture that is made': 'モデレーターが作られた画像をすべて見る場所',
	'What is told nowhere any more': '今後どこにも知らせないもの',
	'This can be asked for only in {channels}; moderators have set that here.':
		'これを頼めるのは {channels} だけです。ここではモデレーターがそう設定しています。',
	'Only members with {roles} may ask for this; moderators have set that here.':
		'これを頼めるのは {roles} のメンバーだけです。ここではモデレーターがそう設定しています。',
	'This has a word in it that moderators have banned here. Nothing was counted.':
		'モデレーターがここで禁止した言葉が含まれています。何も数えていません。',
	'A rule of this server does not allow these words: {rule}.':
		'このサーバーの規則により、この言葉は使えません：{rule}。',
	'**{command}** by {member}: {prompt}': '{member} の **{command}**：{prompt}',
	'In {channel}': '{channel} で',
	'In a direct message': 'ダイレクトメッセージで',
	'Only they see the result.': '結果は本人だけに表示されています。',
	'The pictures could not be posted, and wait for them under /usage.':
		'画像は投稿できず、/usage で受け取りを待っています。',
	'The pictures are not shown here: there are too many at once.': '一度に多すぎるため、画像はここに表示されません。',
	'The pictures are not shown here: they could not be posted.': '投稿できなかったため、画像はここに表示されません。',
	'[Go to the message]({link})': '[メッセージへ移動]({link})',
	Remove: '削除する',
	Block: 'ブロック',
	Hide: '隠す',
	'Removed by {moderator}.': '{moderator} が削除しました。',
	'Covered by {moderator}.': '{moderator} が隠しました。',
	'{member} was blocked by {moderator}.': '{moderator} が {member} をブロックしました。',
	'{moderator} could not remove it: it can not be reached any more.':
		'{moderator} は削除できませんでした。もうアクセスできません。',
	'{moderator} could not cover it: it can not be reached any more.':
		'{moderator} は隠せませんでした。もうアクセスできません。',
	'Only moderators can do that.': 'それができるのはモデレーターだけです。',
	'What this was about is no longer kept.': 'これに関する記録はもう保存されていません。',
	Prompt: 'プロンプト',
	'More of the same request:': '同じ依頼の続き：',
	'{number, plural, =0 {Packed} other {Picture #: packed}} tighter to fit; every pixel is as it was.':
		'{number, plural, =0 {収まるように} other {画像#：収まるように}}圧縮し直しました。画素はすべて元のままです。',
	'{number, plural, =0 {Scaled} other {Picture #: scaled}} from {before} to {after}, since {where, select, direct {direct messages take} other {this server takes}} at most {megabytes, number} MB.':
		'{where, select, direct {ダイレクトメッセージ} other {このサーバー}}では最大 {megabytes, number} MBのため、{number, plural, =0 {} other {画像#を}}{before} から {after} に縮小しました。',
	'You asked for this in {where}, where it could not be posted.{why}':
		'{where} で頼まれましたが、そこには投稿できませんでした。{why}',
	'This could not be posted here; it went to who asked, as a direct message.':
		'ここには投稿できなかったため、頼んだ人にダイレクトメッセージで送りました。',
	"I remember what was said here; write `forget`, and I don't any more.":
		'ここで話したことを覚えています。`forget` と書けば忘れます。',
	'I remember nothing of this channel: write `forget` in the thread that it is about.':
		'このチャンネルのことは何も覚えていません。対象のスレッドで `forget` と書いてください。',
	'I am not in this channel. Invite me with `/invite @{name}`, then ask again.':
		'このチャンネルに参加していません。`/invite @{name}` で招待してから、もう一度頼んでください。',
	'Easel lacks the permission `{scope}` in this workspace: an admin has to add it to the app and install it once more.':
		'このワークスペースではEaselに権限 `{scope}` がありません。管理者がアプリに追加し、もう一度インストールする必要があります。',
	'This channel is archived; ask in another one.':
		'このチャンネルはアーカイブされています。別のチャンネルで頼んでください。',
	'The admins of this workspace let only some people post here; ask in another channel.':
		'このワークスペースの管理者は、ここへの投稿を一部の人に限っています。別のチャンネルで頼んでください。',
	'There are no threads in this channel; ask in another one.':
		'このチャンネルにスレッドはありません。別のチャンネルで頼んでください。',
	'This thread is locked; ask outside of it.': 'このスレッドはロックされています。外で頼んでください。',
	'Uploads are turned off in this workspace, so no picture can be shown; a workspace admin can turn them on under Permissions.':
		'このワークスペースではアップロードが無効のため、画像を表示できません。管理者が権限設定で有効にできます。',
	'The admins of this workspace let no file through that is as large as this picture.':
		'このワークスペースの管理者は、この画像ほど大きなファイルを許可していません。',
	"This workspace's storage is full; an admin has to make room before pictures can be posted.":
		'このワークスペースの容量がいっぱいです。画像を投稿するには、管理者が空きを作る必要があります。',
	'Slack lets me send you no direct messages.': 'Slackの設定により、あなたにダイレクトメッセージを送れません。',
	'Slack lets me send you no direct messages: whoever runs Easel has to turn on the Messages Tab of its app.':
		'Slackの設定により、あなたにダイレクトメッセージを送れません。Easelの運営者がアプリのメッセージタブを有効にする必要があります。',
	'Slack did not wait long enough to show the form; try once more.':
		'フォームを表示する前にSlackの待ち時間が終わりました。もう一度お試しください。',
	'Slack no longer lets Easel in here; an admin has to install it once more.':
		'SlackがEaselのアクセスを許可しなくなりました。管理者がもう一度インストールする必要があります。',
	'Slack does not show {count, plural, one {the picture} other {the pictures}} in here yet; see below, in the thread.':
		'Slackはまだここに{count, plural, other {画像}}を表示していません。下のスレッドを見てください。',
	'Show picture': '画像を表示',
	'I answer you in our direct messages.': 'ダイレクトメッセージで答えます。',
	'I show it to you in our direct messages.': 'ダイレクトメッセージでお見せします。',
	'Let us talk over here.': 'こちらで話しましょう。',
	'This picture is no longer kept.': 'この画像はもう保存されていません。',
	'Slack does not say what this file is: send it once more.':
		'Slackからこのファイルの情報が得られません。もう一度送ってください。',
	'`{command}` takes {most, plural, =0 {no pictures} one {one picture} other {at most # pictures}}; you sent {count}.':
		'`{command}` で使える画像は{most, plural, =0 {ありません} other {最大#枚です}}。送られたのは{count}枚です。',
	'`{option}` is chosen in the form.': '`{option}` はフォームで選びます。',
	'Choose {least} to {most}.': '{least}〜{most}個を選んでください。',
	'This file has {megabytes} MB; at most 10 MB are allowed.': 'このファイルは {megabytes} MBです。最大 10 MBです。',
	'At most {most, plural, one {one picture} other {# pictures}} in all.':
		'合わせて{most, plural, other {最大#枚}}です。',
	Choose: '選択',
	Yes: 'はい',
	Submit: '送信',
	Cancel: 'キャンセル',
	'`/{command}` goes on with one of these:': '`/{command}` には次のいずれかが続きます：',
	'There is no `/{command} {word}`; it is one of these:': '`/{command} {word}` はありません。次のいずれかです：',
	'Easel is being restarted; ask again in a minute.': 'Easelを再起動しています。1分後にもう一度頼んでください。',
	'Something went wrong in Easel; nothing was counted. Try once more.':
		'Easelで問題が発生しました。何も数えていません。もう一度お試しください。',
	'{min} to {max}': '{min} から {max}',
	'This menu entry is from another version of Easel.': 'このメニュー項目は別のバージョンのEaselのものです。',
	'This form is no longer open; please start again.': 'このフォームはもう開いていません。最初からやり直してください。',
	'Easel is not installed in this workspace any more; an admin has to install it once more.':
		'Easelはこのワークスペースにもうインストールされていません。管理者がもう一度インストールする必要があります。',
	'Slack or the store does not answer right now; nothing was counted. Try again in a minute.':
		'現在、Slackか保存先が応答しません。何も数えていません。1分後にもう一度お試しください。',
	'is writing …': 'が書いています …',
	'“This server” is the one where you have used me last: its rules hold here, too.':
		'「このサーバー」とは、最後に利用されたサーバーのことです。その規則はここでも有効です。',
	'The channel is gone.': 'そのチャンネルはもうありません。',
	'I am no member here myself, so I can only answer for a few minutes.':
		'ここのメンバーではないため、数分間しか答えられません。',
	'I may not see {where}: a moderator can give me *View Channel* there.':
		'{where} を見る権限がありません。モデレーターがそこで *チャンネルを見る* を付与できます。',
	'I may not open threads here: a moderator can give me *Create Public Threads* and *Send Messages in Threads*.':
		'ここではスレッドを開けません。モデレーターが *公開スレッドの作成* と *スレッドでメッセージを送信* を付与できます。',
	'I may not post in {where}: a moderator can give me {threads, select, yes {*Send Messages in Threads*} other {*Send Messages*}} and *Attach Files* there.':
		'{where} に投稿できません。モデレーターがそこで {threads, select, yes {*スレッドでメッセージを送信*} other {*メッセージを送信*}} と *ファイルを添付* を付与できます。',
	'The thread {where} is locked: a moderator can unlock it.':
		'スレッド {where} はロックされています。モデレーターが解除できます。',
	'This server has as many open threads as it can have; close some first.':
		'このサーバーの開いているスレッドは上限に達しています。先にいくつか閉じてください。',
	'There are no threads in a channel of this kind; ask in another one.':
		'この種類のチャンネルにスレッドはありません。別のチャンネルで頼んでください。',
	'You take no direct messages from me: allow them in the settings of a server that we share.':
		'私からのダイレクトメッセージを受け取らない設定です。共通のサーバーの設定で許可してください。',
	'I may answer here only a few times, since I am no member myself; ask once more.':
		'ここのメンバーではないため、数回しか答えられません。もう一度頼んでください。',
	'This is larger than what may be uploaded in {where}.': '{where} にアップロードできる大きさを超えています。',
	'There can be no threads here, since I am no member myself; write to me directly instead.':
		'ここのメンバーではないため、スレッドを作れません。代わりに直接メッセージを送ってください。',
	'Only the requester may see this, and Discord takes no private answer any more.':
		'これは頼んだ人だけが見られるもので、Discordはもう非公開の回答を受け付けません。',
	'What you have used': '使用量',
	'Your last pictures': '最近の画像',
};
