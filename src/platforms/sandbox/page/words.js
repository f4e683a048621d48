/**
 * The English words of the page, by id. `{name}` is a value. Elements of `index.html` name theirs in `data-text` and `data-label`.
 * @type {Readonly<Record<string, string>>}
 */
export const WORDS = {
	'channel.beginning': 'This is where {channel} begins.',
	'channel.jump': 'Latest',
	'channel.jump.new': '{count} new',
	'channel.messages': 'Messages',
	'channel.new': 'New',
	'channel.offline': 'Reconnecting…',
	'channel.thread': 'A thread in #{channel}',
	'channel.typing': 'Easel is writing…',

	'command.back': 'Back to writing',
	'command.missing': '{field} is missing.',
	'command.missing.hint': '{field} is missing: {hint}.',
	'command.noValue': '“{text}” is no value for {field}: {hint}.',
	'command.noWords': '/{command} takes no words.',
	'command.picker': 'Commands',
	'command.run': 'Run',
	'command.tooLong': '{field} has {length} characters; at most {max} are allowed.',
	'command.tooManyFiles': '/{command} has no place for {count} of the files.',
	'command.unknown': 'There is no command {command}; type / to see them all.',
	'command.wrong': '{field} is {hint}.',

	'composer.attach': 'Add pictures or files',
	'menu.copy.failed': 'The browser did not let the text be copied.',
	'composer.message': 'Message {channel}',
	'composer.noReply': 'Do not reply',
	'composer.placeholder': '{label}, or / for commands',
	'composer.replyingTo': 'Replying to {name}',
	'composer.send': 'Send',
	'composer.skip': 'Skip to the message box',
	'composer.thread': 'Reply in this thread',

	'dialog.cancel': 'Cancel',
	'dialog.close': 'Close',
	'dialog.save': 'Save',
	'dialog.send': 'Send',

	'drop.attach': 'Attach to message',
	'drop.attach.hint': 'Share it with everyone here',
	'drop.compose': 'Compose',
	'drop.edit': 'Edit image',
	'drop.title': 'What to do with {files}?',
	'drop.title.one': 'this picture',
	'drop.title.several': 'these {count} files',

	'edit.text': 'The message',
	'edit.title': 'Edit message',

	'empty.channel': 'A blank canvas',
	'empty.drop': 'Or drop a picture anywhere to edit it, two or three to compose them.',
	'empty.examples': 'Nothing in #{channel} yet. Try one of these, or write your own.',
	'empty.examples.thread': 'Nothing in this thread yet. Try one of these, or write your own.',
	'empty.hello': 'Nothing in #{channel} yet. Say hello.',
	'empty.hello.thread': 'Nothing in this thread yet. Say hello.',
	'empty.thread': 'A thread of its own',
	'example.fox': 'a red fox in the snow at dusk',
	'example.harbour': 'a quiet harbour at sunrise, mist on the water',
	'example.lighthouse': 'a lighthouse in a storm, in linocut',

	'error.status': 'Easel answered with status {status}.',
	'error.unreachable': 'Easel can’t be reached; nothing was sent.',

	'file.bytes': '{count} bytes',
	'file.kilobytes': '{count} kB',
	'file.megabytes': '{count} MB',
	'file.pasted': 'Pasted picture',
	'file.remove': 'Take {file} out',

	'hint.channel': 'a channel here',
	'hint.choices': '{min} to {max} of these',
	'hint.choices.exact': '{min} of these',
	'hint.flag': 'true or false',
	'hint.integer': 'a whole number from {min} to {max}',
	'hint.person': 'a name here',
	'hint.picture': 'a picture',
	'hint.picture.missing': 'drop, paste or choose one',
	'hint.role': 'a role here',
	'hint.text': 'a text',

	'input.choose': 'Choose…',
	'input.drop': 'Drop a picture',
	'input.drop.hint': 'or paste, or choose a file',
	'input.without': 'Without {field}',

	'menu.copied': 'Copied',
	'menu.copy': 'Copy text',
	'menu.delete': 'Delete',
	'menu.dismiss': 'Dismiss',
	'menu.edit': 'Edit message',
	'menu.openThread': 'Open thread',
	'menu.reply': 'Reply',
	'menu.startThread': 'Start a thread',

	'message.announced': '{name}: {text}',
	'message.announced.pictures': '{name}: {text} ({count} pictures)',
	'message.app': 'App',
	'message.buttons': 'What next',
	'message.cover': 'Show',
	'message.covered': 'Show what is covered',
	'message.edited': 'edited',
	'message.enlarge': 'Enlarge: {alt}',
	'message.more': 'More for the message by {name}',
	'message.onlyYou': 'Only you can see this · ',
	'message.openThread': 'Open thread',
	'message.used': '{name} used {command}',

	'settings.channels': 'Channels',
	'settings.drawer': 'Servers, channels and people',
	'settings.language': 'Answers in',
	'settings.language.browser': 'as the browser',
	'settings.limits': 'Limits as',
	'settings.limits.values': '{text} characters, {pictures} pictures of {size}, {edits} edits in {seconds} s',
	'settings.moderator': 'Moderator here',
	'settings.moderator.title': '{name}, moderator',
	'settings.person': 'You are',
	'settings.servers': 'Servers',
	'settings.theme.dark': 'Dark colours',
	'settings.theme.light': 'Light colours',
	'settings.unread': 'unread',
	'settings.unread.server': '{server}, unread',

	'viewer.download': 'Download original',
	'viewer.next': 'Next picture',
	'viewer.position': '{at} of {count}',
	'viewer.previous': 'Previous picture',
	'viewer.title': 'Picture',
};

/**
 * Returns the words with this id, with values in place of their names.
 * @param {string} id
 * @param {Record<string, string | number>} [values]
 */
export const t = (id, values = {}) =>
	(WORDS[id] ?? id).replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));

/**
 * Returns the words with this id as strings and nodes, for values that are elements.
 * @param {string} id
 * @param {Record<string, Node>} nodes
 * @returns {(Node | string)[]}
 */
export const tNodes = (id, nodes) =>
	(WORDS[id] ?? id).split(/\{(\w+)\}/).map((part, index) => (index % 2 === 1 ? (nodes[part] ?? '') : part));

/** Fills the words of the elements that the page begins with. @param {ParentNode} root */
export function fillWords(root) {
	for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-text]')))
		element.textContent = t(element.dataset.text ?? '');
	for (const element of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-label]')))
		element.setAttribute('aria-label', t(element.dataset.label ?? ''));
}
