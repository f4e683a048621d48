/** Calls `onFiles` with files that are dropped or pasted anywhere in the page. @param {(files: File[]) => void} onFiles */
export function onDroppedFiles(onFiles) {
	let depth = 0;
	/** Counts the elements under the pointer, since each fires its own events. @param {number} next */
	const setDepth = (next) => {
		depth = Math.max(0, next);
		document.body.classList.toggle('dropping', depth > 0);
	};
	addEventListener('dragenter', (event) => hasFiles(event) && setDepth(depth + 1));
	addEventListener('dragleave', (event) => hasFiles(event) && setDepth(depth - 1));
	addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault());
	document.addEventListener('dropped', () => setDepth(0));
	addEventListener('drop', (event) => {
		if (!hasFiles(event)) return;
		event.preventDefault();
		setDepth(0);
		onFiles([...(event.dataTransfer?.files ?? [])]);
	});
	addEventListener('paste', (event) => {
		const files = [...(event.clipboardData?.files ?? [])];
		// Programs that copy text often add a picture of it. Then the text is meant.
		if (files.length === 0 || event.clipboardData?.types.includes('text/plain')) return;
		event.preventDefault();
		onFiles(files);
	});
}

/** @param {DragEvent} event */
const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
