/** Slack's variables, each valid by itself. */
type Values = {
	SLACK_BOT_TOKEN?: string | undefined;
	SLACK_APP_TOKEN?: string | undefined;
	SLACK_SIGNING_SECRET?: string | undefined;
	SLACK_CLIENT_ID?: string | undefined;
	SLACK_CLIENT_SECRET?: string | undefined;
	SLACK_STATE_SECRET?: string | undefined;
	SLACK_PREVIOUS_STATE_SECRET?: string | undefined;
	SLACK_API_URL: string;
	SLACK_MODERATORS: readonly string[];
	SLACK_STREAMS: 'auto' | 'on' | 'off';
};

/** The connection to Slack; undefined when Slack is not configured. */
export function slackFrom(values: Values) {
	const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = values;
	const { SLACK_CLIENT_ID: clientId, SLACK_CLIENT_SECRET: clientSecret, SLACK_STATE_SECRET: stateSecret } = values;
	const common = {
		apiUrl: values.SLACK_API_URL.replace(/(?<!\/)\/*$/, '/'),
		moderators: values.SLACK_MODERATORS,
		streams: values.SLACK_STREAMS,
	};
	if (clientId && clientSecret && stateSecret && signingSecret) {
		const stateSecrets = { stateSecret, previousStateSecret: values.SLACK_PREVIOUS_STATE_SECRET };
		return { ...common, access: { kind: 'oauth', clientId, clientSecret, signingSecret, ...stateSecrets } as const };
	}
	if (botToken && appToken) return { ...common, access: { kind: 'socket', botToken, appToken } as const };
	if (botToken && signingSecret) return { ...common, access: { kind: 'http', botToken, signingSecret } as const };
	return undefined;
}

const FOR_MANY = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'];

/** Finds faults in Slack's variables together: they have to make one of three kinds of connection, or be unset. One line each. */
export function slackFaults(given: Readonly<Record<string, string | undefined>>): string[] {
	const set = (name: string) => Boolean(given[name]);
	const bot = set('SLACK_BOT_TOKEN');
	const app = set('SLACK_APP_TOKEN');
	const signing = set('SLACK_SIGNING_SECRET');
	const many = FOR_MANY.find(set);
	if (many) {
		const one = ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'].find(set);
		if (one) return [`${one} is for one workspace and ${many} for many; remove one of the two.`];
		const missing = [...FOR_MANY, 'SLACK_SIGNING_SECRET'].filter((name) => !set(name));
		if (missing.length === 0) return [];
		return [`${namesOf(missing)} missing; needed with ${many}, for Slack in many workspaces.`];
	}
	if (app && signing)
		return ['SLACK_APP_TOKEN is for Socket Mode and SLACK_SIGNING_SECRET for HTTP; remove one of the two.'];
	if (bot && !app && !signing)
		return [
			'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET is missing; SLACK_BOT_TOKEN needs the one for Socket Mode, the other for HTTP.',
		];
	if (app && !bot) return ['SLACK_BOT_TOKEN is missing; it is needed with SLACK_APP_TOKEN.'];
	if (signing && !bot)
		return [
			`SLACK_BOT_TOKEN is missing; needed with SLACK_SIGNING_SECRET for one workspace (for many: ${FOR_MANY.join(', ')}).`,
		];
	return [];
}

function namesOf(names: readonly string[]): string {
	return `${new Intl.ListFormat('en').format(names)} ${names.length === 1 ? 'is' : 'are'}`;
}
