import { html } from 'hono/html';

/** A page of one heading, what there is to say, and where to go on. */
export async function page(heading: string, text: string, link?: { to: string; label: string }): Promise<string> {
	const markup = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<style>
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
</style>
</head>
<body>
<h1>${heading}</h1>
<p>${text}</p>
${link ? html`<p><a href="${link.to}">${link.label}</a></p>` : ''}
</body>
</html>
`;
	return String(markup);
}
