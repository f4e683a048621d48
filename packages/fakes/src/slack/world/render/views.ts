import type { Slack } from '../../context.ts';
import type { Json, View } from '../model.ts';

/** A modal or home page, as Slack returns it. */
export function renderView(slack: Slack, view: View, state?: Json): Json {
	const installation = view.team.installation;
	const { data } = view;
	return {
		id: view.id,
		team_id: view.user.team.id,
		type: data.type,
		blocks: data.blocks,
		private_metadata: data['private_metadata'] ?? '',
		callback_id: data['callback_id'] ?? '',
		state: { values: state ?? {} },
		hash: view.hash,
		title: data['title'] ?? { type: 'plain_text', text: 'View Title', emoji: true },
		clear_on_close: data['clear_on_close'] ?? false,
		notify_on_close: data['notify_on_close'] ?? false,
		close: data['close'] ?? null,
		submit: data['submit'] ?? null,
		previous_view_id: view.previous?.id ?? null,
		root_view_id: view.root,
		app_id: slack.appId,
		external_id: data['external_id'] ?? '',
		app_installed_team_id: view.team.id,
		bot_id: installation?.bot ?? null,
	};
}
