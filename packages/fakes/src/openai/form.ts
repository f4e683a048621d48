/** A part of a form. Files have a name. */
export type FormPart = { name: string; filename?: string; type?: string; bytes: Buffer };

/** Reads `multipart/form-data` with the headers of its parts, which Node's own parser does not show. https://www.rfc-editor.org/rfc/rfc7578 */
export function readForm(body: Buffer, contentType: string): FormPart[] {
	const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1];
	if (!boundary) throw new Error('The form has no boundary');
	const parts: FormPart[] = [];
	const mark = Buffer.from(`--${boundary}`);
	for (let at = body.indexOf(mark); ; ) {
		const start = at + mark.length + 2;
		const end = body.indexOf(mark, start);
		if (end === -1) return parts;
		const headEnd = body.indexOf('\r\n\r\n', start);
		const head = body.toString('utf8', start, headEnd);
		const parameter = (name: string) => new RegExp(`[; ]${name}="([^"]*)"`).exec(head)?.[1];
		const [filename, type] = [parameter('filename'), /^content-type: *(\S+)/im.exec(head)?.[1]];
		parts.push({
			name: parameter('name') ?? '',
			...(filename !== undefined && { filename }),
			...(type !== undefined && { type }),
			bytes: body.subarray(headEnd + 4, end - 2),
		});
		at = end;
	}
}
