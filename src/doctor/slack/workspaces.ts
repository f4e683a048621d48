import { TokenCipher } from '../../platforms/slack/installation/token-cipher.ts';
import type { StoredInstallation } from '../../platforms/slack/installation/workspaces.ts';
import { BOT_SCOPES } from '../../platforms/slack/manifest.ts';
import type { StateSecrets } from '../../platforms/slack/transport/access.ts';
import type { Store } from '../../store/store.ts';
import { type Finding, fault, ok, warning } from '../check.ts';
import { namesOf } from '../names.ts';

const PREFIX = 'installation:';

/** Looks at the stored installations. Their tokens are not used: the running bot may be replacing them. */
export async function checkWorkspaces(store: Store, secrets: StateSecrets): Promise<Finding | Finding[]> {
	const cipher = new TokenCipher(secrets);
	const outdated: string[] = [];
	let count = 0;
	let unreadable = 0;
	for await (const [key, encrypted] of store.space('slack').list(PREFIX)) {
		count++;
		const text = await cipher.decrypt(String(encrypted), key.slice(PREFIX.length));
		if (text === undefined) unreadable++;
		else {
			const { name, scopes } = JSON.parse(text) as StoredInstallation;
			if (BOT_SCOPES.some((scope) => !scopes.includes(scope))) outdated.push(name);
		}
	}
	const findings: Finding[] = [];
	if (unreadable > 0)
		findings.push(
			fault(`The tokens of ${unreadable} of ${count} workspaces cannot be decrypted.`, {
				variable: 'SLACK_STATE_SECRET',
				step: 'Set SLACK_PREVIOUS_STATE_SECRET to the earlier value, or install the app again at /slack/install.',
			}),
		);
	if (outdated.length > 0)
		findings.push(
			warning(`The app was installed with fewer scopes in ${namesOf(outdated)}.`, {
				step: 'Let an admin there install it again at /slack/install.',
			}),
		);
	return findings.length > 0
		? findings
		: ok(`${count === 1 ? 'One workspace has' : `${count} workspaces have`} installed the app.`);
}
