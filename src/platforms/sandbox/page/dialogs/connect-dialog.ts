import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Finding } from '../../../../domain/findings.ts';
import { send } from '../api.ts';
import { h, html } from '../html.ts';
import type { Page } from '../page.ts';
import { t } from '../texts.ts';
import { Dialog, useSubmit } from './dialogs.ts';

/** What can be connected, by the variables that it needs. */
const TARGETS = {
	discord: { variables: ['DISCORD_TOKEN'], site: 'https://discord.com/developers/applications' },
	slack: { variables: ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'], site: 'https://api.slack.com/apps' },
	service: { variables: ['SERVICE_BASE_URL', 'SERVICE_API_KEY', 'IMAGE_MODEL', 'CHAT_MODEL'], site: undefined },
} as const;
type Target = keyof typeof TARGETS;

const isSecret = (name: string) => /_(TOKEN|KEY)$/.test(name);

const NAMES = { discord: () => 'Discord', slack: () => 'Slack', service: () => t('sandbox.connect.service') };
const MARKS = { ok: '✓', warning: '!', fault: '✗', skipped: '–' };

/** Checks credentials as the doctor does, and says what to put into `.env`. Nothing is written, and nothing is kept but in this dialog. */
export function ConnectDialog({ page }: { page: Page }): VNode {
	const [target, setTarget] = useState<Target>('discord');
	const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
	const [findings, setFindings] = useState<readonly Finding[]>([]);
	const { variables, site } = TARGETS[target];
	const given = variables.flatMap((name) => (typed[name]?.trim() ? [[name, typed[name].trim()] as const] : []));
	const { onSubmit, isSending, setError, error } = useSubmit(async () => {
		setFindings([]);
		if (given.length > 0) setFindings(await send('connections', { variables: Object.fromEntries(given) }));
	});
	const forget = (change: () => void) => {
		change();
		setFindings([]);
		setError('');
	};
	const isDone = findings.some(({ level }) => level === 'ok') && findings.every(({ level }) => level !== 'fault');
	return h(
		Dialog,
		{ page, class: 'sheet' },
		html`<form novalidate onSubmit=${onSubmit}>
			<h2 id="dialog-title">${t('sandbox.connect.title')}</h2>
			<p class="note">${t('sandbox.connect.note')}</p>
			<div class="segments" role="radiogroup" aria-labelledby="dialog-title">${(Object.keys(TARGETS) as Target[]).map(
				(name) => html`<label class="segment">
					<input class="hidden" type="radio" name="target" checked=${name === target} onChange=${() => forget(() => setTarget(name))} />
					<span>${NAMES[name]()}</span>
				</label>`,
			)}</div>
			<div class="fields">${variables.map(
				(name, index) => html`<div class="field long" key=${name}>
					<label for=${name}>${name}</label>
					<input id=${name} autofocus=${index === 0} type=${isSecret(name) ? 'password' : 'text'} autocomplete="off" spellcheck=${false} value=${typed[name] ?? ''}
						placeholder=${name.endsWith('_URL') ? 'https://' : ''}
						onInput=${({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => forget(() => setTyped({ ...typed, [name]: value }))} />
				</div>`,
			)}</div>
			${error}
			<div role="status">${findings.length > 0 && html`<ul class="findings">${findings.map(findingLine)}</ul>`}
				${isDone && envLines(page, given, target)}</div>
			<div class="end">
				${site && html`<a href=${site} target="_blank" rel="noopener noreferrer">${t('sandbox.connect.where')}</a>`}
				<button class="primary" type="submit" disabled=${isSending || given.length === 0}>${t(isSending ? 'sandbox.connect.checking' : 'sandbox.connect.check')}</button>
			</div>
		</form>`,
	);
}

const findingLine = ({ level, message, step }: Finding) =>
	html`<li class=${level}><span class="finding-mark">${MARKS[level]}</span> ${message} ${step && html`<small>${step}</small>`}</li>`;

/** Secrets are copied in full, and shown by their end. */
function envLines(page: Page, given: readonly (readonly [string, string])[], target: Target): VNode {
	// With a platform, the sandbox is off unless it is on.
	const further = target === 'service' ? [] : ['SANDBOX=on'];
	const shown = given.map(([name, value]) => `${name}=${isSecret(name) ? `…${value.slice(-4)}` : value}`);
	const lines = given.map(([name, value]) => `${name}=${/[\s#'"\\]/.test(value) ? `'${value}'` : value}`);
	return html`<p class="note">${t('sandbox.connect.env')}</p>
		<pre tabindex="0"><code>${[...shown, ...further].join('\n')}</code></pre>
		<button class="action" type="button" onClick=${() => page.copy([...lines, ...further].join('\n'))}>${t('sandbox.menu.copy')}</button>`;
}
