import { readFileSync } from 'node:fs';

type Dashboard = { panels: { targets?: { expr: string }[] }[] };

const docs = (name: string) => readFileSync(new URL(`../../docs/monitoring/${name}`, import.meta.url), 'utf8');

/** Returns the PromQL of the dashboard and of the alert rules in docs/monitoring. */
function expressions(): string[] {
	const { panels } = JSON.parse(docs('easel-dashboard.json')) as Dashboard;
	const rules = docs('easel.rules.yml').split(/^ +- alert:/m);
	return [
		...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
		...rules.slice(1).map((rule) => /^ +expr: ([\s\S]*?)^ +(?:for|labels):/m.exec(rule)?.[1] ?? ''),
	];
}

/**
 * Returns the metrics, labels and values of labels in the dashboard and the alert rules that `/metrics` does not have.
 *
 * @param text the answer of `/metrics`
 */
export function missingMetrics(text: string): string[] {
	const names = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
	const lines = text.split('\n');
	const missing = new Set<string>();
	for (const expression of expressions()) {
		const used = [...expression.matchAll(/\b((?:easel|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
		if (used.length === 0 && !expression.includes('up{')) missing.add(`a metric in ${expression}`);
		for (const [, name = '', labels = ''] of used) {
			if (!names.has(name) && !names.has(name.replace(/_(bucket|sum|count)$/, ''))) missing.add(name);
			for (const [, label, values = ''] of labels.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"$]+)"/g))
				for (const value of values.split('|'))
					if (!lines.some((line) => line.startsWith(`${name}{`) && line.includes(`${label}="${value}"`)))
						missing.add(`${name}{${label}="${value}"}`);
		}
	}
	return [...missing];
}
