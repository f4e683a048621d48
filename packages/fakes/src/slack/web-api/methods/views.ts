import { schemaErrors } from '../../block-kit/blocks.ts';
import { view as viewSchema } from '../../block-kit/views.ts';
import type { Slack } from '../../context.ts';
import { useTrigger } from '../../user/triggers.ts';
import type { Channel, Team, User, View } from '../../world/model.ts';
import { renderView } from '../../world/render/views.ts';
import { checkedBlocks } from '../content.ts';
import { misuse, SlackError, slackError } from '../errors.ts';
import type { Call, Methods } from '../method.ts';

/** https://docs.slack.dev/reference/methods/views.open */
const VIEW_BYTES = 250_000;
/** https://docs.slack.dev/surfaces/modals#updating_views */
const STACK = 3;

/** Validates a modal or a home page. Throws `invalid_arguments`. */
export function checkedView(slack: Slack, team: Team, given: unknown, kind: 'modal' | 'home'): View['data'] {
	const read = viewSchema.safeParse(given);
	if (!read.success) throw misuse('invalid_arguments', ...schemaErrors(read.error, '/view'));
	if (read.data.type !== kind) throw misuse('invalid_arguments', `[ERROR] not a ${kind} [json-pointer:/view/type]`);
	if (JSON.stringify(given).length > VIEW_BYTES) throw misuse('view_too_large');
	const data = given as View['data'];
	const shownAt = { team, id: '' };
	checkedBlocks(
		slack,
		shownAt,
		data.blocks.filter(({ type }) => type === 'image'),
		'a view',
	);
	const blocks = data.blocks.map((block, index) => ({ ...block, block_id: block.block_id ?? `b${index}` }));
	return { ...data, blocks };
}

/** @param team the workspace whose installation opens it */
export function createView(slack: Slack, user: User, data: View['data'], team: Team, previous?: View): View {
	const id = slack.ids.next('V');
	const hash = slack.ids.ts();
	const view: View = {
		id,
		hash,
		data,
		team,
		user,
		root: previous?.root ?? id,
		previous,
		state: {},
		errors: {},
	};
	slack.world.views.set(id, view);
	return view;
}

/** Replaces the content of an open view. */
export function replaceView(slack: Slack, view: View, data: View['data']): void {
	Object.assign(view, { data, hash: slack.ids.ts(), errors: {} });
}

/** Returns the view that a call names by `view_id` or `external_id`. */
function viewOf({ slack, args, me }: Call): View {
	const { view_id: id, external_id: external } = args;
	const view = [...slack.world.views.values()].find((one) =>
		id === undefined ? one.data['external_id'] === external && external !== undefined : one.id === id,
	);
	if (!view || view.team !== me.team) throw slackError('not_found');
	if (args['hash'] !== undefined && args['hash'] !== view.hash) throw slackError('hash_conflict');
	return view;
}

export const viewMethods: Methods = {
	/** https://docs.slack.dev/reference/methods/views.open */
	'views.open': {
		tier: 4,
		args: ['trigger_id', 'interactivity_pointer', 'view'],
		required: ['view', 'trigger_id'],
		run({ slack, args, me }) {
			const trigger = useTrigger(slack, args['trigger_id']);
			checkTeam(slack, trigger.user, me.team);
			const view = createView(slack, trigger.user, checkedView(slack, me.team, args['view'], 'modal'), me.team);
			trigger.opened?.(view);
			return { view: renderView(slack, view) };
		},
	},

	/** https://docs.slack.dev/reference/methods/views.push */
	'views.push': {
		tier: 4,
		args: ['trigger_id', 'interactivity_pointer', 'view'],
		required: ['view', 'trigger_id'],
		run({ slack, args, me }) {
			const trigger = useTrigger(slack, args['trigger_id']);
			checkTeam(slack, trigger.user, me.team);
			if (!trigger.view) throw misuse('invalid_trigger_id', 'no modal is open');
			let depth = 1;
			for (let one = trigger.view.previous; one; one = one.previous) depth++;
			if (depth >= STACK) throw misuse('push_limit_reached');
			const data = checkedView(slack, me.team, args['view'], 'modal');
			const view = createView(slack, trigger.user, data, me.team, trigger.view);
			trigger.opened?.(view);
			return { view: renderView(slack, view) };
		},
	},

	/** https://docs.slack.dev/reference/methods/views.update */
	'views.update': {
		tier: 4,
		args: ['view_id', 'external_id', 'hash', 'view'],
		required: ['view'],
		run(call) {
			const { slack, args, me } = call;
			const view = viewOf(call);
			replaceView(slack, view, checkedView(slack, me.team, args['view'], view.data.type));
			return { view: renderView(slack, view) };
		},
	},

	/** https://docs.slack.dev/reference/methods/views.publish */
	'views.publish': {
		tier: 4,
		args: ['user_id', 'hash', 'view'],
		required: ['user_id', 'view'],
		run({ slack, args, me }) {
			const user = me.team.users.get(String(args['user_id']));
			if (!user) throw slackError('user_not_found');
			if (!slack.manifest.features?.app_home?.home_tab_enabled) throw slackError('not_enabled');
			const data = checkedView(slack, me.team, args['view'], 'home');
			const before = [...slack.world.views.values()].find((view) => view.data.type === 'home' && view.user === user);
			if (before && args['hash'] !== undefined && args['hash'] !== before.hash) throw slackError('hash_conflict');
			if (before) replaceView(slack, before, data);
			return { view: renderView(slack, before ?? createView(slack, user, data, me.team)) };
		},
	},
};

/** People of other workspaces use an application in the channels that they share: Bolt reads `app_installed_team_id` then. */
function checkTeam(slack: Slack, user: User, team: Team): void {
	const isShared = ({ team: owner, sharedWith }: Channel) => owner === user.team || sharedWith.has(user.team);
	if (user.team === team || [...team.channels.values()].some(isShared)) return;
	slack.violate(`the token of ${team.name} was used for a form in ${user.team.name}`);
	throw new SlackError('invalid_trigger_id');
}
