import { sendEvent } from '../transport/events.ts';
import type { View } from '../world/model.ts';
import { channelType } from '../world/render/people.ts';
import { renderView } from '../world/render/views.ts';
import { homePress } from './payloads.ts';
import type { SlackUser, UserContext } from './slack-user.ts';
import { createTrigger } from './triggers.ts';
import { buttonsIn, visibleHome } from './visible.ts';

type Home = Pick<SlackUser, 'openHome' | 'home' | 'pressHome'>;

/** The application's home page. */
export function homeOf({ slack, account, position, sender, forms }: UserContext): Home {
	const { world } = slack;
	const homeView = (): View | undefined =>
		[...world.views.values()].find((view) => view.data.type === 'home' && view.user === account);

	return {
		openHome(tab = 'home') {
			const view = homeView();
			const channel = position.directMessages;
			world.requesters.add(account.id);
			sendEvent(slack, account.team, {
				type: 'app_home_opened',
				user: account.id,
				channel: channel.id,
				channel_type: channelType(channel),
				tab,
				...(view && tab === 'home' && { view: renderView(slack, view) }),
			});
		},
		home() {
			const view = homeView();
			return view && visibleHome(slack, view);
		},
		async pressHome(label) {
			const view = homeView();
			const button = view && buttonsIn(view.data.blocks).find((one) => one.label === label);
			if (!view || !button) throw new Error(`The home page has no button ${label}`);
			const trigger = createTrigger(slack, account, { opened: (form) => forms.open(form), view });
			await sender.interact(homePress(slack, trigger, view, button), `the button ${label}`);
		},
	};
}
