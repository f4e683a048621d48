import htm from 'htm';
import { type Attributes, type ComponentType, createElement, type VNode } from 'preact';

/** Markup in a template. Values become text or properties, never markup. */
export const html = htm.bind(createElement) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

/** A component, whose properties are checked here and would not be in a template. */
export const h = <Props>(component: (props: Props) => VNode, props: Props & Attributes): VNode =>
	createElement(component as ComponentType, props);

export type Changed<Element extends HTMLElement = HTMLInputElement> = { currentTarget: Element };

export const byId = (id: string): HTMLElement | null => document.getElementById(id);

/** Tells whether a key is for an input method. Safari says of the key that ends a composition so by its code alone. */
export const isComposing = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229;

let announced = '';
export function announce(text: string): void {
	// A text that does not change is not read.
	announced = text === announced ? `${text}\u00a0` : text;
	(byId('announcer') as HTMLElement).textContent = announced;
}

export const titleOf = ({ name, direct }: { name: string; direct?: true }): string => (direct ? name : `#${name}`);

export const classes = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ');

/** The paths of the icons: strokes on a grid of 20 × 20. */
const ICONS = {
	menu: 'M3 5.500h14M3 10h14M3 14.500h14',
	send: 'M10 16V4M4.500 9.500 10 4l5.500 5.500',
	plus: 'M10 4v12M4 10h12',
	close: 'm5 5 10 10M15 5 5 15',
	more: 'M4.500 10h.01M10 10h.01M15.500 10h.01',
	reply: 'M8 5 3.500 9.500 8 14M4 9.500h7a5.500 5.500 0 0 1 5.500 5.500',
	thread: 'M4 4.500h12v8.500H9l-3.500 3V13H4z',
	brush:
		'M16.500 3.500 8.500 11M5 16.500c3.500 0 4.500-1.500 4.500-3a2.200 2.200 0 0 0-4.400 0c0 1.500-.600 2.300-1.600 2.700.400.200 1 .300 1.500.300z',
	layers: 'm10 3 7 4-7 4-7-4zM3.500 11 10 14.700l6.500-3.700',
	trash: 'M4 5.500h12M8 5V3.500h4V5M5.500 5.500l.700 11h7.600l.700-11',
	download: 'M10 3.500v9M6 9l4 4 4-4M4 16.500h12',
	eye: 'M2.500 10S5 5 10 5s7.500 5 7.500 5-2.500 5-7.500 5-7.500-5-7.500-5zM10 8a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
	down: 'M10 4v12M4.500 10.500 10 16l5.500-5.500',
	file: 'M5 3h6.500L15 6.500V17H5zM11 3v4h4',
	sun: 'M10 6.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zM10 2v1.500M10 16.500V18M2 10h1.500M16.500 10H18M4.300 4.300l1.100 1.100M14.600 14.600l1.100 1.100M4.300 15.700l1.100-1.100M14.600 5.400l1.100-1.100',
	moon: 'M16 11.800A6.500 6.500 0 0 1 8.200 4a6.500 6.500 0 1 0 7.800 7.800z',
	back: 'M12.500 4 6.500 10l6 6',
	picture: 'M3.500 4.500h13v11h-13zM4 14l4-4.500 3 3 2-1.800 3.500 3.500M12.700 7.700h.01',
	copy: 'M7 7h9v9H7zM4 13V4h9',
};

export type IconName = keyof typeof ICONS;

export const icon = (name: IconName): VNode =>
	html`<svg viewBox="0 0 20 20" class="icon" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;

export const avatar = (id: string, name: string): VNode =>
	html`<span class="avatar ${id}" aria-hidden="true">
		${id === 'easel' ? html`<img src="/sandbox/easel.svg" alt="" />` : name.charAt(0)}
	</span>`;

export const closeButton = (label: string, onClick: () => void): VNode =>
	html`<button class="quiet small" type="button" aria-label=${label} onClick=${onClick}>${icon('close')}</button>`;

/** One of several choices that are shown beside each other. */
export const segment = (group: string, label: string, checked: boolean, onChange: () => void): VNode =>
	html`<label class="segment"><input class="hidden" type="radio" name=${group} checked=${checked} onChange=${onChange} /><span>${label}</span></label>`;
