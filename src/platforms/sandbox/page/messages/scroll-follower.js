import { icon } from '../icons.js';
import { t } from '../texts.js';

/** When its end is this near, the box follows new messages. */
const FOLLOW_PX = 80;
/** When its beginning is this near, older messages are loaded. */
const LOAD_PX = 400;

/** Keeps the end of a box visible while it is, and offers to jump there when it is not. */
export class ScrollFollower {
	#box;
	#jump;
	#isFollowing = true;
	/** The position at the last scroll, in pixels. */
	#top = 0;
	/** New messages since the end was visible. */
	#unseen = 0;

	/**
	 * @param {HTMLElement} box
	 * @param {HTMLElement} content
	 * @param {HTMLElement} jump the button
	 * @param {{ onEnd(): void, onBeginning(): void }} handlers called while scrolling, when the end or the beginning is near
	 */
	constructor(box, content, jump, handlers) {
		this.#box = box;
		this.#jump = jump;
		box.addEventListener('scroll', () => {
			const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < FOLLOW_PX;
			// A tall message moves the end away before this event comes. Only a person scrolls up.
			if (isNear || box.scrollTop < this.#top) this.#isFollowing = isNear;
			this.#top = box.scrollTop;
			if (this.#isFollowing) {
				this.#unseen = 0;
				handlers.onEnd();
			}
			this.#drawJump();
			if (box.scrollTop < LOAD_PX) handlers.onBeginning();
		});
		jump.addEventListener('click', () => {
			this.#isFollowing = true;
			this.update();
			box.focus();
		});
		// Pictures that load and texts that grow move the end, which stays visible if it was.
		const observer = new ResizeObserver(() => this.update());
		observer.observe(content);
		observer.observe(box);
	}

	get isFollowing() {
		return this.#isFollowing;
	}

	/** Shows the end from now on. */
	follow() {
		this.#isFollowing = true;
		this.#unseen = 0;
		this.#drawJump();
	}

	/** Shows another place than the end from now on. */
	leaveEnd() {
		this.#isFollowing = false;
		this.#drawJump();
	}

	/** Counts a new message that is not visible. */
	countUnseen() {
		if (!this.#isFollowing) this.#unseen += 1;
		this.#drawJump();
	}

	/** Scrolls to the end after the content has changed, if the end was visible. */
	update() {
		if (this.#isFollowing) this.#box.scrollTo({ top: this.#box.scrollHeight, behavior: 'instant' });
	}

	/** Changes the content above without moving what is visible. @param {() => void} change */
	keepPosition(change) {
		const fromEnd = this.#box.scrollHeight - this.#box.scrollTop;
		change();
		if (!this.#isFollowing) this.#box.scrollTop = this.#box.scrollHeight - fromEnd;
	}

	#drawJump() {
		this.#jump.hidden = this.#isFollowing;
		const label = this.#unseen ? t('sandbox.channel.unseen', { count: this.#unseen }) : t('sandbox.channel.latest');
		this.#jump.replaceChildren(icon('down'), label);
	}
}
